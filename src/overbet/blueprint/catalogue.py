"""Where blueprints are: those that come with the package, files, and runs' folders.

find_blueprint("heads-up")            # shipped
find_blueprint("runs/first")          # the blueprint of a run
find_blueprint("mine.h5")
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from overbet.blueprint.run import BLUEPRINT
from overbet.blueprint.store import SUFFIX
from overbet.errors import ArtefactError, short, unknown

SHIPPED = Path(__file__).parent / "shipped"


def find_blueprint(which: str | Path) -> Path:
    """Return the file of a shipped name such as `heads-up`, of a path, or of a run's folder."""
    place = Path(which)
    for path in (place / BLUEPRINT, place, SHIPPED / f"{which}{SUFFIX}"):
        with suppress(OSError):  # a name that no file can have
            if path.is_file():
                return path
    if place.suffix or len(place.parts) > 1:
        raise ArtefactError(
            f"there is no blueprint {short(which)}; train one: overbet train configs/heads-up.yaml"
        )
    raise ArtefactError(
        f"{unknown('blueprint', str(which), shipped_names())}; or give a file, such as "
        "runs/heads-up/blueprint.h5"
    )


def shipped_names() -> list[str]:
    """Return the names of the blueprints that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob(f"*{SUFFIX}"))
