"""Chat completions over a scripted server."""

import json
import threading

import pytest

from aish.broker.body import payload
from aish.broker.delta import delta_from
from aish.core.errors import (
    BrokerError,
    Empty,
    Garbled,
    Overflow,
    Rejected,
    Timeout,
    Unreachable,
)
from aish.core.messages import Request, Usage
from support.asking import KEY, Asker, finish_of, request_for, spec_for, text_of, usage_of
from support.scripted import (
    PATIENCE,
    STREAM_HEADERS,
    Step,
    chunked,
    event,
    plain,
    scripted_server,
    stream,
    text_event,
)


def test_an_answer_arrives_with_usage_and_finish() -> None:
    with scripted_server(stream("Hel", "lo")) as server:
        deltas = Asker().ask(server.url)
    assert "".join(delta.text for delta in deltas) == "Hello"
    assert usage_of(deltas) == Usage(12, 3)
    assert finish_of(deltas) == "stop"


def test_the_request_is_an_openai_chat_request_and_the_key_is_in_its_header_only() -> None:
    with scripted_server(stream("hi")) as server:
        Asker().ask(server.url)
    (chat,) = server.chats
    assert chat.json["messages"] == [{"role": "user", "content": "hello"}]
    assert chat.json["model"] == "scripted"
    assert chat.json["max_tokens"] == 64
    assert chat.json["stream_options"] == {"include_usage": True}
    assert chat.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in chat.path
    assert KEY.encode() not in chat.body


def test_without_a_key_there_is_no_authorization_header() -> None:
    with scripted_server(stream("hi")) as server:
        Asker().ask(server.url, api_key="")
    assert "authorization" not in server.chats[0].headers


def test_tools_are_sent_only_when_there_are_some() -> None:
    spec = spec_for("http://x")
    tool = {"type": "function", "function": {"name": "f"}}
    assert "tools" not in payload(Request(spec, (), 1))
    assert payload(Request(spec, (), 1, (tool,)))["tools"] == (tool,)


def test_the_next_question_uses_the_same_connection() -> None:
    with scripted_server(chunked("a")) as server:
        asker = Asker()
        for _ in range(3):
            assert text_of(asker.ask(server.url)) == "a"
    assert {seen.connection for seen in server.seen} == {1}


def test_closing_the_answer_drops_the_connection() -> None:
    with scripted_server([STREAM_HEADERS, text_event("a"), PATIENCE]) as server:
        deltas = Asker().client().stream(request_for(server.url))
        assert next(deltas).text == "a"
        deltas.close()
        assert server.left.wait(PATIENCE)


def test_thinking_comes_apart_from_the_answer() -> None:
    spec = spec_for("http://x")
    for name in ("reasoning_content", "reasoning"):
        data = json.dumps({"choices": [{"delta": {name: "hm"}}]}).encode()
        assert delta_from(data, spec).reasoning == "hm"


def test_content_in_typed_parts_is_text() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    data = json.dumps({"choices": [{"delta": {"content": parts}}]}).encode()
    assert delta_from(data, spec_for("http://x")).text == "ab"


STATUSES = {
    400: "rejects the request",
    401: "refuses the API key",
    402: "no credit",
    403: "forbids this",
    404: "no chat completion address",
    418: "rejects the request",
    429: "too many requests",
    500: "failed",
    501: "failed",
    503: "busy",
    307: "redirects elsewhere",
}


