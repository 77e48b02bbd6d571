"""Tables with a column of passwords: what stands below the name, row by row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aish.core.secrets.found import Found
from aish.core.secrets.linked import is_sure_key
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import is_password, is_said_of_one, is_weak_password

_MOST_ROWS = 200
_FEW = 3  # words of a comment that name no columns, with its sign
_LONGEST_ROW = 2000  # characters
_BETWEEN = (re.compile(r"[|│┃]"), re.compile(r"\t"), re.compile(r","), re.compile(r";"))
_LISTS = _BETWEEN[1:]  # where the edges are cells too
_COPY = re.compile(r"COPY [\w.\"]{1,100} \((?P<names>[^()]{1,400})\) FROM stdin;")  # of PostgreSQL
_BLANK = re.compile(r"[ \t]+")
_WIDE = re.compile(r"[ ]{2,}")
_TYPE = re.compile(r"(?i)\b(?:n?varchar|character varying|bigint|integer|timestamp|boolean|text\b)")
_RULE = re.compile(r"[\s|│┃+:=─┼-]*$")


def below(text: str, at: int) -> Iterator[Found]:
    """The passwords below the name at this place, if its line is the head of a table."""
    return _column(text, at, _is_value)


def keys_below(text: str, at: int) -> Iterator[Found]:
    """The keys and tokens below it."""
    return _column(text, at, is_sure_key)


def _column(text: str, at: int, judge: Callable[[str], bool]) -> Iterator[Found]:
    begin = text.rfind("\n", max(0, at - 300), at) + 1
    end = text.find("\n", at, at + 300)
    if end < 0 or at - begin > _LONGEST_ROW:
        return
    head = text[begin:end]
    between = next((one for one in _BETWEEN if one.search(head)), _WIDE)
    if head.startswith("#"):  # chap-secrets: the names of the columns in a comment
        if text.startswith("#", end + 1) or len(head.split()) <= _FEW:
            return
        between, begin, head = _BLANK, begin + 2, head[2:]
    rows_between = between
    if dump := _COPY.match(head):
        begin, head, rows_between = begin + dump.start("names"), dump["names"], _BETWEEN[1]
    cells = _cells(head, 0, between)
    column = next((n for n, (a, b) in enumerate(cells) if a <= at - begin < b), -1)
    names = [head[a:b] for a, b in cells]
    if len(list(filter(None, names))) < 2 or not all(map(_is_name, names)):
        return
    if _TYPE.search(head):
        return  # the columns of another table
    for start, stop in _rows(text, end + 1):
        row = _cells(text[start:stop], start, rows_between)
        if len(row) != len(cells):
            return
        a, b = row[column]
        if is_said_of_one(text[a:b]):
            return  # another head
        if judge(text[a:b]):
            yield a, b, "column"


def _rows(text: str, at: int) -> Iterator[tuple[int, int]]:
    for _ in range(_MOST_ROWS):
        end = text.find("\n", at, at + _LONGEST_ROW)
        end = len(text) if end < 0 else end
        if end - at > _LONGEST_ROW or not text[at:end].strip():
            return
        if not _RULE.match(text, at, end):
            yield at, end
        at = end + 1


def _cells(line: str, offset: int, between: re.Pattern[str]) -> list[tuple[int, int]]:
    """Where the cells of a line stand, without blanks and quotes; empty edges are no cells."""
    cells, place = [], 0
    ends = [found.span() for found in between.finditer(line)]
    for start, stop in [*ends, (len(line), len(line))]:
        raw = line[place:start]
        inner = raw.strip(" \t\r\"'")
        lead = raw.find(inner) if inner else 0
        if inner or (place > 0 and start < len(line)) or between in _LISTS:
            cells.append((offset + place + lead, offset + place + lead + len(inner)))
        place = stop
    return cells


def _is_name(cell: str) -> bool:
    return re.fullmatch(r"[^\W\d_][\w .()/-]{0,30}|#|", cell) is not None


def _is_value(cell: str) -> bool:
    if len(cell) < 4 or is_reference(cell) or cell[-1] == ":":
        return False
    return is_password(cell, quoted=False) or is_weak_password(cell)
