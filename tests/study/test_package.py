"""The package's names, and what importing it brings along."""

from __future__ import annotations

import subprocess
import sys


def test_nothing_of_it_loads_a_server_or_a_terminal() -> None:
    code = (
        "import sys\nfrom overbet import study\nfor name in study.__all__: getattr(study, name)\n"
        "print(sorted({'fastapi', 'starlette', 'uvicorn', 'rich', 'typer'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
