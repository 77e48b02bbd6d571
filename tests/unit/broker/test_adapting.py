"""Servers that do not take every part of a request, and what they say when they refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aish.broker.chat import ChatClient
from aish.broker.http_client import Dropped, HttpClient
from aish.broker.persistent import Persistent, QuirksInMemory
from aish.broker.refusal import Busy, Unsupported, refusal
from aish.broker.retry import Patience
from aish.core.errors import BrokerError, Overflow, Rejected
from aish.core.messages import Request
from support.asking import KEY, NotedPause, request_for, spec_for, text_of
from support.scripted import (
    CHUNKED_HEADERS,
    STREAM_HEADERS,
    Step,
    chunk,
    event,
    plain,
    scripted_server,
    stream,
    text_event,
)

CHAT = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"})
BODY = {"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}
JSON = "Content-Type: application/json"


def complaint(message: str, status: int = 400, **more: object) -> list[Step]:
    return plain(status, {"error": {"message": message, **more}})


def message(text: str, **more: object) -> dict[str, object]:
    return {"error": {"message": text, **more}}


COMPLAINTS: dict[str, tuple[list[Step], Any]] = {
    "stream_options": (
        complaint("Unrecognized request argument supplied: stream_options"),
        lambda body: "stream_options" not in body,
    ),
    "stream_options, as an event of the stream": (
        [STREAM_HEADERS, event(message("stream_options is not supported", code="400"))],
        lambda body: "stream_options" not in body,
    ),
    "streaming": (
        complaint("Streaming is not supported for this model"),
        lambda body: body["stream"] is False and "stream_options" not in body,
    ),
    "the system role, as Gemma's template says it": (
        complaint("System role not supported", 500),
        lambda body: body["messages"] == [{"role": "user", "content": "Be brief.\n\nhello"}],
    ),
    "the system role, as OpenAI says it": (
        complaint(
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            param="messages[0].role",
            code="unsupported_value",
        ),
        lambda body: [m["role"] for m in body["messages"]] == ["user"],
    ),
    "temperature": (
        complaint(
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the "
            "default (1) value is supported.",
            param="temperature",
        ),
        lambda body: "temperature" not in body and body["top_p"] == 0.9,
    ),
    "an option, as FastAPI says it": (
        plain(
            422, {"detail": [{"loc": ["body", "top_p"], "msg": "Extra inputs are not permitted"}]}
        ),
        lambda body: "top_p" not in body,
    ),
    "max_tokens": (
        complaint(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead."
        ),
        lambda body: "max_tokens" not in body and body["max_completion_tokens"] == 64,
    ),
    "tools": (
        complaint("registry.example/library/tiny:1b does not support tools"),
        lambda body: "tools" not in body,
    ),
}


def asked(url: str) -> Request:
    spec = spec_for(url, options={"temperature": 0.2, "top_p": 0.9})
    return Request(spec, CHAT, 64, ({"type": "function"},))


@pytest.mark.parametrize("part", COMPLAINTS)
def test_a_part_that_a_server_rejects_is_left_out_and_remembered(part: str) -> None:
    refused, adapted = COMPLAINTS[part]
    quirks = QuirksInMemory()
    answer = plain(200, BODY, JSON) if part == "streaming" else stream("whole")
    with scripted_server(refused, answer) as server:
        for _ in range(2):
            source = Persistent(ChatClient(HttpClient({})), quirks=quirks)
            assert text_of(list(source.stream(asked(server.url)))) == "whole"
        bodies = [chat.json for chat in server.chats]
    assert len(bodies) == 3, "the second question knows"
    assert not adapted(bodies[0])
    assert all(map(adapted, bodies[1:]))


def test_a_server_that_rejects_one_part_after_the_other_is_asked_without_all_of_them() -> None:
    options = {f"option_{letter}": 1 for letter in "abcdefgh"}
    refusals = [complaint(f"unknown field {name}") for name in (*options, "stream_options")]
    with scripted_server(*refusals, stream("whole")) as server:
        source = Persistent(ChatClient(HttpClient({})))
        request = Request(spec_for(server.url, options=options), CHAT, 64)
        assert text_of(list(source.stream(request))) == "whole"
        assert not {*options, "stream_options"} & set(server.chats[-1].json)


def test_a_server_without_v1_is_found_and_one_with_neither_is_told_as_before() -> None:
    quirks = QuirksInMemory()
    with scripted_server() as server:
        server.answer("/llm/chat/completions", stream("found"))
        source = Persistent(ChatClient(HttpClient({})), quirks=quirks)
        assert text_of(list(source.stream(request_for(f"{server.url}/llm")))) == "found"
        assert [seen.path for seen in server.seen] == [
            "/llm/v1/chat/completions",
            "/llm/chat/completions",
        ]
        with pytest.raises(Rejected, match="no chat completion address"):
            list(source.stream(request_for(f"{server.url}/nowhere")))
        assert quirks.of(spec_for(f"{server.url}/nowhere")) == frozenset()


def said(status: int, body: object, **changes: Any) -> BrokerError:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return refusal(status, raw, spec_for("http://h", **changes))


def by_google(period: str) -> dict[str, object]:
    """What is used up stands only among the details."""
    failed = [{"quotaId": f"GenerateRequestsPer{period}PerProjectPerModel-FreeTier"}]
    details = [{"violations": failed}, {"retryDelay": "26s"}]
    return message("You exceeded your current quota.", status="RESOURCE_EXHAUSTED", details=details)


QUOTA = [
    (429, by_google("Day")),
    (429, message("You exceeded your current quota, please check your plan and billing details.",
                  type="insufficient_quota", code="insufficient_quota")),
    (402, message("Insufficient Balance")),
    (400, message("Your credit balance is too low to access the API.")),
    (403, message("You have insufficient credits")),
    (429, message("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock more.")),
    (429, message("Rate limit reached for model in organization on tokens per day (TPD): Limit 1")),
]  # fmt: skip
RATE = [
    (429, by_google("Minute")),
    (429, message("Rate limit reached on tokens per min (TPM): Limit 3. Please try again in 2s.")),
    (429, [message("You exceeded your current quota, please check your plan and billing details. "
                   "Quota exceeded for metric: requests. Please retry in 26.1s.",
                   status="RESOURCE_EXHAUSTED", code=429)]),
    (429, message("This request would exceed your organization's rate limit of 30,000 input tokens "
                  "per minute")),
    (429, {}),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body"), QUOTA)
def test_a_quota_that_is_used_up_is_final(status: int, body: object) -> None:
    found = said(status, body)
    assert isinstance(found, Rejected) and not isinstance(found, Busy)
    assert "no credit or quota left" in found.message


@pytest.mark.parametrize(("status", "body"), RATE)
def test_a_rate_passes(status: int, body: object) -> None:
    found = said(status, body)
    assert isinstance(found, Busy)
    assert "too many requests" in found.message


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (429, "context length exceeded your rate limit of 10,000 tokens per minute"),
        (401, "the context window of this key exceeds your plan"),
        (413, "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000"),
    ],
)
def test_only_an_overflow_is_one(status: int, text: str) -> None:
    assert not isinstance(said(status, message(text)), Overflow)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, message("The response was filtered", code="content_filter")),
        (403, message("Your input was flagged", metadata={"flagged_input": "why", "reasons": []})),
    ],
)
def test_a_question_that_a_filter_refuses_is_told_as_that(status: int, body: object) -> None:
    found = said(status, body)
    assert "content filter" in found.message and "was f" in found.message
    assert found.hint == "ask differently"


def test_a_real_overflow_quotes_the_server() -> None:
    found = said(400, message("prompt is too long: 210000 tokens > 200000 maximum"))
    assert isinstance(found, Overflow)
    assert (found.prompt_tokens, found.window) == (210_000, 200_000)
    assert "210000 tokens > 200000 maximum" in found.message


@pytest.mark.parametrize(
    ("body", "quoted"),
    [
        (b"<html><head><title>502 Bad Gateway</title></head></html>", '"502 Bad Gateway"'),
        (b"upstream connect error", '"upstream connect error"'),
        (b'{"odd": {"shape": 1}}', "shape"),
        (b'{"message": "\\u001b[31mred\\u202e"}', '"\\x1b[31mred\\u202e"'),
        (b'{"detail": "nested"}', '"nested"'),
        (b'{"error": {"message": "x", "metadata": {"raw": "what the provider said"}}}', "provider"),
    ],
)
def test_the_server_is_always_quoted_and_never_raw(body: bytes, quoted: str) -> None:
    found = said(502, body)
    assert quoted in found.message
    assert found.message.isprintable()


def test_what_is_quoted_never_holds_a_key_a_login_or_a_header() -> None:
    secret = "header-secret-0123456789"
    travelling = "Basic bWU6aHVudGVyMnBhc3M=, ?sig=a%2Bb%2Fc%3D%3Dabcdefgh"
    words = f"bad key {KEY}, {secret}, hunter2pass, {travelling}"
    found = said(
        401,
        message(words),
        endpoint="http://me:hunter2pass@h/v1?sig=a%2Bb%2Fc%3D%3Dabcdefgh",
        headers={"X-Key": secret},
    )
    for value in (KEY, secret, "hunter2pass", "bWU6aHVudGVyMnBhc3M", "b%2Fc"):
        assert value not in found.message
    token = "tok-0123456789"
    assert token not in said(401, message(f"bad {token}"), endpoint=f"http://{token}@h").message


def hang_up() -> None:
    raise ConnectionError("the server is gone")


def test_a_stream_cut_between_chunks_is_told_in_plain_words() -> None:
    cut: list[Step] = [CHUNKED_HEADERS, chunk(text_event("half")), b"ff\r\nda", hang_up]
    with scripted_server(cut) as server, pytest.raises(Dropped) as raised:
        source = Persistent(ChatClient(HttpClient({})), patience=Patience(attempts=1))
        list(source.stream(request_for(server.url)))
    assert "closed the connection in the middle of its answer" in raised.value.message


def test_a_refusal_of_a_part_that_is_not_ours_is_final() -> None:
    found = said(400, message("unknown field: flux_capacitor"))
    assert not isinstance(found, Unsupported)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("Developer instruction is not enabled for models/gemma-3-27b-it", "system"),
        ("Only user and assistant roles are supported!", "system"),
        ("Role 'system' is invalid, must be one of user, assistant", "system"),
        ("The system role can't be used with this model", "system"),
        ("No endpoints found that support tool use. To learn more", "tools"),
        ("Streaming is not available for this model", "stream"),
        ("Invalid parameter: stream_options", "stream_options"),
        ("stream_options: must not be set", "stream_options"),
        ("Invalid argument: stream_options should be removed", "stream_options"),
        ("参数stream_options不支持", "stream_options"),
        ("Model grok-4 does not support parameter reasoningEffort.", "reasoning_effort"),
        ("`temperature` and `top_p` cannot both be specified for this model.", "temperature"),
        ("`temperature` may only be set to 1 when thinking is enabled.", "temperature"),
        ("Tool calling is currently not enabled for this model", "tools"),
        ("Conversation roles must alternate user/assistant/user/assistant/...", "system"),
        ("['body', 'messages', 0, 'role'] Input should be 'user' or 'assistant'", "system"),
        ("Roles must be user or assistant, got system", "system"),
        ('messages: Unexpected role "system".', "system"),
        ("max_tokens is not a valid parameter", "max_tokens"),
        ("The parameter stream_options is invalid", "stream_options"),
        ("stream_options is not recognized", "stream_options"),
        ("This model does not allow temperature to be set", "temperature"),
        ("`temperature` is deprecated for this model.", "temperature"),
        ("unknown field `tools`, expected one of `messages`, `model`", "tools"),
        ("After the optional system message, roles must alternate user and assistant", ""),
        ("role should be 'system', 'user', 'assistant' or 'tool'", ""),
        ("Unexpected EOF while reading stream", ""),
        ("An unknown error occurred in the streaming pipeline", ""),
        ("Failed to parse tool call arguments: unexpected end of input; expected '}'", ""),
        ("Unknown tool call id call_123 in messages[3]", ""),
        ("Internal system prompt guard: unknown error", ""),
        ("This model is deprecated and no longer supported. Stream ended.", ""),
        ("temperature must be between 0 and 2", ""),
        ("Invalid parameter: temperature must be between 0 and 2", ""),
        ("Invalid argument: temperature=3 is out of range [0, 2]", ""),
        ("Invalid argument: temperature is too high", ""),
        ("temperature must not be set to more than 2", ""),
        ("temperature may only be set between 0 and 1", ""),
        ("role system must not be empty", ""),
        ("The model is not available right now, stream closed", ""),
        ("model gpt-x is not available; use tools api", ""),
        ("The stream has been closed: this model is not available in your region", ""),
        ("streaming quota not available", ""),
        ("model does not support image input", ""),
        ("streaming failed: upstream not found", ""),
    ],
)
def test_a_part_is_known_by_the_words_servers_use_for_it(words: str, part: str) -> None:
    options = {"temperature": 0.2, "reasoning_effort": "low"}
    found = said(400, message(words), options=options)
    assert (found.parameter if isinstance(found, Unsupported) else "") == part


REMEMBERED = {
    "max_tokens": complaint("Extra inputs are not permitted: max_completion_tokens"),
    "stream": complaint("This model only support stream mode, please enable the stream parameter"),
    "system": complaint("the first message must be a system message", 422),
    "/v1": complaint("no such path", 404),
}


@pytest.mark.parametrize("part", REMEMBERED)
def test_what_was_left_out_for_one_server_is_not_kept_from_the_next_one_there(part: str) -> None:
    quirks = QuirksInMemory()
    with scripted_server() as server:
        refused = REMEMBERED[part]
        refusals = [refused, stream("whole")] if part != "/v1" else [stream("whole")]
        server.answer("/v1/chat/completions", *refusals)
        server.answer("/chat/completions", refused)
        quirks.learn(spec_for(server.url), frozenset({part}))
        source = Persistent(ChatClient(HttpClient({})), quirks=quirks)
        assert text_of(list(source.stream(asked(server.url)))) == "whole"
        assert quirks.of(spec_for(server.url)) == frozenset()
        assert len(server.chats) == 2


def test_a_server_that_rejects_the_question_itself_is_told_in_its_own_words() -> None:
    quirks = QuirksInMemory()
    refused = complaint("I do not like it")
    no_options = complaint("stream_options is not supported")
    with scripted_server(refused, no_options, refused) as server:
        quirks.learn(spec_for(server.url), frozenset({"stream_options"}))
        source = Persistent(ChatClient(HttpClient({})), quirks=quirks)
        with pytest.raises(Rejected, match="I do not like it"):
            list(source.stream(asked(server.url)))
        assert quirks.of(spec_for(server.url)) == {"stream_options"}
        assert len(server.chats) == 3


def test_a_model_that_is_not_there_is_told_after_a_part_was_left_out() -> None:
    refusals = complaint("stream_options is not supported"), complaint("model not found", 404)
    source = Persistent(ChatClient(HttpClient({})))
    missing = pytest.raises(Rejected, match="the server has no model")
    with scripted_server(*refusals) as server, missing:
        list(source.stream(asked(server.url)))


def test_an_option_that_was_left_out_is_not_what_the_next_complaint_is_about() -> None:
    """`user` is an option, and a word of the complaint about the role of the system."""
    refused = complaint("Role must be one of user and assistant; system is not supported")
    with scripted_server(refused, refused, stream("whole")) as server:
        request = Request(spec_for(server.url, options={"user": "me"}), CHAT, 64)
        source = Persistent(ChatClient(HttpClient({})))
        assert text_of(list(source.stream(request))) == "whole"
        assert [m["role"] for m in server.chats[-1].json["messages"]] == ["user"]


@pytest.mark.parametrize(
    "words", ["Unexpected EOF while reading stream", "unknown error in the tool call parser"]
)
def test_a_failure_that_passes_takes_nothing_from_the_requests_after_it(words: str) -> None:
    quirks = QuirksInMemory()
    with scripted_server(complaint(words, 500), stream("whole")) as server:
        source = Persistent(ChatClient(HttpClient({})), quirks=quirks, pause=NotedPause())
        assert text_of(list(source.stream(asked(server.url)))) == "whole"
        assert server.chats[0].body == server.chats[1].body
        assert quirks.of(spec_for(server.url)) == frozenset()


@pytest.mark.parametrize(
    ("status", "words", "told"),
    [
        (429, "余额不足或无可用资源包,请充值。", "no credit or quota left"),
        (400, "token limit exceeded for this month", "no credit or quota left"),
        (
            429,
            "Budget has been exceeded! Current cost: 10.0, Max budget: 10.0",
            "no credit or quota",
        ),
        (400, "You have reached your specified API usage limits. You will regain", "no credit or"),
        (403, "Key limit exceeded (total limit). Manage it using https://x", "no credit or quota"),
        (403, "The free tier of the model has been exhausted.", "no credit or quota left"),
        (429, "you have used up your weekly limit", "no credit or quota left"),
        (400, "API key not valid. Please pass a valid API key.", "refuses the API key (400)"),
        (400, "Incorrect API key provided", "refuses the API key (400)"),
        (
            400,
            "Trying to keep the first 4500 tokens when context the overflows. However, the model "
            "is loaded with context length of only 4096 tokens",
            "for a window of 4,096",
        ),
        (400, "Total tokens of image and text exceed max message tokens", "the prompt is too long"),
        (400, "Model Not Exist", "has no model"),
        (400, "Invalid model name passed in model=foo. Call `/v1/models`", "has no model"),
        (404, "models/gemini-9 is not found for API version v1main", "has no model"),
        (400, "Range of input length should be [1, 30720]", "for a window of 30,720"),
        (400, "the valid range of max_tokens is [1, 8192]", "the room asked for the answer"),
        *(
            (400, f"{words} 8192", "the room asked for the answer")
            for words in (
                *("max_tokens must not exceed", "`max_tokens` (20000) must not exceed"),
                *("max_tokens may not be greater than", "max_completion_tokens cannot exceed"),
                "Invalid parameter: max_tokens should be in range 1 to",
            )
        ),
        (500, "context deadline exceeded", "failed or is busy"),
        (400, "Invalid 'tools[0].function.name': string too long.", "rejects the request"),
    ],
)
def test_what_a_refusal_is_about(status: int, words: str, told: str) -> None:
    found = said(status, message(words))
    assert told in found.message and words[:20] in found.message
