"""Answers under the wrong name, numbers that are none, complaints where nobody looks for them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from aish.broker.calls import CallNumbers
from aish.broker.chat import USAGE_GRACE, ChatClient
from aish.broker.delta import delta_from
from aish.broker.http_client import HttpClient
from aish.broker.refusal import Busy, readable, refusal
from aish.broker.servers import Facts, Server, offer, ollama
from aish.broker.stream import EventStream
from aish.core.errors import BrokerError, Garbled, Overflow, Rejected
from aish.core.messages import Delta, ToolCallPiece
from aish.core.money.received import CHARACTERS
from support.asking import KEY, request_for, spec_for
from support.scripted import (
    PATIENCE,
    Step,
    chunk,
    end_events,
    event,
    finish_event,
    scripted_server,
    text_event,
)

WHOLE = json.dumps(
    {"choices": [{"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}]}
).encode()
STREAM = text_event("Hi.") + end_events()


def named(kind: str | None, status: int = 200) -> bytes:
    given = f"Content-Type: {kind}\r\n" if kind is not None else ""
    return f"HTTP/1.1 {status} Said\r\n{given}Connection: close\r\n\r\n".encode()


def asked(*script: Step) -> list[Delta]:
    with scripted_server(list(script)) as server:
        return list(ChatClient(HttpClient({})).stream(request_for(server.url)))


def text(*script: Step) -> str:
    return "".join(delta.text for delta in asked(*script))


@pytest.mark.parametrize("kind", [None, "text/plain", "text/event-stream", "text/json"])
@pytest.mark.parametrize("before", [b"", b"\r\n  \n"])
def test_a_whole_answer_is_one_whatever_it_is_called(kind: str | None, before: bytes) -> None:
    assert text(named(kind), before, 0.01, WHOLE) == "Hi."


@pytest.mark.parametrize("kind", [None, "application/json", "text/html", "text/plain; charset=x"])
@pytest.mark.parametrize("before", [b"", b": busy\n\n", b"\n\n", b"\xef\xbb\xbf"])
def test_a_stream_is_one_whatever_it_is_called(kind: str | None, before: bytes) -> None:
    assert text(named(kind) + before + STREAM) == "Hi."
    assert text(named(kind), before + STREAM[:1], 0.01, STREAM[1:]) == "Hi."


@pytest.mark.parametrize("delta", [{}, {"role": "assistant", "content": ""}])
def test_a_whole_answer_counts_beside_an_empty_delta(delta: dict[str, str]) -> None:
    choice = {"delta": delta, "message": {"content": "Hi."}, "finish_reason": "stop"}
    assert text(named("application/json") + json.dumps({"choices": [choice]}).encode()) == "Hi."
    assert (
        text(named("text/event-stream") + text_event("Hi.") + event({"choices": [choice]})) == "Hi."
    )


def test_the_first_answer_counts_though_another_stands_before_it() -> None:
    other = {"index": 1, "message": {"content": "Another."}, "finish_reason": "stop"}
    first = {"index": 0, "message": {"content": "Hi."}, "finish_reason": "stop"}
    whole = json.dumps({"choices": [other, first]}).encode()
    assert text(named("application/json") + whole) == "Hi."


RATES = [
    {"error": {"message": "Too many tokens, please wait before trying again.", "code": 429}},
    {"error": {"message": "upstream says: token limit exceeded", "code": "503"}},
    {"error": {"message": "Rate limit reached for requests", "code": "1302"}},
    {"code": "Throttling", "message": "Requests throttling triggered.", "request_id": "1"},
]


@pytest.mark.parametrize("said", RATES)
@pytest.mark.parametrize("streamed", [True, False])
def test_an_error_that_names_a_rate_itself_is_one_and_no_overflow(
    said: dict[str, Any], streamed: bool
) -> None:
    kind = "text/event-stream" if streamed else "application/json"
    data = event(said) if streamed else json.dumps(said).encode()
    with pytest.raises(Busy):
        asked(named(kind) + data)


def test_words_beside_an_answer_that_is_none_are_quoted() -> None:
    said = {"choices": None, "base_resp": {"status_code": 1004, "status_msg": "login fails"}}
    for kind, data in (
        ("text/event-stream", event(said)),
        ("application/json", json.dumps(said).encode()),
    ):
        with pytest.raises(BrokerError, match='"login fails"'):
            asked(named(kind) + data)
    fine = {"base_resp": {"status_code": 0, "status_msg": ""}, "choices": [{"delta": {}}]}
    assert text(named("text/event-stream") + event(fine) + STREAM) == "Hi."


def test_a_plain_complaint_about_waiting_is_no_overflow() -> None:
    body = json.dumps({"error": {"message": "Too many tokens, please wait before trying again."}})
    found = refusal(400, body.encode(), spec_for("http://h"))
    assert not isinstance(found, Overflow)


JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = JSON + b"Transfer-Encoding: chunked\r\n\r\n"
BLANKS: list[Step] = [b"\n", 0.1]
TRAILERS: list[Step] = [b"X: 1\r\n", 0.1]
OPEN_ENDS: dict[str, list[Step]] = {
    "no length, kept open": [JSON + b"\r\n" + WHOLE, PATIENCE],
    "blanks for ever": [JSON + b"\r\n" + WHOLE, *BLANKS * 100],
    "no last chunk": [CHUNKED + chunk(WHOLE), PATIENCE],
    "trailers for ever": [CHUNKED + chunk(WHOLE) + b"0\r\n", *TRAILERS * 100],
    "less than announced": [JSON + b"Content-Length: 9999\r\n\r\n" + WHOLE],
    "in two pieces": [JSON + b"\r\n" + WHOLE[:40], 0.05, WHOLE[40:], PATIENCE],
}


@pytest.mark.parametrize("end", OPEN_ENDS)
def test_a_whole_answer_counts_though_its_connection_does_not_end(end: str) -> None:
    with scripted_server(OPEN_ENDS[end]) as server:
        client = ChatClient(HttpClient({}))
        deltas = list(client.stream(request_for(server.url, idle_timeout=PATIENCE)))
        assert len(server.chats) == 1
    assert "".join(delta.text for delta in deltas) == "Hi."


def test_an_error_counts_though_its_connection_does_not_end() -> None:
    with pytest.raises(Rejected, match="no such thing"):
        asked(JSON + b'\r\n{"error": {"message": "no such thing", "code": 400}}', PATIENCE)


def test_an_object_that_does_not_say_it_is_the_end_is_waited_for() -> None:
    """It may be the first of many lines, and half an answer is none."""
    first = b'{"choices": [{"delta": {"content": "CMD: rm "}}]}\n'
    with pytest.raises(Garbled):
        asked(JSON + b"\r\n" + first, 0.05, first)


def test_the_connection_of_a_whole_answer_serves_the_next_question() -> None:
    length = f"Content-Length: {len(WHOLE)}\r\n\r\n".encode()
    client = ChatClient(HttpClient({}))
    with scripted_server([CHUNKED + chunk(WHOLE) + chunk(b"")]) as server:
        for _ in range(2):
            list(client.stream(request_for(server.url)))
        assert server.connections == 1
    assert text(JSON + length + WHOLE) == "Hi."


@pytest.mark.parametrize("packed", ["br", "zstd"])
def test_an_answer_that_cannot_be_unpacked_is_told_as_that(packed: str) -> None:
    head = named("text/event-stream").replace(
        b"Conn", f"Content-Encoding: {packed}\r\nConn".encode()
    )
    with pytest.raises(Garbled, match=f"packs its answer .{packed}."):
        asked(head + b"\x0b\x02\x80abc\x03")


def test_what_follows_the_end_of_a_stream_is_no_part_of_the_answer() -> None:
    after = text_event("CMD: rm x").rstrip(b"\n")
    assert text(named("text/event-stream") + STREAM + after) == "Hi."


def pieces(*numbered: tuple[int, dict[str, str]]) -> bytes:
    choices = ({"index": number, "delta": delta} for number, delta in numbered)
    return b"".join(event({"choices": [choice]}) for choice in choices)


def test_of_several_answers_in_a_stream_no_piece_of_another_is_read() -> None:
    start = pieces((0, {"role": "assistant"}), (1, {"role": "assistant"}))
    said = pieces((0, {"content": "H"}), (1, {"content": "CMD: rm x\n"}), (0, {"content": "i."}))
    other = {"index": 1, "delta": {}, "finish_reason": "length"}
    stream = named("text/event-stream") + start + said + event({"choices": [other]})
    deltas = asked(stream + end_events())
    assert "".join(delta.text for delta in deltas) == "Hi."
    assert {delta.finish for delta in deltas} == {None, "stop"}
    later = pieces((0, {"content": "H"}), (0, {"content": "i."}), (1, {"content": "No."}))
    assert text(named("text/event-stream") + later + end_events()) == "Hi."
    at_once = pieces((0, {"content": "H"}), (1, {"content": "No."}), (0, {"content": "i."}))
    assert text(named("text/event-stream") + at_once + end_events()) == "Hi."


def test_an_answer_that_has_ended_does_not_go_on_with_the_next_one() -> None:
    one, other = (
        {"index": number, "delta": {"content": words}, "finish_reason": "stop"}
        for number, words in enumerate(["Hi.", "No."])
    )
    stream = named("text/event-stream") + event({"choices": [one]}) + event({"choices": [other]})
    assert text(stream) == text(stream + event("[DONE]")) == "Hi."


@pytest.mark.parametrize("words", [["Hi."], ["H", "i."], ["H", "i", "."]])
def test_a_server_that_numbers_the_pieces_of_its_one_answer_is_read_to_its_end(
    words: list[str],
) -> None:
    said = pieces(*((number, {"content": word}) for number, word in enumerate(words, 1)))
    end = {"index": len(words) + 1, "delta": {}, "finish_reason": "stop"}
    assert text(named("text/event-stream") + said + event({"choices": [end]})) == "Hi."
    assert text(named("text/event-stream") + said + event("[DONE]")) == "Hi."


def test_what_a_server_writes_into_another_answer_is_counted() -> None:
    deltas = asked(
        named("text/event-stream")
        + pieces((0, {"content": "Hi."}), (0, {}), (1, {"content": "No." * 100}))
        + end_events()
    )
    assert sum(delta.unread for delta in deltas) >= 300


def test_a_piece_without_a_word_stands_for_a_token_and_an_envelope_for_none() -> None:
    spec = spec_for("http://127.0.0.1:9")
    filters = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "violence")}
    choice = {"index": 0, "delta": {"content": "Hi."}, "content_filter_results": filters}
    said = {"id": "chatcmpl-" + "x" * 40, "model": "gpt-5" * 9, "choices": [choice]}
    assert delta_from(json.dumps(said).encode(), spec).unread == 0
    assert delta_from(b'{"choices":[{"delta":{}}]}', spec).unread == CHARACTERS
    assert delta_from(b'{"choices":[{"delta":{},"finish_reason":"stop"}]}', spec).unread == 0
    deep = b'{"choices":[],"more":' + b"[" * 90 + b'"' + b"w" * 2000 + b'"' + b"]" * 90 + b"}"
    assert delta_from(deep, spec).unread == 1500 + len("choices" + "more")


def test_the_text_of_a_part_is_no_thinking_though_it_has_some_beside_it() -> None:
    parts = [{"type": "text", "text": "A", "thinking": "t"}, {"type": "thinking", "text": "u"}]
    data = json.dumps({"choices": [{"delta": {"content": parts}}]}).encode()
    assert delta_from(data, spec_for("http://h")) == Delta("A", reasoning="tu")


@pytest.mark.parametrize(
    "deltas",
    [
        [{"content": "First,"}, {"refusal": "I can"}, {"refusal": "not.\nCMD: ls"}],
        [{"content": "First,", "refusal": "I cannot.\nCMD: ls"}],
    ],
)
def test_why_a_model_will_not_go_on_stands_below_what_it_said(deltas: list[Any]) -> None:
    events = (event({"choices": [{"delta": delta}]}) for delta in deltas)
    said = text(named("text/event-stream"), *events, end_events())
    assert said == "First,\n\n> I cannot.\n> CMD: ls"


@pytest.mark.parametrize("status", [201, 202, 203])
def test_a_success_of_another_number_is_an_answer(status: int) -> None:
    assert text(named("application/json", status) + WHOLE) == "Hi."


@pytest.mark.parametrize(
    "body",
    [
        b'event: error\ndata: {"code": "Invalid", "message": "the model is asleep"}\n\n',
        b'data: {"detail": "the model is asleep"}\n\ndata: [DONE]\n\n',
        b'{"detail": "the model is asleep"}',
        b'{"success": false, "errors": [{"code": 7, "message": "the model is asleep"}]}',
        b'{"choices": null, "state": "the model is asleep"}',
        b"the model is asleep",
    ],
)
def test_what_the_server_says_instead_of_an_answer_is_quoted(body: bytes) -> None:
    kind = "text/event-stream" if b"data:" in body else "text/plain"
    with pytest.raises(BrokerError, match="the model is asleep") as caught:
        asked(named(kind) + body)
    assert caught.value.worked, "it may be billed"


def test_words_beside_an_answer_do_not_end_it() -> None:
    queue = event({"message": "you are number 3"})
    assert text(named("text/event-stream") + queue + STREAM) == "Hi."
    with pytest.raises(BrokerError, match="cut off"):
        asked(named("text/event-stream") + queue + text_event("Hi."))


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400", "9" * 5000])
def test_an_answer_with_a_number_that_is_none_is_an_answer(number: str) -> None:
    usage = event(f'{{"choices": [], "created": {number}, "usage": {{"prompt_tokens": {number}}}}}')
    found = asked(
        named("text/event-stream") + text_event("Hi.") + finish_event() + usage + event("[DONE]")
    )
    assert "".join(delta.text for delta in found) == "Hi."
    assert not any(delta.usage for delta in found)


@pytest.mark.parametrize("field", ["type", "code", "status", "param", "message"])
@pytest.mark.parametrize("value", [[], {}, ["x"], {"a": [1]}, 1e300, True])
def test_an_error_of_any_shape_is_an_error(field: str, value: Any) -> None:
    error = {"message": "no", field: value}
    with pytest.raises(BrokerError):
        asked(named("text/event-stream") + event({"error": error}))


def test_a_window_of_thousands_of_digits_is_none() -> None:
    words = "maximum context length is {0} tokens, however you requested {0} tokens ({0} in the "
    words += "messages, {0} in the completion)"
    body = json.dumps({"error": {"message": words.format("9" * 5000)}}).encode()
    found = refusal(400, body, spec_for("http://h"))
    assert isinstance(found, Overflow)
    assert (found.window, found.prompt_tokens) == (0, 0)


@pytest.mark.parametrize("price", ["nan", "inf", "1e308", "-1", "2", "x", None])
def test_a_price_that_can_be_none_is_none(price: str | None) -> None:
    listed = [{"id": "m", "pricing": {"prompt": price, "completion": "0.000001"}}]
    assert offer(listed, "m").price is None


class Shows(HttpClient):
    """An Ollama whose model has this setting."""

    def __init__(self, parameters: str) -> None:
        super().__init__({})
        self._shown = {"model_info": {}, "parameters": parameters}

    def fetch(self, method: str, url: str, **_: Any) -> tuple[int, bytes]:
        return 200, json.dumps(self._shown).encode()


@pytest.mark.parametrize("value", ["9" * 5000, "²", "-5", "8k"])
def test_a_setting_that_is_no_window_is_left_aside(value: str) -> None:
    server = Server(Shows(f"num_ctx {value}"), spec_for("http://h"), time.monotonic() + 60)
    found = ollama(server, Facts())
    assert found is not None
    assert found.window == 4096


def test_a_page_is_no_answer() -> None:
    with pytest.raises(Garbled, match=r'text/html, not with a chat completion: "Sign in"'):
        asked(named("text/html") + b"<html><title>Sign in</title></html>")


@pytest.mark.parametrize("cut", range(1, 5))
def test_a_byte_order_mark_before_a_whole_answer_is_no_part_of_it(cut: int) -> None:
    body = b"\xef\xbb\xbf" + WHOLE
    assert text(named("application/json"), body[:cut], 0.01, body[cut:]) == "Hi."


@pytest.mark.parametrize(
    "body",
    [
        f"<html><body>You sent {KEY}</body></html>".encode(),
        f'{{"state": "You sent {KEY}"}}'.encode(),
        f'{{"choices": [{{"x": "You sent {KEY}'.encode(),
        f'{{"choices": [{{"x": "You sent {KEY[:-9]}'.encode(),
        f"data: You sent {KEY}\n\n".encode(),
        f'data: "You sent {KEY}"\n\n'.encode(),
        f"event: error\ndata: You sent {KEY}\n\n".encode(),
        event({"choices": [{"delta": {"refusal": f"You sent {KEY}"}, "finish_reason": "stop"}]}),
        text_event("Hi.") + f"You sent {KEY}\n".encode(),
    ],
)
def test_what_comes_instead_of_an_answer_is_quoted_without_the_key(body: bytes) -> None:
    kind = "text/event-stream" if b"data:" in body else "text/html"
    with pytest.raises(BrokerError, match="You sent …") as caught:
        asked(named(kind) + body)
    assert KEY not in f"{caught.value.message} {caught.value!r}"


def test_what_does_not_speak_http_is_quoted_without_the_key() -> None:
    """An echo server, say: its first line is ours."""
    said = b"POST /v1/chat/completions?key=a%2Bsecret-of-mine HTTP/1.1\r\n\r\n"
    with scripted_server() as server:
        server.answer("/v1/chat/completions?key=a%2Bsecret-of-mine", [said])
        with pytest.raises(BrokerError, match="broke: POST") as caught:
            list(
                ChatClient(HttpClient({})).stream(
                    request_for(f"{server.url}/v1?key=a%2Bsecret-of-mine")
                )
            )
    assert "secret-of-mine" not in f"{caught.value.message} {caught.value!r}"


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("https://new.example/v1/chat?key=secret", '"it is at https://new.example/v1/chat"'),
        ("https://me:secret@new.example/v1", '"it is at https://new.example/v1"'),
        ("/v2/chat/completions", r'"it is at http://127\.0\.0\.1:\d+/v2/chat/completions"'),
    ],
)
def test_a_redirection_says_where_it_points(place: str, shown: str) -> None:
    head = f"HTTP/1.1 307 Said\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n"
    with pytest.raises(BrokerError, match=shown) as caught:
        asked(head.encode())
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("place", ["http://[", "//[x", "http://[::1"])
def test_a_redirection_to_what_is_no_address_is_still_told_as_one(place: str) -> None:
    head = f"HTTP/1.1 302 Said\r\nLocation: {place}\r\nContent-Length: 5\r\n\r\nMoved"
    with pytest.raises(Rejected, match=r'redirects elsewhere \(302\).*: "Moved"'):
        asked(head.encode())


@pytest.mark.parametrize("after", [[], [30.0]])
def test_the_words_of_a_refusal_count_though_it_is_cut_or_never_ends(after: list[Step]) -> None:
    head = b"HTTP/1.1 400 Said\r\nContent-Length: 500\r\n\r\n"
    started = time.monotonic()
    with pytest.raises(BrokerError, match='"engine exploded"'):
        asked(head + b'{"error": {"message": "engine exploded"}}', *after)
    assert time.monotonic() - started < 25, "the server holds it for thirty seconds"


@pytest.mark.parametrize(
    "body",
    [
        {"error": "Bad Request", "status": 400, "message": "engine exploded", "path": "/v1"},
        {"error": "invalid_request", "error_description": "engine exploded"},
        {"error": True, "message": "engine exploded"},
        {"error": 1, "error_msg": "engine exploded"},
        {"error": {"description": "engine exploded"}},
        {"success": False, "errors": [], "messages": ["engine exploded"]},
    ],
)
def test_the_words_are_found_wherever_they_stand(body: dict[str, Any]) -> None:
    found = refusal(400, json.dumps(body).encode(), spec_for("http://h"))
    assert found.message == 'fast: the server rejects the request (400): "engine exploded"'


def test_a_page_is_quoted_without_its_scripts_and_styles() -> None:
    page = (
        b"<!-- x --><html><style>a{b:c}</style><script>d()</script><p>Too &lt;busy&gt;</p></html>"
    )
    assert 'busy (502): "Too <busy>"' in refusal(502, page, spec_for("http://h")).message


@pytest.mark.parametrize("unit", ["<!--", "<script>", "<title ", "<title>", "<", "&lt;<!--"])
def test_a_page_of_nothing_but_beginnings_is_read_at_once(unit: str) -> None:
    """Work that grows with the square of the length would take minutes."""
    page = unit * (200_000 // len(unit))
    started = time.process_time()
    readable(page.encode())
    with pytest.raises(Garbled):
        delta_from(json.dumps([page, 1]).encode(), spec_for("http://h"))
    assert time.process_time() - started < 20


def test_a_page_with_a_character_of_thousands_of_digits_is_quoted() -> None:
    page = f"<p>&#{'9' * 5000};Too &lt;busy&gt; &#33;</p>".encode()
    assert 'busy (502): "Too <busy> !"' in refusal(502, page, spec_for("http://h")).message


def pieces_of(*pieces: dict[str, Any]) -> list[tuple[int, str, str]]:
    events = b"".join(event({"choices": [{"delta": {"tool_calls": [piece]}}]}) for piece in pieces)
    stream = EventStream(replace(request_for("http://h"), tools=({"type": "function"},)))
    read = [*stream.feed(events + finish_event("tool_calls")), *stream.end()]
    return [(p.index, p.name, p.arguments) for delta in read for p in delta.tool_calls]


def test_calls_of_tools_are_told_apart_however_they_are_numbered() -> None:
    """Gemini numbers all of them 0, others not at all."""
    f = {"id": "a", "function": {"name": "f", "arguments": "{}"}}
    g = {"id": "b", "function": {"name": "g", "arguments": "{}"}}
    both = [(0, "f", "{}"), (1, "g", "{}")]
    assert pieces_of(f, g) == both
    assert pieces_of({**f, "index": 0}, {**g, "index": 0}) == both
    assert pieces_of({**f, "id": None}, {**g, "id": None}) == both
    assert pieces_of({**f, "index": 7}, {**g, "index": 9}) == both


def test_a_name_repeated_with_every_piece_is_one_name() -> None:
    first = {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x"'}}
    again = {"index": 0, "id": "a", "function": {"name": "f", "arguments": ": 1}"}}
    assert pieces_of(first, again) == [(0, "f", '{"x"'), (0, "", ": 1}")]


def test_an_empty_piece_that_closes_a_call_is_no_call() -> None:
    first = {"index": 0, "function": {"name": "f", "arguments": "{}"}}
    closing = {"index": 0, "function": {"name": "f", "arguments": ""}}
    assert pieces_of(first, closing) == [(0, "f", "{}"), (0, "", "")]
    assert pieces_of(first, closing, first) == [(0, "f", "{}"), (0, "", ""), (1, "f", "{}")]


@pytest.mark.parametrize("names", [("f", "f"), ("f", "g")])
def test_a_call_in_many_pieces_is_read_once_though_each_repeats_the_name(
    names: tuple[str, str],
) -> None:
    """Reading all of it with every piece would take minutes."""
    calls, started = CallNumbers(), time.process_time()
    calls.numbered((ToolCallPiece(0, "", "f", '{"t": ["'),))
    for number in range(40_000):
        (piece,) = calls.numbered((ToolCallPiece(0, "", names[number % 2], 'abcd", "'),))
        assert piece.index == 0
    assert time.process_time() - started < 20


def test_tools_that_nobody_offered_are_named_once() -> None:
    pieces = [
        {"index": 0, "id": "a", "function": {"name": name, "arguments": "{"}}
        for name in ("ls", "ls", "")
    ]
    other = {"index": 1, "id": "b", "function": {"name": "cat", "arguments": "{}"}}
    events = (event({"choices": [{"delta": {"tool_calls": [p]}}]}) for p in (*pieces, other))
    with pytest.raises(BrokerError, match=r"nobody offered \(ls, cat\)"):
        asked(named("text/event-stream") + b"".join(events) + finish_event("tool_calls"))


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        ({"message": "Rate limit reached. Please try again in 20s."}, 20),
        ({"message": "Rate limit reached. Please try again in 1m26.4s. Visit"}, 86.4),
        ({"message": "slow down, try again in 350ms"}, 0.35),
        ({"message": "Please retry after 7 seconds."}, 7),
        ({"message": "Please retry in 37.5s."}, 37.5),
        ({"message": "busy", "details": [{"@type": "x.RetryInfo", "retryDelay": "41s"}]}, 41),
        ({"message": "try again in a while"}, None),
        ({"message": "retry in 99999999999999999999999999 s"}, None),
        ({"message": "Please try again in 5\u017f."}, None),
        ({"message": "try again in 1 m\u0131nutes"}, 60),
        ({"message": "try again in \u0663s"}, None),
    ],
)
def test_the_wait_that_the_words_of_a_refusal_ask_for(
    error: dict[str, Any], wait: float | None
) -> None:
    found = refusal(429, json.dumps({"error": error}).encode(), spec_for("http://h"))
    assert isinstance(found, Busy)
    assert found.retry_after == (pytest.approx(wait) if wait is not None else None)
    assert refusal(429, b'{"error": "retry in 9s"}', spec_for("http://h"), 3.0).retry_after == 3.0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "nothing",
    [
        *("\u200b", "\ufeff\u2060", " \x00\n", "\u00a0\u200e", "\x1b"),
        *("\u3164", "\u115f", "\u034f", "\ufe0f", "\u2800 \u2800"),
    ],
)
def test_an_answer_that_nobody_can_see_is_empty(nothing: str) -> None:
    with pytest.raises(BrokerError, match="the answer is empty"):
        asked(named("text/event-stream") + text_event(nothing) + end_events())
    assert text(named("text/event-stream") + text_event(nothing + "👍") + end_events())


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("content_filter: PROHIBITED_CONTENT", "content filter held the answer back"),
        ("function_call_filter: MALFORMED_FUNCTION_CALL", "ended it with .*MALFORMED_FUNCTION"),
    ],
)
def test_why_an_answer_without_a_word_ended_is_told(reason: str, words: str) -> None:
    with pytest.raises(BrokerError, match=words):
        asked(named("text/event-stream") + finish_event(reason) + event("[DONE]"))


def test_a_reason_to_end_with_every_piece_ends_nothing() -> None:
    """Once text has followed one, no silence is taken for the end, and no break for an answer."""
    piece = event({"choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]})
    head = named("text/event-stream")
    assert text(head + piece * 2, USAGE_GRACE + 0.5, piece + event("[DONE]")) == "xxx"
    cut = head.replace(b"Connection", b"Content-Length: 9999\r\nConnection")
    with pytest.raises(BrokerError, match="in the middle of its answer"):
        asked(cut + piece * 2)
    assert text(cut + piece) == "x"


@pytest.mark.parametrize(
    ("signed", "words"),
    [
        ({}, "refuses the API key"),
        ({"api_key": ""}, "wants an API key"),
        ({"api_key": "", "headers": {"X-Title": "t"}}, "wants an API key"),
        ({"api_key": "", "headers": {"X-Api-Key": "k"}}, "refuses the login"),
        ({"api_key": "", "query": {"key": "k"}}, "refuses the login"),
        ({"api_key": "", "endpoint": "http://me:pw@h"}, "refuses the login"),
    ],
)
def test_a_refused_login_is_told_from_none(signed: dict[str, Any], words: str) -> None:
    spec = replace(spec_for("http://h", api_key=KEY), **signed)
    assert words in refusal(401, b"", spec).message


@pytest.mark.parametrize("depth", range(300, 1100, 10))
def test_an_error_nested_without_end_is_still_one_line(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    body = f'{{"error": {{"message": "no", "type": {deep}}}}}'.encode()
    assert len(refusal(400, body, spec_for("http://127.0.0.1:1")).message) < 400
    stream = EventStream(request_for("http://127.0.0.1:1"))
    with pytest.raises(BrokerError):
        list(stream.feed(b"data: " + body + b"\n\n"))
