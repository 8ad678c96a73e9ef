"""The shipped bundle is the one its checked sources give, small, and free of addresses of other machines.

`npm run verify` writes the stamp of the sources it has passed, and the build those of its sources and of the
bundle. Here the stamps are computed again from what is there; the checks and the build themselves take longer
and are run by `make page` and `make slow`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "frontend"
STATIC = ROOT / "src/overbet/interfaces/web/static"
SOURCES = (
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "src",
    "stamp.js",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
)
CHECKED = (
    *SOURCES,
    ".npmrc",
    ".prettierignore",
    ".prettierrc.json",
    "api",
    "checked.js",
    "eslint.config.js",
    "widget",
)
pytestmark = pytest.mark.skipif(not FRONTEND.is_dir(), reason="the front-end's sources are not here")
OLDEST_NODE = (20, 19)
UNREACHABLE = (
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "ENOTFOUND",
    "ENOTCACHED",
    "ETIMEDOUT",
)
FIRST_LOAD = 300_000  # bytes, compressed
ADVICE = "the shipped bundle is stale; run: npm --prefix frontend ci && npm --prefix frontend run build"


def stamp(root: Path, names: Iterable[str]) -> str:
    """Return the content stamp of files and folders, as frontend/stamp.js does."""
    files: list[str] = []
    for name in names:
        path = root / name
        found = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
        files += [p.relative_to(root).as_posix() for p in found if "__pycache__" not in p.parts]
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    return digest.hexdigest()


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_bundle_has_the_stamp_of_its_sources() -> None:
    told = dict(line.split() for line in (STATIC / "stamp.txt").read_text().splitlines())
    assert told["sources"] == stamp(FRONTEND, SOURCES), ADVICE
    assert told["bundle"] == stamp(STATIC, (p.name for p in STATIC.iterdir() if p.name != "stamp.txt")), (
        ADVICE
    )


def test_the_sources_are_those_that_were_checked() -> None:
    checked = (FRONTEND / "checked.txt").read_text().strip()
    assert checked == stamp(FRONTEND, CHECKED), "the page's sources are not checked; run: make page-check"


def test_every_file_of_the_page_is_in_the_stamp_of_the_checks() -> None:
    there = {p.name for p in FRONTEND.iterdir()} - {"node_modules"}
    assert there - set(CHECKED) == {".gitignore", "checked.txt"}


def installed() -> bool:
    """Whether the packages in node_modules are those of the lock file."""
    locked = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    for name in locked[""]["devDependencies"]:
        facts = FRONTEND / "node_modules" / name / "package.json"
        if (
            not facts.is_file()
            or json.loads(facts.read_text())["version"] != locked[f"node_modules/{name}"]["version"]
        ):
            return False
    return True


@pytest.fixture(scope="module")
def packages() -> None:
    """The front-end's packages, fetched where npm is present and they are not there yet."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed; the stamp has been compared")
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    if tuple(int(part) for part in node.removeprefix("v").split(".")[:2]) < OLDEST_NODE:
        pytest.skip(f"Node is {node}, the front-end needs 20.19 or newer; the stamp has been compared")
    if not installed():
        made = subprocess.run(["npm", "ci"], cwd=FRONTEND, capture_output=True, text=True)
        code = re.search(r"code (E\w+)", made.stderr)
        if code and code[1] in UNREACHABLE:
            pytest.skip(
                f"the registry of packages cannot be reached ({code[1]}); the stamp has been compared"
            )
        assert made.returncode == 0, made.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.usefixtures("packages")
def test_the_sources_pass_formatter_linter_and_type_checker() -> None:
    done = subprocess.run(["npm", "run", "verify"], cwd=FRONTEND, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


@pytest.mark.slow
@pytest.mark.usefixtures("packages")
def test_building_again_gives_the_same_bundle(tmp_path: Path) -> None:
    bundle = tmp_path / "static"
    done = subprocess.run(
        ["npm", "run", "build"],
        cwd=FRONTEND,
        capture_output=True,
        text=True,
        env={**os.environ, "OVERBET_BUNDLE": str(bundle)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert contents(bundle) == contents(STATIC), ADVICE


def test_the_first_load_is_small() -> None:
    size = sum(len(gzip.compress(data)) for name, data in contents(STATIC).items() if name != "stamp.txt")
    assert size < FIRST_LOAD  # all views together; the first page needs two of them


def test_no_asset_comes_from_the_network() -> None:
    page = (STATIC / "index.html").read_text()
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert "<style" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    known = ("http://www.w3.org/", "https://svelte.dev/e/")  # names of namespaces and texts of errors
    for name, data in contents(STATIC).items():
        for found in re.findall(rb"https?://[\w./-]+", data):
            assert found.decode().startswith(known), f"{name} names {found.decode()}"


def test_the_lock_file_names_no_registry() -> None:
    lock = (FRONTEND / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert '"integrity"' in lock


def test_the_lock_file_holds_every_package_of_every_platform() -> None:
    """`npm ci` refuses a lock file that lacks a package, be it of another platform than this one."""
    packages = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    named = {
        name
        for facts in packages.values()
        for kind in ("dependencies", "optionalDependencies", "devDependencies")
        for name in facts.get(kind, {})
    }
    held = {path.rpartition("node_modules/")[2] for path in packages}
    assert named <= held, sorted(named - held)
