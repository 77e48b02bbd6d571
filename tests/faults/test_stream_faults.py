"""Thirty ways a stream goes wrong: one clear line each, nothing incomplete taken as done."""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from aish.broker.retry import Patience
from aish.core.errors import BrokerError, Empty, Garbled, Rejected, Timeout, Unreachable
from aish.core.messages import Usage
from support.asking import Asker, finish_of, request_for, text_of, usage_of
from support.scripted import (
    CHUNKED_HEADERS,
    PATIENCE,
    STREAM_HEADERS,
    Step,
    chunk,
    chunked,
    end_events,
    event,
    finish_event,
    plain,
    scripted_server,
    stream,
    text_event,
    usage_event,
)

ONCE = Patience(attempts=1)
RECORDED = (
    event({"id": "c1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]})
    + text_event("Zür")
    + text_event("ich ✓\nCMD: ls\n")
    + finish_event()
    + usage_event()
    + event("[DONE]")
)
FINISHED_AT = RECORDED.index(finish_event()) + len(finish_event().rstrip())  # the object is whole


def asked(*script: Step, idle: float = 5.0) -> tuple[str, str | None, Usage | None]:
    """The answer a script makes: its text, finish and usage."""
    with scripted_server(list(script)) as server:
        deltas = Asker(ONCE).ask(server.url, idle_timeout=idle)
    return text_of(deltas), finish_of(deltas), usage_of(deltas)


def failed(*script: Step, idle: float = 5.0) -> BrokerError:
    """The error a script makes; its line is fit for a terminal."""
    with scripted_server(list(script)) as server, pytest.raises(BrokerError) as caught:
        Asker(ONCE).ask(server.url, idle_timeout=idle)
    line = f"{caught.value.message}{caught.value.hint}"
    assert line.isprintable()
    assert len(line) < 500
    return caught.value


@pytest.mark.parametrize("framing", ["closed", "chunked", "length"])
def test_a_stream_cut_at_any_byte_is_never_a_finished_answer(framing: str) -> None:
    framings: dict[str, tuple[bytes, Callable[[bytes], bytes]]] = {
        "closed": (STREAM_HEADERS, bytes),
        "chunked": (CHUNKED_HEADERS, chunk),
        "length": (
            f"HTTP/1.1 200 OK\r\nContent-Length: {len(RECORDED)}\r\n\r\n".encode(),
            bytes,
        ),
    }
    head, wrap = framings[framing]
    scripts: list[list[Step]] = [
        [head, wrap(RECORDED[:cut]) if cut else b"", _hang_up] for cut in range(len(RECORDED))
    ]
    with scripted_server(*scripts) as server:
        asker = Asker(ONCE)
        for cut in range(len(RECORDED)):
            try:
                deltas = asker.ask(server.url)
            except BrokerError:
                assert cut < FINISHED_AT, cut
            else:
                assert cut >= FINISHED_AT, cut
                assert text_of(deltas) == "Zürich ✓\nCMD: ls\n"


def _hang_up() -> None:
    """The server dies here."""
    raise ConnectionError


def test_cut_headers() -> None:
    whole = STREAM_HEADERS
    for cut in range(0, len(whole) - 1, 7):
        assert isinstance(failed(whole[:cut], _hang_up), Garbled)


def test_not_http_at_all() -> None:
    assert isinstance(failed(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), Garbled)


def test_garbage_json() -> None:
    assert "broken JSON" in failed(STREAM_HEADERS, text_event("a"), event('{"choices": [')).message


def test_an_event_that_is_no_object() -> None:
    assert isinstance(failed(STREAM_HEADERS, event("[1, 2]")), Garbled)


def test_a_web_page_instead_of_an_answer() -> None:
    page = b"<html>" + b"x" * 5000
    script = plain(200, page, "Content-Type: text/html; charset=utf-8")
    assert "text/html" in failed(*script).message


def test_a_web_page_as_an_error() -> None:
    assert "(502)" in failed(*plain(502, b"<html>\x1b[2J bad gateway")).message


def test_an_eight_megabyte_line() -> None:
    big = "x" * (8 * 1024 * 1024)
    text, finish, _ = asked(STREAM_HEADERS, text_event(big), end_events())
    assert (len(text), finish) == (len(big), "stop")


def test_a_line_without_end_is_given_up() -> None:
    flood = [b"data: ", *[b"x" * (1 << 20)] * 20]
    assert "KiB" in failed(STREAM_HEADERS, *flood).message


def test_gzip_though_nobody_asked() -> None:
    packed = gzip.compress(RECORDED)
    head = STREAM_HEADERS.replace(b"Connection", b"Content-Encoding: gzip\r\nConnection")
    text, finish, _ = asked(head, packed[:30], 0.05, packed[30:])
    assert (text, finish) == ("Zürich ✓\nCMD: ls\n", "stop")


def test_gzip_in_flushed_pieces_is_shown_as_it_comes() -> None:
    packer = zlib.compressobj(wbits=31)
    steps: list[Step] = []
    for piece in (text_event("a"), text_event("b"), end_events()):
        steps += [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH), 0.05]
    head = STREAM_HEADERS.replace(b"Connection", b"Content-Encoding: gzip\r\nConnection")
    assert asked(head, *steps)[:2] == ("ab", "stop")


def test_gzip_that_is_none() -> None:
    head = STREAM_HEADERS.replace(b"Connection", b"Content-Encoding: gzip\r\nConnection")
    assert "unpacked" in failed(head, RECORDED).message


def test_slow_single_bytes() -> None:
    drops: list[Step] = [RECORDED[i : i + 1] for i in range(len(RECORDED))]
    assert asked(STREAM_HEADERS, *drops)[0] == "Zürich ✓\nCMD: ls\n"


def test_slow_bytes_are_life_however_long_they_take_together() -> None:
    drops = [step for i in range(0, len(RECORDED), 60) for step in (RECORDED[i : i + 60], 0.25)]
    assert asked(STREAM_HEADERS, *drops, idle=1.5)[1] == "stop"


def test_splits_inside_a_character() -> None:
    raw = 'data: {"choices": [{"delta": {"content": "ü✓𝄞"}}]}\n\n'.encode()
    for cut in range(len(raw)):
        assert asked(STREAM_HEADERS, raw[:cut], 0.001, raw[cut:] + end_events())[0] == "ü✓𝄞"


def test_half_a_character_inside_an_event_does_not_lose_the_answer() -> None:
    raw = b'data: {"choices": [{"delta": {"content": "a\xe2\x9cb"}}]}\n\n'
    text, finish, _ = asked(STREAM_HEADERS, raw, end_events())
    assert (text, finish) == ("a�b", "stop")
    escaped = b'data: {"choices": [{"delta": {"content": "a\\ud83db"}}]}\n\n'
    assert asked(STREAM_HEADERS, escaped, end_events())[0].encode() == b"a?b"


def test_no_usage() -> None:
    assert asked(STREAM_HEADERS, text_event("a"), finish_event(), event("[DONE]")) == (
        "a",
        "stop",
        None,
    )


def test_usage_twice_counts_once_and_the_last_one_counts() -> None:
    answer = asked(STREAM_HEADERS, text_event("a"), usage_event(1, 1), end_events(12, 3))
    assert answer[2] == Usage(12, 3)


def test_a_null_usage_in_every_chunk() -> None:
    piece = event({"choices": [{"delta": {"content": "a"}}], "usage": None})
    assert asked(STREAM_HEADERS, piece, end_events()) == ("a", "stop", Usage(12, 3))


def test_http_1_0() -> None:
    head = b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    assert asked(head, RECORDED)[1] == "stop"


def test_no_content_type() -> None:
    assert asked(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", RECORDED)[1] == "stop"


def test_tool_call_arguments_in_pieces() -> None:
    def piece(**call: object) -> bytes:
        return event({"choices": [{"delta": {"tool_calls": [{"index": 0, **call}]}}]})

    script = [
        piece(id="call_1", function={"name": "fs__read", "arguments": ""}),
        piece(function={"arguments": '{"pa'}),
        piece(function={"arguments": 'th": 1}'}),
        end_events(finish="tool_calls"),
    ]
    with scripted_server([STREAM_HEADERS, *script]) as server:
        offered = replace(request_for(server.url), tools=({"type": "function"},))
        deltas = list(Asker(ONCE).client().stream(offered))
    pieces = [call for delta in deltas for call in delta.tool_calls]
    assert [call.id for call in pieces if call.id] == ["call_1"]
    assert json.loads("".join(call.arguments for call in pieces)) == {"path": 1}
    assert finish_of(deltas) == "tool_calls"


def test_tool_call_arguments_cut_in_the_middle() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "f", "arguments": '{"pa'}}
    error = failed(STREAM_HEADERS, event({"choices": [{"delta": {"tool_calls": [call]}}]}))
    assert "cut off" in error.message


