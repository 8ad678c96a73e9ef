"""The documentation site: built strictly, whole, and without anything from the network."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import overbet

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs/reference"
LIMIT = 600.0  # seconds; it takes five of processor time


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Strict: a link that leads nowhere or a name that is not found is an error."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    return folder


def test_every_page_is_built(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    assert pages == {
        path.relative_to(site).with_suffix("") for path in site.rglob("*.html") if path.name != "404.html"
    }
    for kind in ("player", "researcher", "bot-builder"):
        assert (site / f"tutorials/{kind}.html").is_file()


def test_nothing_comes_from_the_network(site: Path) -> None:
    """Pages load no script, style, font or picture from elsewhere."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]+src=\"([^\"]+)\"", text)
        loaded += re.findall(
            r"<link[^>]+rel=\"(?:stylesheet|preconnect|preload)\"[^>]*href=\"([^\"]+)\"", text
        )
        loaded += re.findall(
            r"<link[^>]+href=\"([^\"]+)\"[^>]*rel=\"(?:stylesheet|preconnect|preload)\"", text
        )
        assert loaded
        assert not [address for address in loaded if re.match(r"(?:https?:)?//", address)], page


@pytest.mark.parametrize("package", ["overbet", *(f"overbet.{path.stem}" for path in REFERENCE.glob("*.md"))])
def test_every_public_name_is_in_the_reference(package: str) -> None:
    if package in ("overbet.overbet", "overbet.index"):
        return
    names = {*importlib.import_module(package).__all__} - {"__version__"}
    names -= {name for name in names if package == "overbet" and hasattr(getattr(overbet, name), "__path__")}
    text = (REFERENCE / f"{package.rpartition('.')[2]}.md").read_text(encoding="utf-8")
    described = {*re.findall(rf"^::: {re.escape(package)}\.(\w+)$", text, re.MULTILINE)}
    mentioned = {*re.findall(r"`(\w+)`", text)}
    assert described <= names
    assert names <= described | mentioned


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_outside_the_site_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if not re.match(r"https?:", link)]
    assert "docs/security.md" in links
    assert not [link for link in links if not (ROOT / link).exists()]
