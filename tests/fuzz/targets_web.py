"""The page's target: requests made from its own OpenAPI document, and a data folder with spoilt files in it.

The app is asked directly, without a socket; no answer may be a server error, and every error is one line.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.fuzz.grammar import mutated_text, mutated_value, nested, odd_text, odd_value
from tests.fuzz.samples import RIVER, TURN, made, write_ledger
from tests.fuzz.target import Target, WrongError, wrong_message
from tests.fuzz.targets_text import odd_line, odd_range

_HEADERS = {"host": "127.0.0.1", "content-type": "application/json"}
_ENOUGH_CHUNKS = 3  # of an answer without end


class _EnoughError(Exception):
    """Ends an answer that would go on for ever."""


class Page:
    """The app of a data folder, asked without a socket."""

    def __init__(self, data: Path) -> None:
        from overbet.interfaces.web.app import create_app
        from overbet.interfaces.web.limits import Settings

        self.app = create_app(Settings(data, example=False))
        self.state: Any = self.app.state.overbet
        for queue in (self.state.jobs, self.state.hand_jobs, self.state.reviews):
            queue._advance = lambda: None  # the queues are not what is fuzzed: nothing is solved
        self.loop = asyncio.new_event_loop()
        self.thread = ThreadPoolExecutor(1)  # this one may have a running loop of a browser's test

    def ask(
        self, method: str, path: str, query: str = "", body: bytes = b"", **headers: str
    ) -> tuple[int, bytes]:
        """Return status and body of an answer; an error that the app raised is raised here."""
        sent: list[MutableMapping[str, Any]] = []
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if waiting:
                return waiting.pop()
            await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)
            if len(sent) > _ENOUGH_CHUNKS and b"event-stream" in dict(sent[0]["headers"]).get(
                b"content-type", b""
            ):
                raise _EnoughError

        named = {**_HEADERS, **headers, "content-length": str(len(body))}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path, errors="replace").encode(),
            "query_string": query.encode("utf-8", "replace"),
            "headers": [(k.encode(), v.encode("utf-8", "replace")) for k, v in named.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "root_path": "",
        }

        async def whole() -> None:
            answering = asyncio.ensure_future(self.app(scope, receive, send))
            try:
                await asyncio.wait_for(answering, 3.0 if path.endswith("/events") else None)
            except (_EnoughError, TimeoutError):
                pass
            except BaseExceptionGroup as group:  # a stream is answered by a group of tasks
                if group.split(_EnoughError)[1] is not None:
                    raise

        self.thread.submit(self.loop.run_until_complete, whole()).result()
        content = b"".join(message.get("body", b"") for message in sent[1:])
        return (sent[0]["status"] if sent else 0), content


def check_answer(status: int, content: bytes) -> None:
    """Raise unless an answer is one that the page may get."""
    if status >= 500:
        raise WrongError(f"status {status}: {content[:200]!r}")
    if status >= 400:
        said = json.loads(content)
        if set(said) != {"error", "where"}:
            raise WrongError(f"status {status} without error and where: {content[:200]!r}")
        if wrong := wrong_message(said["error"]):
            raise WrongError(wrong)


class RouteTarget(Target):
    """Every route of the OpenAPI document."""

    name = "web-routes"
    limit_s = 90.0

    def prepare(self, folder: Path) -> None:
        """Open a page with a solve, a table, a run and a ledger, and ask every route once for what exists."""
        data, samples = folder / "data", folder.parent / "samples"
        shutil.rmtree(data, ignore_errors=True)
        self.page = Page(data)
        solved = made("solution-whole-turn", samples)[1]
        shutil.copytree(made("blueprint", samples)[1].parent, data / "runs" / "mine")
        write_ledger(data)
        upload = {"content-type": "application/octet-stream"}
        status, said = self.page.ask("POST", "/api/solves/upload", body=solved.read_bytes(), **upload)
        assert status == 201, said
        self.solve = json.loads(said)["id"]
        status, said = self.page.ask("POST", "/api/play/tables", body=b'{"opponent": "tag", "seed": 1}')
        assert status in (200, 201), said
        self.table = json.loads(said)["id"]
        self.page.ask("POST", f"/api/play/tables/{self.table}/deal", body=b"{}")
        self.document: dict[str, Any] = json.loads(self.page.ask("GET", "/api/openapi.json")[1])
        self.routes = [
            (method.upper(), path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        ]
        assert len(self.routes) > 30
        for status_of in (
            f"/api/solves/{self.solve}/node",
            "/api/runs/mine",
            "/api/ledger",
            "/api/blueprints",
        ):
            status, said = self.page.ask("GET", status_of, "line=r:0")
            assert status == 200, (status_of, said)

    def make(self, rng: random.Random) -> dict[str, Any]:
        """Return a request: method, path, query, body and perhaps odd headers."""
        method, path, operation = rng.choice(self.routes)
        query = []
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", self._id(rng, path))
            elif rng.random() < (0.9 if parameter.get("required") else 0.5):
                value = self._query(rng, parameter["name"], parameter["schema"])
                query.append(f"{parameter['name']}={quote(value, errors='replace')}")
        given: dict[str, Any] = {"method": method, "path": path, "query": "&".join(query), "headers": {}}
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if schema is not None:
            how = rng.random()
            body = self._value(rng, schema, 5, operation["operationId"])
            text = json.dumps(body if how < 0.7 else mutated_value(rng, body))
            given["body"] = nested(rng) if how > 0.98 else mutated_text(rng, text) if how > 0.93 else text
        if rng.random() < 0.05:
            name = rng.choice(
                ("host", "origin", "content-type", "sec-fetch-site", "accept", "range", "if-none-match")
            )
            given["headers"] = {name: "".join(c for c in odd_text(rng)[:200] if c.isprintable())}
        if rng.random() < 0.05:
            given["path"] = mutated_text(rng, path)[:2000]
        return given

    def run(self, given: dict[str, Any]) -> None:
        """Send it."""
        body = given.get("body", "").encode("utf-8", "surrogatepass")
        path, method = given["path"], given["method"]
        if method == "DELETE" and self.solve in path:
            path = path.replace(self.solve, "gone")  # the others need it
        status, content = self.page.ask(method, path, given["query"], body, **given["headers"])
        if status:
            check_answer(status, content)
        for job in [*self.page.state.jobs.all("solve"), *self.page.state.jobs.all("batch")]:
            if job.id != self.solve:  # kept few: the queue has its own limit
                self.page.state.jobs._queue.clear()
                job.status = "stopped"
                self.page.state.jobs.delete(job)

    def _id(self, rng: random.Random, path: str) -> str:
        known = self.table if "/play/" in path else "mine" if "/runs/" in path else self.solve
        known = rng.choice(("shipped-heads-up", "shipped-expresso")) if "/blueprints/" in path else known
        return known if rng.random() < 0.85 else odd_text(rng)[:300]

    def _query(self, rng: random.Random, name: str, schema: dict[str, Any]) -> str:
        if name == "line" and rng.random() < 0.8:
            good = ("r:0", "r:0:c", "r:0:c:c", "r:0:c:c:Ah", "r:0:b45", "r:0:b45:c:2h")
            return rng.choice(good) if rng.random() < 0.7 else odd_line(rng)
        if rng.random() < 0.15:
            return odd_text(rng)[:3000]
        value = self._value(rng, schema, 2, name)
        return value if isinstance(value, str) else json.dumps(value)

    def _value(self, rng: random.Random, schema: dict[str, Any], depth: int, hint: str = "") -> Any:
        """Return a value of a JSON schema, odd ones now and then."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self._value(rng, self.document["components"]["schemas"][name], depth, name)
        if rng.random() < 0.06 or depth < 0:
            return odd_value(rng, 1)
        for union in ("anyOf", "oneOf", "allOf"):
            if union in schema:
                return self._value(rng, rng.choice(schema[union]), depth, hint)
        if "const" in schema or "enum" in schema:
            return rng.choice(schema.get("enum") or [schema["const"]])
        if hint == "spot" or {"board", "pot", "stacks"} <= set(schema.get("properties", ())):
            return mutated_value(rng, rng.choice((RIVER, TURN))) if rng.random() < 0.7 else dict(TURN)
        return self._plain(rng, schema, depth, hint)

    def _plain(self, rng: random.Random, schema: dict[str, Any], depth: int, hint: str) -> Any:
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            wanted = schema.get("required", ())
            return {
                name: self._value(rng, inner, depth - 1, name)
                for name, inner in schema.get("properties", {}).items()
                if name in wanted or rng.random() < 0.5
            }
        if kind == "array":
            inner = schema.get("items", {})
            count = rng.choice((0, 1, 2, 3, 60)) if depth > 1 else 1
            return [self._value(rng, inner, depth - 1, hint) for _ in range(count)]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", -5), schema.get("maximum", 500)
            return rng.choice((low, high, rng.randint(int(low), max(int(low), int(min(high, 10**6))))))
        if kind == "boolean":
            return rng.random() < 0.5
        if kind == "string":
            texts = {
                "range": odd_range(rng),
                "oop": odd_range(rng),
                "ip": odd_range(rng),
                "line": odd_line(rng),
            }
            texts |= {"board": "Td9d6h", "opponent": "tag", "hand": "AhKh", "id": self.solve}
            return texts.get(hint, rng.choice(("Td9d6h", "AA,KK", "tag", "r:0", "AhKh", odd_text(rng))))
        return odd_value(rng, 1)


