"""The MCP server as a client sees it: the SDK's own client over stdio, and garbage on standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from overbet.errors import ConfigError
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.importing import import_hands
from overbet.interfaces.mcp.limits import ToolLimits
from tests.event_loops import run_apart
from tests.fuzz.samples import HAND

pytest.importorskip("mcp")

RIVER = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 200,
    "oop": "AA,KK,TT,AKs,QJs,98s",
    "ip": "KQs,KJs,JJ,AsQs,T9s",
    "bet": "75%, a",
    "raises": "a",
    "target": 0.3,
    "seconds": 30,
}
READING = ["equity", "ranges", "solve", "show", "advise", "hands"]


def talk(arguments: list[str], calls: list[tuple[str, dict[str, Any]]]) -> tuple[list[Any], list[Any]]:
    """Start the server, list its tools and call some; return the tools and (failed, answer) of every call."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def session() -> tuple[list[Any], list[Any]]:
        start = StdioServerParameters(
            command=sys.executable, args=["-m", "overbet", "mcp", *arguments], env=dict(os.environ)
        )
        async with Client(stdio_client(start)) as client:
            tools = (await client.list_tools()).tools
            answers = []
            for name, given in calls:
                result = await client.call_tool(name, given)
                text = result.content[0].text  # type: ignore[union-attr]
                answers.append((result.is_error, text if result.is_error else json.loads(text)))
            return tools, answers

    return run_apart(session)


def test_a_client_uses_every_tool(tmp_path: Path) -> None:
    folder, data = tmp_path / "solutions", tmp_path / "data"
    folder.mkdir()
    histories = tmp_path / "hand.phh"
    histories.write_text(HAND)
    with HandDatabase(data) as database:
        import_hands(database, [histories], workers=1)
    told = [
        ("equity", {"hands": ["AhKh", "QsQd"]}),
        ("ranges", {"text": "AA,KQs:0.5", "board": "Ah7d2c"}),
        ("solve", {**RIVER, "classes": True, "hands": "AKs"}),
        ("show", {}),
        ("show", {"solution": "s1", "line": "r:0:c", "player": "ip", "classes": True}),
        ("hands", {"do": "list"}),
        ("hands", {"do": "show", "hand": "1"}),
        ("hands", {"do": "words"}),
        ("ranges", {}),
        ("save", {"solution": "s1", "file": "river.h5"}),
        ("show", {"solution": "river.h5"}),
        ("save", {"solution": "s1", "file": "river.h5"}),
    ]
    tools, answers = talk(["--folder", str(folder), "--data", str(data), "--allow-save"], told)
    assert [tool.name for tool in tools] == [*READING, "save"]
    assert [tool.annotations.read_only_hint for tool in tools] == [True] * 6 + [False]
    for tool in tools:
        assert tool.description
        assert tool.input_schema["type"] == "object"
        assert all("description" in field for field in tool.input_schema["properties"].values())
    assert [failed for failed, _ in answers] == [False] * 11 + [True]
    equity, held, solved, names, shown, listed, hand, words, library, saved, opened, again = (
        answer for _, answer in answers
    )
    assert equity["players"][0]["equity"] == pytest.approx(0.46214, abs=1e-5)
    assert held["classes"] == {"AA": 0.5, "KQs": 0.5}
    assert solved["solution"] == "s1"
    assert solved["target_reached"]
    node = solved["node"]
    assert sum(action["frequency"] for action in node["actions"]) == pytest.approx(1.0)
    assert {row["hand"] for row in node["hands"]} == {"AhKh", "AdKd", "AcKc"}
    assert sum(node["classes"]["AKs"]["plays"].values()) == pytest.approx(1.0, abs=1e-3)
    assert names["solutions"] == ["s1"]
    assert shown["node"]["line"] == "r:0:c"
    assert shown["node"]["shown_player"] == "ip"
    assert set(shown["node"]["classes"]) >= {"JJ", "T9s"}
    assert listed["rows"] >= 1
    assert "actions" in hand["phh"]
    assert "3bet" in words["words"]
    assert library["ranges"] == 0
    assert saved["saved"] == "river.h5"
    assert (folder / "river.h5").is_file()
    assert opened["node"]["board"] == "KsTh7s4d2c"
    assert "already" in again


