"""Servers that want their own answers back as they gave them."""

from __future__ import annotations

from typing import Any

import pytest

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.broker.persistent import Persistent, QuirksInMemory
from aish.broker.recalling import Recalling
from aish.broker.refusal import Unsupported
from aish.core.messages import Message, Request
from support.asking import NotedPause, spec_for
from support.scripted import STREAM_HEADERS, Step, end_events, event, plain, scripted_server, stream

TOOLS = ({"type": "function", "function": {"name": "clock", "parameters": {}}},)
SIGNATURE = {"google": {"thought_signature": "c2lnbmVk"}}
CALL = {"index": 0, "id": "c1", "function": {"name": "clock", "arguments": "{}"}}
QUESTION: Message = {"role": "user", "content": "what time is it?"}
CALLED: list[Message] = [
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "type": "function", "function": CALL["function"]}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "noon"},
]
GEMINI = "Function call is missing a thought_signature in functionCall parts. This is required."
DEEPSEEK = "The `reasoning_content` in the thinking mode must be passed back to the API."
KIMI = "thinking is enabled but reasoning_content is missing in assistant tool call message at 1"


def said(**delta: Any) -> bytes:
    return event({"choices": [{"index": 0, "delta": delta}]})


def calls(*before: bytes, **more: Any) -> list[Step]:
    return [
        STREAM_HEADERS,
        *before,
        said(tool_calls=[{**CALL, **more}]),
        end_events(finish="tool_calls"),
    ]


def refused(words: str) -> list[Step]:
    return plain(400, [{"error": {"code": 400, "message": words, "status": "INVALID_ARGUMENT"}}])


class Talk:
    """One conversation with one server."""

    def __init__(self, url: str) -> None:
        source = Recalling(ChatClient(HttpClient({})))
        self._model = Persistent(source, quirks=QuirksInMemory(), pause=NotedPause())
        self._url = url

    def ask(self, *messages: Message, model: str = "scripted") -> str:
        request = Request(spec_for(self._url, model=model), messages, 64, TOOLS)
        return "".join(delta.text for delta in self._model.stream(request))


def test_a_call_goes_back_with_its_signature_where_the_server_wants_it() -> None:
    with scripted_server(
        calls(extra_content=SIGNATURE), refused(GEMINI), stream("Noon.")
    ) as server:
        talk = Talk(server.url)
        talk.ask(QUESTION)
        assert talk.ask(QUESTION, *CALLED) == "Noon."
    first, again = (chat.json["messages"][1]["tool_calls"][0] for chat in server.chats[1:])
    assert "extra_content" not in first
    assert again["extra_content"] == SIGNATURE


@pytest.mark.parametrize("words", [DEEPSEEK, KIMI])
def test_an_answer_goes_back_with_its_thinking_where_the_server_wants_it(words: str) -> None:
    thinking = (said(reasoning_content="Look at "), said(reasoning_content="the clock."))
    with scripted_server(calls(*thinking), refused(words), stream("Noon.")) as server:
        talk = Talk(server.url)
        talk.ask(QUESTION)
        assert talk.ask(QUESTION, *CALLED) == "Noon."
        talk.ask(QUESTION, *CALLED, {"role": "assistant", "content": "Noon."}, QUESTION)
    assert len(server.chats) == 4, "what it wants is remembered"
    thought = [m.get("reasoning_content") for m in server.chats[3].json["messages"]]
    assert thought == [None, "Look at the clock.", None, " ", None]


def test_thinking_that_only_its_server_reads_goes_back_in_one_piece() -> None:
    parts = [
        {"type": "reasoning.text", "index": 0, "text": "Look ", "signature": None},
        {"type": "reasoning.text", "index": 0, "text": "up.", "signature": "s"},
        {"type": "reasoning.encrypted", "index": 1, "data": "YQ==", "id": "c1"},
    ]
    before = [said(reasoning_details=[part]) for part in parts]
    with scripted_server(calls(*before), refused(GEMINI), stream("Noon.")) as server:
        talk = Talk(server.url)
        talk.ask(QUESTION)
        talk.ask(QUESTION, *CALLED)
    assert server.chats[2].json["messages"][1]["reasoning_details"] == [
        {"type": "reasoning.text", "index": 0, "text": "Look up.", "signature": "s"},
        parts[2],
    ]


def test_what_one_model_signed_goes_to_no_other() -> None:
    with scripted_server(calls(extra_content=SIGNATURE), refused(GEMINI)) as server:
        talk = Talk(server.url)
        talk.ask(QUESTION)
        with pytest.raises(Unsupported, match="calls without thought_signature"):
            talk.ask(QUESTION, *CALLED, model="other")
    assert all(b"c2lnbmVk" not in chat.body for chat in server.chats)


def test_calls_without_ids_go_back_each_with_its_own_signature() -> None:
    def asking(zone: str) -> dict[str, str]:
        return {"name": "clock", "arguments": f'{{"zone": "{zone}"}}'}

    def signed(zone: str) -> dict[str, Any]:
        return {"google": {"thought_signature": zone}}

    answers = [calls(id="", function=asking(z), extra_content=signed(z)) for z in ("UTC", "CET")]
    told: list[Message] = [QUESTION]
    with scripted_server(*answers, refused(GEMINI), stream("Noon.")) as server:
        talk = Talk(server.url)
        for zone in ("UTC", "CET"):
            talk.ask(*told)
            call = {"id": "call_0", "type": "function", "function": asking(zone)}
            told.append({"role": "assistant", "content": "", "tool_calls": [call]})
            told.append({"role": "tool", "tool_call_id": "call_0", "content": "noon"})
        talk.ask(*told)
    sent = [m["tool_calls"][0] for m in server.chats[-1].json["messages"] if "tool_calls" in m]
    assert [call["extra_content"] for call in sent] == [signed("UTC"), signed("CET")]