class UploadTarget(Target):
    """Files uploaded to the page, mutated, and signed anew."""

    name = "web-upload"

    def prepare(self, folder: Path) -> None:
        """Take in a good file."""
        shutil.rmtree(folder / "data", ignore_errors=True)
        self.page = Page(folder / "data")
        self.good = made("solution", folder.parent / "samples")[1].read_bytes()
        self.run(self.good)

    def make(self, rng: random.Random) -> bytes:
        """Return a file."""
        from tests.fuzz.grammar import mutated_bytes
        from tests.fuzz.targets_files import signed

        found = mutated_bytes(rng, self.good)
        return signed(self.good, found) if rng.random() < 0.7 else found

    def run(self, given: bytes) -> None:
        """Send it."""
        kind = {"content-type": "application/octet-stream"}
        check_answer(*self.page.ask("POST", "/api/solves/upload", body=given, **kind))
        for job in self.page.state.jobs.all("solve"):
            self.page.state.jobs.delete(job)


class DataFolderTarget(Target):
    """A page opened on a data folder in which one file was spoilt."""

    name = "web-data-folder"
    limit_s = 60.0
    _LISTS = ("/api/solves", "/api/batches", "/api/runs", "/api/runs/mine", "/api/blueprints", "/api/ledger")
    _MORE = ("/api/play/tables", "/api/drill", "/api/drill/score", "/api/meta", "/api/library/run")
    _OWN = ("/api/ranges/library", "/api/ranges/library/export")

    def prepare(self, folder: Path) -> None:
        """Fill a folder with one of everything, and look at it."""
        self.good, self.work, samples = folder / "good", folder / "work", folder.parent / "samples"
        shutil.rmtree(self.good, ignore_errors=True)
        page = Page(self.good)
        upload = {"content-type": "application/octet-stream"}
        solved = made("solution-whole-turn", samples)[1].read_bytes()
        page.ask("POST", "/api/solves/upload", body=solved, **upload)
        page.ask("POST", "/api/solves", body=json.dumps({"name": "waits", "spot": RIVER}).encode())
        _, said = page.ask("POST", "/api/play/tables", body=b'{"opponent": "tag", "seed": 1}')
        page.ask("POST", f"/api/play/tables/{json.loads(said)['id']}/deal", body=b"{}")
        page.ask("PUT", "/api/library/run/mine", body=b'{"folder": "a/b", "tags": ["x"], "note": "y"}')
        page.ask("PUT", "/api/ranges/library", body=b'{"name": "BTN/opens", "text": "AA,KQs:0.5"}')
        shutil.copytree(made("blueprint", samples)[1].parent, self.good / "runs" / "mine")
        write_ledger(self.good)
        self.files = sorted(
            str(path.relative_to(self.good)) for path in self.good.rglob("*") if path.is_file()
        )
        assert sum(name.endswith("job.json") for name in self.files) == 2, self.files
        assert {"library.json", "ranges/BTN/opens.txt"} <= {*self.files}
        self.run([self.files[0], (self.good / self.files[0]).read_bytes().hex()])

    def make(self, rng: random.Random) -> list[str]:
        """Return a file of the folder and its new content as hexadecimal."""
        from tests.fuzz.grammar import mutated_bytes

        name = rng.choice(self.files)
        content = (self.good / name).read_bytes()
        if name.endswith((".json", ".yaml", ".csv")):
            how = rng.randrange(4)
            text = content.decode()
            if how == 0 and name.endswith(".json"):
                text = json.dumps(mutated_value(rng, json.loads(text)))
            elif how == 1:
                text = nested(rng) if rng.random() < 0.3 else "a: &a [*a, {b: *a}]\n" + text
            else:
                text = mutated_text(rng, text)
            return [name, text.encode("utf-8", "surrogatepass").hex()]
        return [name, mutated_bytes(rng, content).hex()]

    def run(self, given: list[str]) -> None:
        """Open the page and look at every list."""
        name, content = given
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.good, self.work)
        (self.work / name).write_bytes(bytes.fromhex(content))
        page = Page(self.work)
        for path in (*self._LISTS, *self._MORE, *self._OWN):
            check_answer(*page.ask("GET", path))
        for job in page.state.jobs.all("solve"):
            check_answer(*page.ask("GET", f"/api/solves/{job.id}"))
            check_answer(*page.ask("GET", f"/api/solves/{job.id}/node", "line=r:0"))
        page.loop.close()


def targets() -> list[Target]:
    """Return the targets of this file."""
    return [RouteTarget(), UploadTarget(), DataFolderTarget()]
