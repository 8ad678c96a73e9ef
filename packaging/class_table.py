"""Work out what classes of hands are worth at every end of a shipped blueprint's betting before the flop.

    python packaging/class_table.py heads-up

Writes `src/overbet/blueprint/shipped/classes/NAME.h5`, which searches before the flop read instead of working
the same out. Make it anew when the blueprint is another, or the number of boards that searches draw.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))


def main() -> int:
    """Work the table out and write it."""
    import numpy as np
    from rich.progress import track

    from overbet.blueprint.catalogue import find_blueprint
    from overbet.blueprint.class_table import FOLDER, ClassTable, in_steps
    from overbet.blueprint.class_values import ClassValues
    from overbet.blueprint.dense_query import DenseBlueprint
    from overbet.search.settings import PreflopSettings

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help="of a shipped blueprint for two players")
    parser.add_argument("--boards", type=int, default=PreflopSettings().boards)
    told = parser.parse_args()
    values = ClassValues(DenseBlueprint.load(find_blueprint(told.name)))
    ends = values.ends()
    found = [
        [in_steps(values.after(state, chooser, told.boards)) for chooser in (0, 1)]
        for state in track(ends.values(), "ends of the betting", transient=True)
    ]
    numbers = {moves: number for number, moves in enumerate(ends)}
    path = FOLDER / f"{told.name}.h5"
    path.parent.mkdir(exist_ok=True)
    ClassTable(values.identity, told.boards, numbers, np.array(found)).save(path)
    print(f"{len(ends)} ends, {path.stat().st_size / 1e6:.1f} MB: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