def test_done_missing() -> None:
    answer = asked(STREAM_HEADERS, text_event("a"), finish_event(), usage_event())
    assert answer == ("a", "stop", Usage(12, 3))


def test_done_but_the_connection_stays_open() -> None:
    assert asked(STREAM_HEADERS, RECORDED, PATIENCE)[1] == "stop"
    assert asked(CHUNKED_HEADERS, chunk(RECORDED), PATIENCE)[1] == "stop"


def test_a_finish_and_then_silence_is_an_answer() -> None:
    assert asked(CHUNKED_HEADERS, chunk(text_event("a") + finish_event()), PATIENCE)[1] == "stop"


def test_a_finish_and_then_signs_of_life_without_end_is_an_answer() -> None:
    alive: list[Step] = [b": ping\n\n", 0.3]
    said: list[Step] = [STREAM_HEADERS, text_event("hello"), finish_event(), *alive * 100]
    with scripted_server(said) as server:
        assert text_of(Asker().ask(server.url)) == "hello"
        assert server.left.wait(PATIENCE)  # long before the last of them


def test_a_server_that_says_finish_with_every_thought_is_heard_to_its_end() -> None:
    thought = {"delta": {"reasoning_content": "hm"}, "finish_reason": "stop"}
    thoughts: list[Step] = [event({"choices": [thought]}), 0.3]
    said: list[Step] = [STREAM_HEADERS, *thoughts * 9, text_event("hello"), end_events()]
    with scripted_server(said) as server:
        assert text_of(Asker().ask(server.url)) == "hello"