@pytest.mark.parametrize(("status", "words"), STATUSES.items())
def test_each_status_has_its_own_line(status: int, words: str) -> None:
    body = {"error": {"message": "so\x1b[31m it\nis"}}
    with scripted_server(plain(status, body)) as server, pytest.raises(Rejected) as caught:
        Asker().ask(server.url)
    assert words in caught.value.message
    assert f"({status})" in caught.value.message
    assert caught.value.status == status
    assert caught.value.hint
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (404, {"code": "model_not_found", "message": "The model `x` does not exist"}, "no model"),
        (404, {"message": 'model "x" not found, try pulling it first'}, "no model 'scripted'"),
        (400, {"message": "x is not a valid model ID", "code": 400}, "no model 'scripted'"),
        (429, {"code": "insufficient_quota", "message": "You exceeded your quota"}, "no credit"),
    ],
)
def test_what_a_status_leaves_open_the_error_object_says(
    status: int, error: dict[str, object], words: str
) -> None:
    with scripted_server(plain(status, {"error": error})) as server:
        asker = Asker()
        with pytest.raises(Rejected, match=words):
            asker.ask(server.url)
        assert not asker.waits


OVERFLOWS = [
    ({"type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 8192}, (9000, 8192)),
    ({"code": "context_length_exceeded", "message": "too long"}, (0, 0)),
    (
        {
            "message": "This model's maximum context length is 4096 tokens. However, you requested "
            "5000 tokens (4500 in the messages, 500 in the completion)."
        },
        (4500, 4096),
    ),
    (
        {
            "message": "This model's maximum context length is 4096 tokens. However, you requested "
            "1000 output tokens and your prompt contains at least 4097 input tokens"
        },
        (4097, 4096),
    ),
    (
        {
            "message": "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's "
            "maximum context length is 4096 tokens and your request has 100 input tokens"
        },
        (100, 4096),
    ),
    (
        {
            "message": "The input (5000 tokens) is longer than the model's context length "
            "(4096 tokens)."
        },
        (5000, 4096),
    ),
    (
        {
            "message": "This endpoint's maximum context length is 8192 tokens. However, you "
            "requested about 9000 tokens (8500 of text input, 500 in the output)."
        },
        (8500, 8192),
    ),
    ({"message": "prompt is too long: 210000 tokens > 200000 maximum"}, (210000, 200000)),
    ({"message": "`inputs` must have less than 4095 tokens. Given: 5000"}, (5000, 4095)),
    ({"message": "the input length exceeds the context length"}, (0, 0)),
]


@pytest.mark.parametrize(("error", "numbers"), OVERFLOWS)
def test_every_servers_way_to_say_too_long_is_an_overflow_with_its_numbers(
    error: dict[str, object], numbers: tuple[int, int]
) -> None:
    with scripted_server(plain(400, {"error": error})) as server, pytest.raises(Overflow) as caught:
        Asker().ask(server.url)
    assert (caught.value.prompt_tokens, caught.value.window) == numbers


def test_an_error_object_in_the_middle_of_the_answer_is_an_error() -> None:
    broken = event({"error": {"message": "CUDA out of memory", "code": 500}})
    with scripted_server([STREAM_HEADERS, text_event("a"), broken]) as server:
        deltas = Asker().client().stream(request_for(server.url))
        assert next(deltas).text == "a"
        with pytest.raises(Rejected, match="CUDA out of memory"):
            next(deltas)


def test_an_answer_without_words_is_an_error() -> None:
    with scripted_server(stream()) as server, pytest.raises(Empty):
        Asker().ask(server.url)


def test_no_error_line_contains_the_key_even_when_the_server_repeats_it() -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}. See your account."}}
    with scripted_server(plain(401, body)) as server, pytest.raises(Rejected) as caught:
        Asker().ask(server.url)
    assert KEY not in f"{caught.value.message} {caught.value.hint} {caught.value!r}"


@pytest.mark.parametrize("key", ["sk-with\nnewline", "sk-ünïcode", "sk-\x00"])
def test_a_key_no_header_can_carry_is_refused_without_naming_it(key: str) -> None:
    with pytest.raises(Rejected) as caught:
        Asker().ask("http://127.0.0.1:9", api_key=key)
    assert "API key" in caught.value.message
    assert "sk-" not in caught.value.message


def test_a_login_in_the_address_is_not_shown(unused_tcp_port_url: str) -> None:
    url = unused_tcp_port_url.replace("http://", "http://me:hunter2@")
    with pytest.raises(Unreachable) as caught:
        Asker().ask(url)
    assert "hunter2" not in caught.value.message


def test_a_port_where_nothing_listens_is_unreachable_at_once(unused_tcp_port_url: str) -> None:
    asker = Asker()
    with pytest.raises(Unreachable, match="connection refused"):
        asker.ask(unused_tcp_port_url)
    assert not asker.waits


def test_a_server_that_never_begins_to_answer_is_given_up() -> None:
    with scripted_server([PATIENCE]) as server, pytest.raises(Timeout, match=r"silent for 0\.2 s"):
        Asker().ask(server.url, idle_timeout=0.2)


def test_a_server_that_falls_silent_is_given_up() -> None:
    script: list[Step] = [STREAM_HEADERS, text_event("a"), PATIENCE]
    with scripted_server(script) as server, pytest.raises(Timeout):
        Asker().ask(server.url, idle_timeout=0.2)


def test_keep_alive_comments_count_as_life() -> None:
    alive = [step for _ in range(8) for step in (b": ping\n\n", 0.25)]
    with scripted_server([STREAM_HEADERS, *alive, *stream("a")[1:]]) as server:
        assert text_of(Asker().ask(server.url, idle_timeout=1.5)) == "a"


@pytest.mark.parametrize(
    "url", ["ftp://h/x", "http://", "http://[::1", "http://h:99999", "nothing"]
)
def test_an_endpoint_that_is_no_address_is_said(url: str) -> None:
    with pytest.raises(BrokerError, match="not an http address"):
        Asker().ask(url)


def test_two_answers_at_once_do_not_mix() -> None:
    with scripted_server(stream("same")) as server:
        asker, texts = Asker(), []
        threads = [
            threading.Thread(target=lambda: texts.append(text_of(asker.ask(server.url))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert texts == ["same"] * 4


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b"3", b'{"choices": [{"delta": 3}]}', b"[" * 100_000]
)
def test_what_is_not_the_protocol_is_garbled(data: bytes) -> None:
    with pytest.raises(Garbled):
        delta_from(data, spec_for("http://x"))


NOT_KNOWN = [
    (
        400,
        {
            "error": {
                "message": "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                "type": "invalid_request_error",
                "param": "max_tokens",
                "code": "unsupported_parameter",
            }
        },
        "max_tokens",
    ),
    (
        422,
        {
            "detail": [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "stream_options"],
                    "msg": "Extra inputs are not permitted",
                }
            ]
        },
        "stream_options",
    ),
    (400, {"error": {"message": "Unrecognized request argument: temperature"}}, "temperature"),
]


@pytest.mark.parametrize(("status", "body", "parameter"), NOT_KNOWN)
def test_a_parameter_the_model_rejects_is_left_out_from_then_on(
    status: int, body: dict[str, object], parameter: str
) -> None:
    asker = Asker()
    with scripted_server(plain(status, body), stream("a")) as server:
        client = asker.client()
        request = request_for(server.url, options={"temperature": 0.1})
        for _ in range(2):
            assert text_of(list(client.stream(request))) == "a"
    first, *others = [chat.json for chat in server.chats]
    assert len(others) == 2
    assert parameter in first
    assert all(parameter not in later for later in others)
    assert all("model" in later and "messages" in later for later in others)
    if parameter == "max_tokens":
        assert all(later["max_completion_tokens"] == 64 for later in others)
    assert not asker.waits


def test_a_parameter_that_was_not_the_trouble_is_said() -> None:
    status, body, _ = NOT_KNOWN[0]
    with (
        scripted_server(plain(status, body)) as server,
        pytest.raises(Rejected, match="max_tokens"),
    ):
        Asker().ask(server.url)
    assert len(server.chats) == 2
