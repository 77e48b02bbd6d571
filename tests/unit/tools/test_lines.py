"""Messages that are too long: in bounds, readable in a file, and answered all the same."""

from __future__ import annotations

import json

import mcp_types as types
import pytest

from aish.tools.lines import LineSplitter, TooLong, unescaped
from aish.tools.oversize import has_failed, stand_in

TEXT = 'one\n\ttwo "three" \\n four \N{GRINNING FACE} caf\u00e9 \x1b ' + "word " * 200 + "end"


class Page:
    """A file in memory."""

    def __init__(self) -> None:
        self.text = ""
        self.gone = False

    def write(self, text: str) -> None:
        self.text += text

    def kept(self) -> str:
        return "/there"

    def drop(self) -> None:
        self.gone = True


def message(*, id_last: bool = False, ascii_only: bool = True, failed: bool = False) -> bytes:
    result = {"content": [{"type": "text", "text": TEXT}], "isError": failed}
    about = {"jsonrpc": "2.0", "id": 7}
    parts = {"result": result, **about} if id_last else {**about, "result": result}
    return json.dumps(parts, ensure_ascii=ascii_only).encode()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_a_long_message_is_readable_however_its_pieces_are_cut(size: int, ascii_only: bool) -> None:
    page, line = Page(), message(ascii_only=ascii_only) + b"\n"
    lines = LineSplitter(100, spill=lambda: page)
    found = [
        one for start in range(0, len(line), size) for one in lines.feed(line[start : start + size])
    ]
    (one,) = found
    assert isinstance(one, TooLong)
    assert (one.size, one.place) == (len(line) - 1, "/there")
    assert line.startswith(one.head)
    assert line[:-1].endswith(one.tail)
    assert TEXT in page.text
    assert list(lines.feed(b"short\n")) == [b"short"]


def test_what_is_no_result_of_a_tool_goes_to_no_file() -> None:
    lines = LineSplitter(100, spill=lambda: pytest.fail("opened"))
    for words in (b'{"method": "x", "params": {"content": ""}}', b'{"id": 1, "result": {"tools"'):
        (found,) = lines.feed(words + b"x" * 200 + b"\n")
        assert isinstance(found, TooLong)
        assert found.place == ""


def test_half_a_message_leaves_no_file() -> None:
    page = Page()
    lines = LineSplitter(100, spill=lambda: page)
    assert list(lines.feed(message())) == []
    lines.close()
    assert page.gone


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("id_last", [False, True])
def test_who_waits_for_it_gets_its_ends_and_its_place(id_last: bool, failed: bool) -> None:
    line = message(id_last=id_last, failed=failed)
    made = stand_in(TooLong(line[:500], line[-500:], len(line), "/there"))
    assert isinstance(made, types.JSONRPCResponse)
    result = types.CallToolResult.model_validate(made.result)
    assert (made.id, has_failed(result)) == (7, failed)
    (part,) = result.content
    assert isinstance(part, types.TextContent)
    assert "all of it is in /there" in part.text
    assert 'one\n\ttwo "three"' in part.text
    assert part.text.endswith("word end")


def test_without_a_place_it_is_an_error_and_without_an_id_nothing() -> None:
    line = message()
    made = stand_in(TooLong(line[:500], line[-500:], len(line)))
    assert isinstance(made, types.JSONRPCError)
    assert "ask for less" in made.error.message
    assert stand_in(TooLong(b'{"method"', b"}", 5_000)) is None


def test_escapes_are_what_they_stand_for() -> None:
    assert unescaped(json.dumps(TEXT)[1:-1]) == TEXT
    assert unescaped("\\ud83d alone") == "\N{REPLACEMENT CHARACTER} alone"
