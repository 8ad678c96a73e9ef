"""`overbet cache` as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError
from overbet.interfaces.cli.app import build
from overbet.search.cache import SearchCache
from overbet.search.cache.disk import DiskTier
from tests.search.cache.test_search_cache import a_key, a_record


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))
    return tmp_path / "search-cache"


@pytest.fixture
def filled(folder: Path) -> Path:
    """A cache with five entries: one found in memory, one on disk, one not found."""
    with SearchCache(disk_bytes=4 << 20) as cache:
        for number in range(5):
            cache.put(a_key(number), a_record(number))
        assert cache.get(a_key(1)) is not None
        cache._memory.clear()
        assert cache.get(a_key(2)) is not None
        assert cache.get(a_key(9)) is None
    return folder


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(build(), ["cache", *words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def spoil(folder: Path, number: int) -> None:
    tier = DiskTier(folder, 4 << 20)
    data = bytearray(tier.get(a_key(number).data) or b"")
    data[60] ^= 1
    tier.put(a_key(number).data, bytes(data))
    tier.close()


def test_nothing_there(folder: Path) -> None:
    assert "no searches are kept yet in" in run("stats")
    assert json.loads(run("stats", "--json"))["disk_entries"] == 0
    assert "removed 0 entries" in run("clear")
    assert "0 entries, 0.0 MB: 0 damaged" in run("check")
    assert not folder.exists()  # looking makes nothing


def test_stats(filled: Path) -> None:
    text = run("stats")
    assert text.startswith(str(filled))
    assert "\n5 entries, 0.0 MB of 4.2 MB; the file takes 0.1 MB\n" in text
    assert "\nasked 3 times: 33.3% found in memory, 33.3% on disk, 33.3% not found\n" in text
    assert "\nstored 5, evicted 0, damaged 0, disk failures 0\n" in text
    facts = json.loads(run("stats", "--json"))
    assert facts["disk_entries"] == 5
    assert facts["disk_limit"] == 4 << 20
    assert facts["all_time"]["disk_hits"] == 1
    assert facts["all_time"]["hit_rate"] == pytest.approx(2 / 3)
    assert "process" not in facts  # this one asked nothing


def test_stats_of_a_cache_that_was_never_asked(folder: Path) -> None:
    with SearchCache(disk_bytes=4 << 20) as cache:
        cache.put(a_key(1), a_record(1))
    assert "\nnever asked\n" in run("stats")


def test_clear(filled: Path) -> None:
    assert json.loads(run("clear", "--json")) == {"folder": str(filled), "removed": 5}
    assert not (filled / "data.mdb").exists()
    assert "no searches are kept yet" in run("stats")


def test_clear_while_somebody_uses_it(filled: Path) -> None:
    with SearchCache(disk_bytes=4 << 20) as cache:
        assert cache.get(a_key(1)) is not None
        assert "removed 5 entries from" in run("clear")
        cache._memory.clear()
        assert cache.get(a_key(1)) is None
        cache.put(a_key(1), a_record(1))
        assert cache.statistics().disk_entries == 1
    assert (filled / "data.mdb").exists()


def test_check(filled: Path) -> None:
    assert "5 entries" in run("check")
    spoil(filled, 2)
    spoil(filled, 3)
    assert "5 entries, 0.0 MB: 2 damaged\n`overbet cache check --repair`" in run("check", code=1)
    facts = json.loads(run("check", "--repair", "--json"))
    assert (facts["entries"], facts["damaged"], facts["removed"]) == (5, 2, 2)
    assert "3 entries, 0.0 MB: 0 damaged" in run("check")
    assert json.loads(run("stats", "--json"))["all_time"]["damaged"] == 2


def test_check_while_somebody_uses_it(filled: Path) -> None:
    with SearchCache(disk_bytes=4 << 20) as cache:
        assert cache.get(a_key(1)) is not None
        assert "0 damaged\nthe cache is in use: the structure of its file was not checked" in run("check")


def test_files_that_are_no_cache(filled: Path) -> None:
    (filled / "data.mdb").write_bytes(b"no database" * 5000)
    with pytest.raises(ArtefactError, match=r"is damaged .*; `overbet cache clear` removes it$"):
        run("stats")
    text = run("check", code=1)
    assert text.startswith("the file is damaged: ")
    assert text.endswith("`overbet cache check --repair` removes it\n")
    assert "removed the damaged search cache" in run("clear")
    assert "no searches are kept yet" in run("stats")


def test_a_damaged_structure_is_found_and_removed(filled: Path) -> None:
    """A page of the file's own tree is cleared, which LMDB may not survive."""
    file = filled / "data.mdb"
    content = bytearray(file.read_bytes())
    leaf = content.index(b"entries") // 4096 * 4096
    content[leaf + 16 : leaf + 4096] = bytes(4080)
    file.write_bytes(content)
    assert json.loads(run("check", "--json", code=1))["fault"]
    assert run("check", "--repair").endswith("removed it\n")
    assert "no searches are kept yet" in run("stats")


def test_flops_are_searched_once(tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text("Td9d6h\nKs7h2c\n")
    agent = "search:heads-up,streets=[flop,turn,river],flop.iterations=2,flop.drawn=1,threads=1"
    words = ("warm", "--flops", str(boards), "--line", "r:0:b200:c", "--agent", agent, "--json")
    assert json.loads(run(*words)) == {"searched": 2, "known": 0}
    assert json.loads(run(*words)) == {"searched": 0, "known": 2}


def test_an_agent_that_does_not_search_the_flop_cannot_warm() -> None:
    with pytest.raises(ConfigError, match="it does not search the flop"):
        run("warm", "--agent", "search:heads-up,streets=[river]")
