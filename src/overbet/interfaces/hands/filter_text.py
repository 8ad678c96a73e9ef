"""The filter of hands: a small language of words and comparisons, made into a condition of SQL.

    pos=BTN and 3bet and flop=monotone
    (open or 3bet) and not showdown and depth<=40 and won>10
    hand=22+,AKs and date>=2024-01-31 and site=winamax

`not` binds closer than `and`, `and` closer than `or`. Nothing of the text goes into the SQL itself: values
are handed over beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from overbet.errors import OverbetError, nearest, quoted
from overbet.interfaces.hands.filter_fields import FIELDS, WORDS, FieldError

ANY = "*"  # whose seat: everybody's
_TOKEN = re.compile(
    r"\s*(?:(?P<mark>[()])|(?P<op><=|>=|!=|==|[=<>])|\"(?P<text>[^\"]*)\"|(?P<word>[^\s()<>=!\"]+))"
)
_JOINS = ("and", "or", "not")
_MOST = 2_000  # characters
_DEEPEST = 40  # brackets and nots inside one another


class FilterError(OverbetError, ValueError):
    """A filter that cannot be read; the message points at the place and says what is possible.

    fault: what is wrong, in words that begin with what stands there. place, length: of that, in letters.
    """

    def __init__(self, message: str, fault: str = "", place: int = 0, length: int = 0) -> None:
        super().__init__(message)
        self.fault, self.place, self.length = fault or message, place, length


@dataclass(frozen=True, slots=True)
class HandFilter:
    """A condition on the rows of seats joined with hands, and the values of its question marks."""

    sql: str
    values: tuple[object, ...]

    def also(self, other: tuple[str, tuple[object, ...]]) -> HandFilter:
        """Return both conditions together."""
        return HandFilter(f"({self.sql}) AND ({other[0]})", (*self.values, *other[1]))


class _Token(NamedTuple):
    kind: str  # mark, op, text, word, end
    text: str
    place: int


def compiled(text: str) -> HandFilter:
    """Return the condition of a filter; an empty one lets everything through."""
    if not text.strip():
        return HandFilter("1", ())
    if len(text) > _MOST:
        raise FilterError(f"filter: {len(text):,} characters are too many; {_MOST:,} is the most")
    return _Parser(text).whole()


class _Parser:
    """Reads one filter from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._cut(text)
        self._at = 0
        self._values: list[object] = []
        self._depth = 0

    def whole(self) -> HandFilter:
        sql = self._or()
        if self._now.kind != "end":
            raise self._error(self._now, "does not follow; join conditions with and, or")
        return HandFilter(sql, tuple(self._values))

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _cut(self, text: str) -> list[_Token]:
        tokens, place = list[_Token](), 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None or match.lastgroup is None:
                rest = len(text) - len(text[place:].lstrip())
                raise self._error(
                    _Token("word", text[rest : rest + 1], rest), "is not closed or not known here"
                )
            kind = str(match.lastgroup)
            tokens.append(_Token(kind, match[kind], match.start(kind)))
            place = match.end()
        return [*tokens, _Token("end", "", len(text))]

    def _error(self, token: _Token, fault: str) -> FilterError:
        where = f"{quoted(token.text)} at position {token.place + 1}" if token.text else "the end"
        told = f"{quoted(token.text) if token.text else 'the end'} {fault}"
        message = f"filter: {where} in {quoted(self._text, 120)} {fault}"
        return FilterError(message, told, token.place, len(token.text))

    def _is(self, word: str) -> bool:
        return self._now.kind == "word" and self._now.text.lower() == word

    def _or(self) -> str:
        parts = [self._and()]
        while self._is("or"):
            self._at += 1
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else "(" + " OR ".join(parts) + ")"

    def _and(self) -> str:
        parts = [self._not()]
        while self._is("and"):
            self._at += 1
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else "(" + " AND ".join(parts) + ")"

    def _not(self) -> str:
        token = self._now
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(token, f"is inside of more than {_DEEPEST} others; write it flatter")
        if self._is("not"):
            self._at += 1
            sql = f"NOT {self._not()}"
        elif token.kind == "mark" and token.text == "(":
            self._at += 1
            sql = self._or()
            if (self._now.kind, self._now.text) != ("mark", ")"):
                raise self._error(
                    self._now, f"stands where the bracket of position {token.place + 1} is not closed yet"
                )
            self._at += 1
        else:
            sql = self._term()
        self._depth -= 1
        return sql

    def _term(self) -> str:
        """Read a word, or a field with its comparison."""
        token = self._now
        name = token.text.lower()
        if token.kind != "word" or name in _JOINS:
            raise self._error(token, "stands where a condition should; such as 3bet, pos=BTN or won>10")
        self._at += 1
        if self._now.kind == "op":
            return self._comparison(token, name)
        if name in WORDS:
            return self._sql(*WORDS[name])
        if name in FIELDS:
            raise self._error(token, f"needs a comparison; {FIELDS[name].example}")
        known = (*WORDS, *FIELDS)
        raise self._error(
            token,
            f"is not known{nearest(name, known)}; words: {', '.join(WORDS)}; fields: {', '.join(FIELDS)}",
        )

    def _comparison(self, token: _Token, name: str) -> str:
        field = FIELDS.get(name)
        if field is None:
            what = "is a word and is not compared" if name in WORDS else "is not a field"
            raise self._error(token, f"{what}{nearest(name, FIELDS)}; fields: {', '.join(FIELDS)}")
        sign, value = self._now, self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        op = "=" if sign.text == "==" else sign.text
        if op not in field.signs:
            raise self._error(sign, f"does not go with {name}; {field.example}")
        if value.kind not in ("word", "text"):
            raise self._error(value, f"stands where a value of {name} should; {field.example}")
        self._at += 2
        try:
            return self._sql(*field.condition(op, value.text))
        except FieldError as error:
            raise self._error(value, str(error)) from error

    def _sql(self, sql: str, values: tuple[object, ...] = ()) -> str:
        self._values.extend(values)
        return f"ifnull({sql}, 0)"  # what a hand does not have is not so: `not` is its opposite
