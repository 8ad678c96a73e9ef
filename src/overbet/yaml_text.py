"""YAML from anywhere, read within bounds: a few lines of text must not become gigabytes of values.

Length, depth and the number of values are limited. Aliases (`*name`) are allowed and counted as often as
they are written out, and one inside the very value it names is refused. Only plain values come out: no tag
makes an object. Every fault is one line with its place.
"""

from __future__ import annotations

from typing import Any

import yaml

from overbet.errors import ConfigError

MOST_BYTES = 1 << 20
MOST_VALUES = 50_000
MOST_DEPTH = 50
_MOST_BITS = 1000  # of a whole number: below what a float can hold
_LONGEST_NUMBER = 400  # letters of a number
_LONGEST_FAULT = 200  # letters of what the YAML library says


def parse_yaml(
    text: str, source: str, *, most_bytes: int = MOST_BYTES, most_values: int = MOST_VALUES
) -> Any:
    """Return the value of a YAML text, None for an empty one; `source` begins every error."""
    if len(text) > most_bytes or len(text.encode("utf-8", "surrogatepass")) > most_bytes:
        raise ConfigError(f"{source}: longer than {most_bytes:,} bytes; this is no config")
    try:
        loader = _Loader(text, most_values)
        try:
            return loader.get_single_data()
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
        raise ConfigError(_fault(source, "a letter that YAML does not allow", line, column)) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "not YAML"
        raise ConfigError(
            _fault(source, problem, mark.line, mark.column) if mark else f"{source}: {problem}"
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{source}: not YAML") from error


def _fault(source: str, problem: str, line: int, column: int) -> str:
    words = " ".join(str(problem).split())
    words = words if len(words) <= _LONGEST_FAULT else f"{words[:_LONGEST_FAULT]}..."
    return f"{source}: {words} at line {line + 1}, column {column + 1}"


class _Loader(yaml.SafeLoader):
    """Python's safe loader, which counts what it makes.

    _count: values so far, those behind aliases included. _sizes: values of every finished anchor.
    """

    def __init__(self, text: str, most_values: int) -> None:
        super().__init__(text)
        self._most, self._count, self._depth = most_values, 0, 0
        self._sizes: dict[str, int] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Return the next node, unless it is too deep, one too many, or within itself."""
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        before = self._count
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in self.anchors and event.anchor not in self._sizes:
                _refuse(f"*{event.anchor} stands inside the value it names", event)
            self._count += self._sizes.get(str(event.anchor), 1)
        else:
            self._count += 1
        if self._count > self._most:
            _refuse(f"more than {self._most:,} values", event)
        if self._depth >= MOST_DEPTH:
            _refuse(f"more than {MOST_DEPTH} levels deep", event)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        if not isinstance(event, yaml.AliasEvent) and event.anchor is not None:
            self._sizes[event.anchor] = self._count - before
        return node

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Return the value of a node; what the library trips over is a fault at its place."""
        number = node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
        if number and len(str(node.value)) > _LONGEST_NUMBER:
            _refuse("a number that is too long", node)
        try:
            value = super().construct_object(node, deep)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            kind = str(node.tag).rpartition(":")[2]
            raise yaml.constructor.ConstructorError(
                None, None, f"not a value of the kind {kind!r}", node.start_mark
            ) from error
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            _refuse("a number that is too large", node)
        return value


def _refuse(problem: str, place: Any) -> None:
    raise yaml.constructor.ConstructorError(None, None, problem, place.start_mark)
