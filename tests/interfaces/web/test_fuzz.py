"""Fuzzing the API from its own OpenAPI document: no request, however made, is a server error.

Half of the requests name things that exist (the example solve, a table, a blueprint) and carry a spot that
can be solved, with single values spoilt; so they get beyond the first check.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from tests.interfaces.web.server import COMPILATION, TURN, Server

LINES = ["r:0", "r:0:c", "r:0:b73", "r:0:c:c", "r:0:c:c:Ah", "r:0:c:b165:c:2c", "r:0:b73:f", "r:0:c:c:Kd"]
EXAMPLES = 8  # a request each


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("fuzzed")
    (data / "runs" / "one").mkdir(parents=True)
    (data / "runs" / "one" / "config.yaml").write_text("name: one\n")
    (data / "runs" / "one" / "metrics.csv").write_text("iterations,seconds\n1,2\n")
    found = Server(data)
    yield found
    assert found.stop() == 0


@pytest.fixture(scope="module")
def api(fuzzed: Server) -> Any:
    """The document, with cases that name what exists."""
    import schemathesis  # not above: every worker of the suite would load it, for this one test

    found = schemathesis.openapi.from_url(f"{fuzzed.address}/api/openapi.json")
    table = fuzzed.post("/play/tables", {"opponent": "tag", "seed": 1})["id"]
    fuzzed.post(f"/play/tables/{table}/deal")

    batch = fuzzed.post("/batches", {"spot": {**TURN, "board": "Td9d6h"}, "flops": ["Td9d6h"]})["id"]
    fuzzed.post(f"/batches/{batch}/cancel")
    question = fuzzed.post("/drill/questions", {"solve": "example"})["question"]
    there = {
        "play": table,
        "blueprints": "shipped-heads-up",
        "batches": batch,
        "runs": "one",
        "drill": question,
    }

    def known(path: str) -> str:
        return str(there.get(path.split("/")[2], "example"))

    @found.hook
    def map_path_parameters(context: Any, path_parameters: Any) -> Any:
        if path_parameters and "id" in path_parameters and len(str(path_parameters["id"])) % 2:
            path_parameters["id"] = known(context.operation.path)
        return path_parameters

    @found.hook
    def map_query(context: Any, query: Any) -> Any:
        if query and "line" in query and len(str(query["line"])) % 3:
            query["line"] = LINES[len(str(query["line"])) % len(LINES)]
        return query

    @found.hook
    def map_body(context: Any, body: Any) -> Any:
        if isinstance(body, dict):
            if context.operation.path.endswith("/preview") and len(body) % 2:
                return {**TURN, **dict(list(body.items())[-1:])}
            if isinstance(body.get("spot"), dict):
                body["spot"] = {**TURN, **dict(list(body["spot"].items())[-1:])}
                body["spot"]["solve"] = {"iterations": 10, "device": "cpu"}
            if "action" in body:
                body["action"] = (
                    min(body["action"], 300) if isinstance(body["action"], int) else body["action"]
                )
        return body

    return found


def test_no_request_is_a_server_error(api: Any, fuzzed: Server) -> None:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

    checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
    how = hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    seen, paths = 0, set()
    for found in api.get_all_operations():
        operation = found.ok()

        @how
        @hypothesis.given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            nonlocal seen
            paths.add((case.method.lower(), case.operation.path))
            if case.operation.path.endswith("/{id}") and case.method == "DELETE":
                case.path_parameters["id"] = "nothing"  # what there is is needed by the others
            if case.operation.path.endswith("/events"):
                case.path_parameters["id"] = "nothing"  # a stream of what is there does not end
            answer = case.call(timeout=COMPILATION)
            case.validate_response(answer, checks=checks)
            seen += 1

        ask()
        assert fuzzed.process.poll() is None
    assert seen > 300
    document = fuzzed.client.get("/api/openapi.json").json()
    assert paths == {(method, path) for path, methods in document["paths"].items() for method in methods}
