"""Write schema.json beside this file: the shapes of the server's OpenAPI document, for the page's types.

No server is started. Addresses and the number of the version are left out: the types do not depend on them.
After it, `npm --prefix frontend run types` makes schema.ts; `make types` does both.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from overbet.files import replacing
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.limits import Settings

SCHEMA = Path(__file__).with_name("schema.json")


def schema_text() -> str:
    """Return the shapes as they are kept: a document without addresses, keys sorted."""
    with tempfile.TemporaryDirectory() as folder:
        document = create_app(Settings(data=Path(folder), example=False)).openapi()
    shapes = {
        "openapi": document["openapi"],
        "info": {"title": document["info"]["title"], "version": ""},
        "paths": {},
        "components": {"schemas": document["components"]["schemas"]},
    }
    return json.dumps(shapes, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    with replacing(SCHEMA) as beside:
        beside.write_text(schema_text(), encoding="utf-8")
