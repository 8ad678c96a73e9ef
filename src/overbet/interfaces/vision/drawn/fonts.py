"""Fonts by name, from the packages of the extra `vision-train`, from overbet itself, or from the system.

Themes name a font and get that one or an error: a picture drawn with another font would be another picture.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

from overbet.errors import ConfigError

_PACKAGES = (
    "font_roboto",
    "font_source_sans_pro",
    "font_source_serif_pro",
    "font_caladea",
    "font_hanken_grotesk",
    "font_manrope",
    "font_fredoka_one",
    "font_lato",
)
_OWN = Path(__file__).parents[3] / "cards" / "fonts"
_SYSTEM = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("/Library/Fonts"),
    Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fonts",  # the user's own
)
# families that training must not see: those of themes to tune with, of the themes kept for tests, and their
# kin
KEPT_BACK = (
    "sourcesans",
    "manrope",
    "hankengrotesk",
    "lato",
    "carlito",
    "fredoka",
    "sora",
    "vollkorn",
    "yanone",
    "andika",
    "pts",
    "ptf",
    "b612",
    "gillius",
)


@cache
def _files() -> dict[str, Path]:
    """Return every font file there is by the stem of its name: ours, the packages', the system's."""
    folders = [_OWN]
    for package in _PACKAGES:
        found = importlib.util.find_spec(package)
        folders += (
            [Path(place) / "files" for place in (found.submodule_search_locations or ()) if found]
            if (found)
            else []
        )
    files: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.[to]tf")):
            files.setdefault(path.stem, path)
    for folder in _SYSTEM:
        for path in sorted(folder.rglob("*.[to]tf")):
            files.setdefault(path.stem, path)
    return files


@lru_cache(maxsize=512)
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the font of a theme."""
    path = _files().get(name)
    if path is None:
        raise ConfigError(
            f"the font {name} is not installed; pip install 'overbet[vision-train]' (six themes also need "
            "Debian's fonts-urw-base35, -sora, -vollkorn, -yanone-kaffeesatz, -sil-andika, "
            "-paratype, -b612, -adf-gillius)"
        )
    return ImageFont.truetype(str(path), size)


@lru_cache(maxsize=4096)
def font_at(path: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font of a file."""
    return ImageFont.truetype(path, size)


# of the system's families, those with plain Latin letters and digits
_FAMILIES = (
    "dejavu",
    "liberation",
    "opensans",
    "cabin",
    "cantarell",
    "bebas",
    "freesans",
    "freeserif",
    "freemono",
    "inter",
    "hack",
    "jetbrains",
    "dosis",
    "quicksand",
    "comfortaa",
    "play",
    "oxygen",
    "linlibertine",
    "linbiolinum",
    "leaguespartan",
    "jura",
    "ebgaramond",
    "roboto",
    "firacode",
    "ubuntu-title",
    "ubuntutitle",
    "universalisadf",
    "fantasquesans",
    "go-",
    "mononoki",
    "mplus1-",
    "charissil",
    "lexigulim",
    "courierprime",
    "texgyreadventor",
    "texgyreheros",
    "lobster",
    "sourceserif",
    "caladea",
    "c059",
    "p052",
    "urwgothic",
    "urwbookman",
    "z003",
    "cmunss",
    "cmunrm",
    "cmunbx",
    "rg2014",
    "veranasans",
)
_NOTO = ("notosans-", "notoserif-", "notosansmono-", "notosansdisplay-", "notoserifdisplay-")


@cache
def training_fonts() -> tuple[Path, ...]:
    """Return the fonts that networks are trained with: all that are installed but those kept back."""
    found = list(_files().values())
    kept: dict[str, Path] = {}
    for path in found:
        name = path.stem.lower().replace("_", "").replace(" ", "")
        plain = name.startswith(_FAMILIES) or name.startswith(_NOTO)
        if any(family in name for family in KEPT_BACK) or not plain or "math" in name:
            continue
        if any(word in name for word in ("thin", "extralight", "hairline", "initials", "keyboard", "[")):
            continue
        if has_letters(path, "0189KQabz.,€$"):
            kept.setdefault(name, path)
    if not kept:
        raise ConfigError("no fonts to train with; pip install 'overbet[vision-train]'")
    return tuple(kept[name] for name in sorted(kept))


@cache
def suit_fonts() -> tuple[Path, ...]:
    """Return fonts whose suit symbols are drawn in training; DejaVu's are kept for a theme of the tests."""
    names = ("freesans", "freeserif", "freemono", "linlibertine", "linbiolinum", "jetbrainsmono", "hack")
    found = [path for path in training_fonts() if path.stem.lower().replace("_", "").startswith(names)]
    return tuple(path for path in found if has_letters(path, "♣♦♥♠"))


def has_letters(path: Path, letters: str) -> bool:
    """Return whether a font has glyphs of its own for all letters."""
    face = font_at(str(path), 24)
    missing = bytes(face.getmask("\uffff"))
    return all(bytes(face.getmask(letter)) not in (missing, b"") for letter in letters)