def test_every_error_is_one_clear_line(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("equity", {"hands": ["AhKh"]}, "equity: hands: List should have at least 2 items"),
        ("equity", {"hands": ["AhKh", "XX"]}, "'XX'"),
        ("ranges", {"text": "AA", "name": "x"}, "either text or name"),
        ("ranges", {"name": "../../etc/passwd"}, "name"),
        ("solve", {"board": "x"}, "solve: pot: Field required"),
        ("solve", {**RIVER, "board": "Ks"}, "board"),
        ("solve", {**RIVER, "oop": "AhKh", "ip": "AhKh"}, ""),
        ("solve", {**RIVER, "bets": {"every": {"bet": "banana"}}}, "banana"),
        ("solve", {**RIVER, "line": "r:0:b9999"}, "r:0"),
        ("solve", {**RIVER, "board": "KsTh7s", "oop": "random", "ip": "random"}, "are free"),
        ("show", {"solution": "s9"}, "there is no solution 's9'"),
        ("show", {"solution": "../secret.h5"}, "not the name of a file in the server's folder"),
        ("show", {"solution": str(tmp_path / "x.h5")}, "not the name of a file"),
        ("show", {"solution": "missing.h5"}, "missing.h5"),
        ("advise", {"line": "r:0:zz", "hand": "AhKh"}, "zz"),
        ("hands", {}, "no hand was imported yet"),
        ("hands", {"do": "delete"}, "hands: do: Input should be"),
        ("save", {"solution": "s1", "file": "x.h5"}, "Unknown tool: save"),
        ("\ud7ff\u2028x", {}, "Unknown tool"),
    ]
    data = tmp_path / "data"
    tools, answers = talk(
        ["--folder", str(tmp_path), "--data", str(data), "--memory", "64"],
        [(name, given) for name, given, _ in calls],
    )
    assert [tool.name for tool in tools] == READING
    for (name, given, told), (failed, text) in zip(calls, answers, strict=True):
        assert failed, (name, given, text)
        assert len(text.splitlines()) == 1, text
        assert told in text
        assert "Traceback" not in text
    assert not data.exists()  # reading made no empty database


GARBAGE = (
    b"",
    b"hello\n",
    b"\xff\xfe\x00\x80\n",
    b"{\n}\n",
    b"[]\n",
    b"null\n",
    b'{"jsonrpc": "2.0"}\n',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "solve"}}\n',
    b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": 7}\n',
    b'{"jsonrpc": "1.0", "id": 2, "method": "initialize"}\n',
    b"[" * 100_000 + b"\n",
    b'{"a": ' * 20_000 + b"\n",
    b'"' + b"x" * 3_000_000 + b'"\n',
    b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"\\ud800":1}}\n',
)


def test_garbage_on_standard_input_is_answered_or_dropped(tmp_path: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 99,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    sent = b"".join(GARBAGE) + json.dumps(hello).encode() + b"\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "overbet", "mcp", "--folder", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(sent)
    process.stdin.flush()
    for line in process.stdout:  # every line of its is the protocol
        answer = json.loads(line)
        assert answer["jsonrpc"] == "2.0"
        if answer.get("id") == 99:
            break
    assert answer["result"]["serverInfo"]["name"] == "overbet"
    _, said = process.communicate(b"\x00\x01 and more \xff\n", timeout=120)
    assert process.returncode == 0
    assert b"Traceback" not in said


def test_what_the_command_refuses(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "overbet", "mcp", "--folder", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "is not a folder" in done.stderr
    assert done.stdout == ""


def test_without_the_sdk_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overbet.interfaces.mcp.server import study_server

    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(ConfigError, match=r"pip install 'overbet\[mcp\]'"):
        study_server(ToolLimits(folder=tmp_path))
