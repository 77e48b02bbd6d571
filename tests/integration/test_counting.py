"""Counting on a real llama.cpp server: exact, cheap, and equal to what it reports afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from aish.broker.count import ServerCounter
from aish.core.context.overflow import read_refusal
from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.messages import Message, ModelSpec
from support.embedded import server
from support.llama import Llama

TOOL = {
    "type": "function",
    "function": {
        "name": "files__read",
        "description": "Read a file of the project.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "files__read", "arguments": '{"path": "notes.txt"}'},
}
ASK = {"role": "user", "content": "What is in notes.txt?"}
CHATS: dict[str, list[Message]] = {
    "one question": [ASK],
    "with a system message": [{"role": "system", "content": "You are aish. Be brief."}, ASK],
    "a conversation": [
        ASK,
        {"role": "assistant", "content": "A list."},
        {"role": "user", "content": "Show it:\n\n  -rw-r--r-- 1 root root 2447 Nov 15 a.toml\n"},
    ],
    "Chinese and emoji": [{"role": "user", "content": "请列出所有文件 🚀 y los demás también"}],
    "tool calls": [
        ASK,
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "milk, bread"},
    ],
}


@pytest.fixture(scope="module")
def llama() -> Iterator[Llama]:
    with server(n_ctx=1024) as endpoint:
        client = Llama(endpoint.base_url, endpoint.api_key)
        yield client
        client.close()


@pytest.mark.parametrize("name", CHATS)
def test_the_servers_count_is_what_it_reports_afterwards(llama: Llama, name: str) -> None:
    counted = ServerCounter(llama.count_post).count(llama.spec, CHATS[name])
    status, _, usage, raw = llama.chat(CHATS[name], max_tokens=1)
    assert status == 200, raw
    assert counted is not None
    assert counted.tokens == usage.prompt_tokens
    assert counted.method == "server: whole chat"


def test_tools_are_counted_with_the_chat(llama: Llama) -> None:
    counter = ServerCounter(llama.count_post)
    with_tools = counter.count(llama.spec, CHATS["one question"], [TOOL])
    _, _, usage, _ = llama.chat(CHATS["one question"], max_tokens=1, tools=[TOOL])
    assert with_tools is not None and with_tools.tokens == usage.prompt_tokens


def test_the_older_ways_count_the_same(llama: Llama) -> None:
    def without_whole_chat(
        spec: ModelSpec, url: str, body: Mapping[str, object], timeout: float
    ) -> tuple[int, bytes]:
        if url.endswith("/input_tokens"):
            return 404, b""
        return llama.post(url, body, timeout)

    old = ServerCounter(without_whole_chat).count(llama.spec, CHATS["a conversation"])
    new = ServerCounter(llama.count_post).count(llama.spec, CHATS["a conversation"])
    assert old is not None and new is not None
    assert old.tokens == new.tokens
    assert old.method == "server: template and tokenize"


def test_two_words_are_two_tokens(llama: Llama) -> None:
    assert ServerCounter(llama.count_post).count_text(llama.spec, "hello world") == 2


def test_the_estimate_of_a_chat_is_near_the_real_count(llama: Llama) -> None:
    for chat in CHATS.values():
        counted = ServerCounter(llama.count_post).count(llama.spec, chat)
        assert counted is not None
        guess = count_messages(chat, get_tokenizer("smollm2"))
        own = 20  # a template may add a system text of its own, as this model's does
        assert 0.5 * (counted.tokens - own) <= guess <= 1.8 * counted.tokens + 10


def test_a_real_refusal_is_read_with_its_numbers(llama: Llama) -> None:
    status, _, _, raw = llama.chat([{"role": "user", "content": "word " * 3000}])
    refusal = read_refusal(status, raw)
    assert status == 400
    assert refusal.kind == "prompt"
    assert refusal.prompt_tokens > 3000
    assert refusal.window >= 1024
