"""Asking servers for counts: every kind of server, probed once, remembered only when it says no."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from aish.broker.count import Chat, ServerCounter, anthropic_body
from aish.core.errors import Timeout
from aish.core.messages import ModelSpec
from support.asking import spec_for

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello world"}]
Answer = Callable[[Mapping[str, Any]], object]


class Server:
    """Answers some paths with JSON and everything else with a status."""

    def __init__(self, answers: dict[str, Answer], otherwise: int = 404) -> None:
        self.answers = answers
        self.otherwise = otherwise
        self.asked: list[str] = []
        self.limits: list[float] = []

    def post(
        self, spec: ModelSpec, url: str, body: Mapping[str, Any], timeout: float
    ) -> tuple[int, bytes]:
        path = url.removeprefix("http://host:1")
        self.asked.append(path)
        self.limits.append(timeout)
        if path not in self.answers:
            return self.otherwise, b"no"
        return 200, json.dumps(self.answers[path](body)).encode()


def at(url: str, model: str = "m") -> ModelSpec:
    return spec_for(url, model=model)


def counted(server: Server) -> object:
    return ServerCounter(server.post).count(at("http://host:1/v1"), CHAT)


LLAMA = {
    "/v1/chat/completions/input_tokens": lambda body: {"input_tokens": 11 * len(body["messages"])}
}
OLD_LLAMA = {
    "/apply-template": lambda body: {"prompt": "<" + body["messages"][-1]["content"]},
    "/tokenize": lambda body: {"tokens": list(range(len(body.get("content", ""))))},
}
VLLM: dict[str, Answer] = {
    "/tokenize": lambda body: {"count": 33, "max_model_len": 4096, "tokens": [1] * 33}
}
SGLANG = {"/tokenize": lambda body: {"tokens": [1] * len(body["messages"]) * 9}}
TGI = {"/chat_tokenize": lambda body: {"tokenize_response": [{"id": 1}] * 21, "templated_text": ""}}
KOBOLD = {"/api/extra/tokencount": lambda body: {"value": len(body["prompt"].split())}}
ANTHROPIC = {"/v1/messages/count_tokens": lambda body: {"input_tokens": len(body["messages"]) + 40}}


@pytest.mark.parametrize(
    ("answers", "tokens"),
    [
        (LLAMA, 22),
        (OLD_LLAMA, 12),
        (VLLM, 33),
        (SGLANG, 18),
        (TGI, 21),
        (KOBOLD, 17),
        (ANTHROPIC, 41),
    ],
    ids=["llama.cpp", "older llama.cpp", "vLLM", "SGLang", "TGI", "KoboldCpp", "Anthropic-style"],
)
def test_every_kind_of_server_is_counted_on_its_own_way(
    answers: dict[str, Answer], tokens: int
) -> None:
    server = Server(answers)
    counter = ServerCounter(server.post)
    first = counter.count(at("http://host:1/v1"), CHAT)
    assert first is not None and first.tokens == tokens
    probes = len(server.asked)
    again = counter.count(at("http://host:1"), CHAT)
    assert again == first
    assert len(server.asked) - probes <= 2, "the way is known now"
    assert counter.supported(at("http://host:1/")) is True


def test_the_window_a_server_mentions_is_passed_on() -> None:
    count = ServerCounter(Server(VLLM).post).count(at("http://host:1"), CHAT)
    assert count is not None and count.window == 4096


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_real_no_is_remembered(status: int) -> None:
    server = Server({}, otherwise=status)
    counter = ServerCounter(server.post)
    assert counter.supported(at("http://host:1")) is None
    assert counter.count(at("http://host:1"), CHAT) is None
    probes = len(server.asked)
    assert counter.count(at("http://host:1"), CHAT) is None
    assert len(server.asked) == probes
    assert counter.supported(at("http://host:1")) is False
    counter.count(at("http://host:1", model="another"), CHAT)
    assert len(server.asked) > probes, "another model is another question"


@pytest.mark.parametrize("status", [400, 401, 429, 500, 503])
def test_any_other_status_is_not_a_no(status: int) -> None:
    server = Server({}, otherwise=status)
    counter = ServerCounter(server.post)
    assert counter.count(at("http://host:1"), CHAT) is None
    server.answers = dict(LLAMA)
    assert counter.count(at("http://host:1"), CHAT) is not None


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionRefusedError(), Timeout("slow")])
def test_a_time_out_means_not_now(error: Exception) -> None:
    class Silent(Server):
        silent = True

        def post(
            self, spec: ModelSpec, url: str, body: Mapping[str, Any], timeout: float
        ) -> tuple[int, bytes]:
            if self.silent:
                raise error
            return super().post(spec, url, body, timeout)

    server = Silent(dict(LLAMA))
    counter = ServerCounter(server.post)
    assert counter.count(at("http://host:1"), CHAT) is None
    server.silent = False
    assert counter.count(at("http://host:1"), CHAT) is not None


def test_a_server_that_counted_before_is_only_busy_when_it_fails_once() -> None:
    server = Server(dict(LLAMA))
    counter = ServerCounter(server.post)
    assert counter.count(at("http://host:1"), CHAT) is not None
    server.answers, server.otherwise = {}, 503
    assert counter.count(at("http://host:1"), CHAT) is None
    server.answers = dict(LLAMA)
    assert counter.count(at("http://host:1"), CHAT) is not None


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"[]", b"{}", b'{"input_tokens": "many"}', b"null"]
)
def test_nonsense_is_no_count(answer: bytes) -> None:
    counter = ServerCounter(lambda spec, url, body, timeout: (200, answer))
    assert counter.count(at("http://host:1"), CHAT) is None
    assert counter.count_text(at("http://host:1"), "hello") is None


def test_all_probes_together_stay_within_the_limit() -> None:
    server = Server({}, otherwise=503)
    ServerCounter(server.post, limit=2.0).count(at("http://host:1"), CHAT)
    assert max(server.limits) <= 2.0
    nothing_left = Server(dict(LLAMA))
    assert ServerCounter(nothing_left.post, limit=0.0).count(at("http://host:1"), CHAT) is None
    assert nothing_left.asked == []


def test_a_text_is_counted_where_the_server_tokenizes() -> None:
    counter = ServerCounter(Server({"/tokenize": lambda body: {"tokens": [28120, 905]}}).post)
    assert counter.count_text(at("http://host:1/v1/"), "hello world") == 2
    assert ServerCounter(Server({}).post).count_text(at("http://host:1"), "hello") is None


def test_a_server_that_only_tokenizes_texts_counts_chats_too() -> None:
    def tokenize(body: Mapping[str, Any]) -> object:
        return {"tokens": body.get("content", "").split()}

    found = ServerCounter(Server({"/tokenize": tokenize}).post).count(at("http://host:1"), CHAT)
    assert found is not None
    assert (found.tokens, found.method) == (6 + 4 * 2 + 3, "server: text and template")


def test_a_chat_in_anthropics_shape_keeps_every_word() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"a":1}'}}
    chat = Chat(
        "m",
        [
            *CHAT,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "text"},
        ],
    )
    body = anthropic_body(chat)
    assert body["system"] == "Be brief."
    assert [m["role"] for m in body["messages"]] == ["user", "assistant", "user"]
    assert "text" in json.dumps(body["messages"][-1]) and '{\\"a\\":1}' in json.dumps(body)


@pytest.mark.parametrize("many", [10**9, 10**30, -1])
def test_more_tokens_than_a_chat_has_letters_are_not_believed(many: int) -> None:
    server = Server(
        {
            "/v1/chat/completions/input_tokens": lambda _: {"input_tokens": many},
            "/tokenize": lambda _: {"count": many},
        }
    )
    assert counted(server) is None
    assert ServerCounter(server.post).count_text(at("http://host:1/v1"), "hello") is None