def test_a_finish_and_then_a_broken_connection_is_an_answer() -> None:
    script = [CHUNKED_HEADERS, chunk(text_event("a") + finish_event()), b"zz\r\n"]
    assert asked(*script)[1] == "stop"


def test_an_answer_cut_by_its_length_says_so() -> None:
    assert asked(*stream("a", finish="length"))[1] == "length"


def test_done_without_anything_said() -> None:
    assert isinstance(failed(STREAM_HEADERS, event("[DONE]")), Empty)


def test_an_empty_body() -> None:
    assert isinstance(failed(STREAM_HEADERS), Garbled)


def test_an_error_object_mid_stream() -> None:
    broken = event({"error": {"message": "out of memory", "type": "server_error"}})
    assert "out of memory" in failed(STREAM_HEADERS, text_event("a"), broken).message


def test_an_error_as_plain_text_mid_stream() -> None:
    assert isinstance(failed(STREAM_HEADERS, text_event("a"), event("Internal error")), Garbled)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    with scripted_server() as elsewhere:
        error = failed(*plain(status, b"", f"Location: {elsewhere.url}/v1/chat/completions"))
        assert not elsewhere.seen
    assert isinstance(error, Rejected)
    assert "redirects" in error.message


def test_a_server_that_does_not_stream() -> None:
    body = {
        "model": "m",
        "choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1},
    }
    assert asked(*plain(200, body, "Content-Type: application/json")) == (
        "whole",
        "stop",
        Usage(5, 1),
    )


def test_an_error_with_status_200() -> None:
    body = {"error": {"message": "no such model: x"}}
    error = failed(*plain(200, body, "Content-Type: application/json"))
    assert "no model" in error.message


def test_json_with_status_200_that_is_no_answer() -> None:
    assert isinstance(failed(*plain(200, {"ok": True}, "Content-Type: application/json")), Garbled)


def test_chunks_of_a_wrong_length() -> None:
    bad = b"5\r\n" + RECORDED[:40] + b"\r\n"
    assert isinstance(failed(CHUNKED_HEADERS, bad), Garbled)


def test_a_huge_header() -> None:
    head = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n"
    assert isinstance(failed(head, RECORDED), Garbled)


def test_control_characters_in_the_servers_words() -> None:
    message = "no\x1b]0;title\x07\x1b[31m way\r\nsecond\u202eline " * 50
    assert "no" in failed(*plain(400, {"error": {"message": message}})).message


def test_silence_in_the_middle() -> None:
    assert isinstance(failed(STREAM_HEADERS, text_event("a"), PATIENCE, idle=0.2), Timeout)


def test_a_client_of_the_wrong_protocol() -> None:
    with scripted_server(chunked("a")) as server, pytest.raises(Unreachable, match="TLS"):
        Asker(ONCE).ask(server.url.replace("http://", "https://"))
