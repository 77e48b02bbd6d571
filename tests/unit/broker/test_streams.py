"""Streams as servers send them, one per provider and fault, in every piece they can come in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from aish.broker.chat import ChatClient
from aish.broker.delta import deltas_of_body
from aish.broker.http_client import HttpClient
from aish.broker.persistent import Persistent, QuirksInMemory
from aish.broker.stream import EventStream, whole_answer
from aish.broker.thinking import CUT
from aish.core.errors import BrokerError
from aish.core.messages import BEGUN, Delta, Request
from aish.core.money.received import Received
from support.asking import request_for, spec_for
from support.scripted import (
    STREAM_HEADERS,
    Step,
    end_events,
    event,
    finish_event,
    scripted_server,
    stream,
    text_event,
)

DATA = Path(__file__).parents[2] / "data" / "streams.jsonl"
RECORDED: dict[str, dict[str, Any]] = {
    entry["name"]: entry for entry in map(json.loads, DATA.read_text().splitlines())
}
STREAMED = [name for name, entry in RECORDED.items() if entry["kind"] == "stream"]
WHOLE = [name for name, entry in RECORDED.items() if entry["kind"] == "body"]


@dataclass
class Read:
    """An answer put together as the engine does it."""

    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    arguments: str = ""
    error: str = ""
    usage: tuple[int | None, int | None] = (None, None)

    def take(self, deltas: Iterable[Delta]) -> None:
        received = Received()
        try:
            for delta in deltas:
                if delta.retract:
                    self.reasoning, self.text = self.reasoning + self.text, ""
                self.text += delta.text
                # What is retracted was said before what is thought with it.
                self.reasoning += delta.reasoning
                self.finish = delta.finish or self.finish
                self.arguments += "".join(call.arguments for call in delta.tool_calls)
                received.take(delta)
        except BrokerError as error:
            self.error = error.message
        if received.usage:
            self.usage = received.usage.prompt_tokens, received.usage.completion_tokens


def request(entry: dict[str, Any]) -> Request:
    asked = request_for("http://h", name="m")
    tools = ({"type": "function"},) if entry.get("tools") else ()
    return Request(asked.spec, asked.messages, asked.max_tokens, tools)


def streamed(entry: dict[str, Any], pieces: Iterable[bytes], *without: str) -> Read:
    events = EventStream(replace(request(entry), without=frozenset(without)))

    def deltas() -> Iterable[Delta]:
        for piece in pieces:
            yield from events.feed(piece)
        yield from events.end()

    found = Read()
    found.take(deltas())
    return found


def as_recorded(entry: dict[str, Any], found: Read) -> None:
    assert found.text == entry["text"]
    assert found.reasoning == entry["reasoning"]
    assert found.finish == entry["finish"]
    assert (entry["error"] in found.error) if entry["error"] else not found.error, found.error
    assert found.usage == (entry["prompt"], entry["completion"])
    if not entry["error"]:
        assert found.arguments == "".join(entry.get("tools", ()))


@pytest.mark.parametrize("name", STREAMED)
def test_a_stream_is_the_same_answer_in_whatever_pieces(name: str) -> None:
    entry = RECORDED[name]
    body = entry["body"].encode()
    whole = streamed(entry, [body])
    as_recorded(entry, whole)
    assert streamed(entry, (body[n : n + 1] for n in range(len(body)))) == whole
    for cut in range(1, len(body)):
        assert streamed(entry, [body[:cut], body[cut:]]) == whole, f"cut at {cut}"
    was_cut = whole.finish in CUT and not whole.reasoning  # then it may have been thinking
    if not entry["error"] and not was_cut:  # whatever is known of the answers before it
        assert streamed(entry, (body[n : n + 1] for n in range(len(body))), BEGUN) == whole


@pytest.mark.parametrize("name", WHOLE)
def test_an_answer_that_is_not_streamed(name: str) -> None:
    entry = RECORDED[name]
    found, asked = Read(), request(entry)

    def deltas() -> Iterable[Delta]:
        yield from whole_answer(deltas_of_body(entry["body"].encode(), asked.spec), asked)

    found.take(deltas())
    as_recorded(entry, found)


def test_every_text_is_the_same_however_its_words_are_cut() -> None:
    """The cuts above are between bytes; these are between the characters of one answer."""
    text = "a `x` <think>one</think> b\n```\n<think>\n```\nc [THINK]two[/THINK]</think>d <thi"
    for cut in range(len(text)):
        pieces = [text[:cut], text[cut:]]
        body = "".join(
            f"data: {json.dumps({'choices': [{'delta': {'content': piece}}]})}\n\n"
            for piece in pieces
        )
        found = streamed({}, [body.encode(), b"data: [DONE]\n\n"])
        assert found.text == "d <thi"
        assert "CMD" not in found.text


SPOKEN_OF = [
    "The </think> tag ends it.",
    'Write "</think>" there, (</think>) too.',
    "Use <thinking> to mark it.\nNothing else is needed.",
    "It is called <think>",
    "It is `</think>`, or ``<think>`` in a `` ` `` of two.",
    "````md\n```\n<think>\n```\n</think>\n````\nThat is all.",
    "~~~\n```\n</think>\n~~~\nThat is all.",
    "CMD: grep -c '</think>' log.txt",
    "CMD: grep -c '<think>' log.txt\nIt counts.",
]
THOUGHT = {
    "Well <think> hm </think> yes": "Well  yes",
    "Use <thinking> so\nCMD: no\n</thinking>\nyes": "Use \nyes",
    "hm. </think>\n\nyes": "yes",
    "<think>hm</think>\r\n\n  yes\n\n": "  yes\n\n",
    "I write \n</think> yes": " yes",
    "so (or so).</think> Yes": " Yes",
    f"Well <think> {'hm ' * 2000}": "Well ",
}


def in_pieces(text: str, finish: str = "stop") -> Iterable[Read]:
    """The text as an answer, cut at every place."""
    for cut in range(min(len(text), 200)):
        pieces = b"".join(map(text_event, (text[:cut], text[cut:])))
        yield streamed({}, [pieces + finish_event(finish) + event("[DONE]")])


@pytest.mark.parametrize("text", SPOKEN_OF)
def test_a_tag_that_is_spoken_of_or_stands_in_code_hides_nothing(text: str) -> None:
    for found in in_pieces(text):
        assert found.text == text


@pytest.mark.parametrize("text", THOUGHT)
def test_what_a_tag_ends_was_thinking_though_a_sentence_may_lead_to_it(text: str) -> None:
    for found in in_pieces(text):
        assert found.text == THOUGHT[text]


def test_a_line_that_begins_an_answer_stays_one_however_the_blanks_before_it_are_cut() -> None:
    text = "<think>hm</think>\n \nCMD: ls\n"
    for cut in range(len(text)):
        pieces = [text_event(text[:cut]), text_event(text[cut:]), event("[DONE]")]
        assert streamed({}, pieces).text == " \nCMD: ls\n"


def test_an_answer_that_its_length_ended_after_a_tag_was_thinking() -> None:
    for found in in_pieces("Well <think> hm", "length"):
        assert found.text == "Well "


@pytest.mark.parametrize(("end", "said"), [("</think>yes", "yes"), ("yes", "hm " * 50 + "yes")])
def test_what_is_held_back_is_counted_once_it_is_longer_than_an_answer(end: str, said: str) -> None:
    """A server may never end. Where it does, what it said is no more than it is."""
    asked = replace(request_for("http://h"), without=frozenset({BEGUN}), max_tokens=10)
    events = EventStream(asked)
    deltas = [delta for _ in range(50) for delta in events.feed(text_event("hm "))]
    assert sum(delta.unread for delta in deltas) == len("hm " * 50)
    assert not any(delta.text or delta.reasoning for delta in deltas)
    deltas += [*events.feed(text_event(end) + finish_event() + event("[DONE]"))]
    assert "".join(delta.text for delta in deltas) == said
    assert sum(delta.unread for delta in deltas) == 0


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_thinking_that_never_came_to_its_end_is_no_answer(finish: str) -> None:
    events = EventStream(replace(request_for("http://h"), without=frozenset({BEGUN})))
    pieces = text_event("hm\n"), text_event("CMD: rm x\n"), text_event("so") + finish_event(finish)
    deltas = [delta for piece in pieces for delta in events.feed(piece)]
    assert not any(delta.text for delta in deltas)
    with pytest.raises(BrokerError, match=r"went into thinking|held the answer back"):
        list(events.end())


BEGUN_ANSWERS = {
    "it thought": (["hm, CMD: ls\n", "so</th", "ink>", "yes"], "yes"),
    "its end alone": (["hm", "</think>", "yes"], "yes"),
    "it did not think": (["ye", "s"], "yes"),
    "it began by itself": (["<think>hm", "</think>y", "es"], "yes"),
    "it said something before": (["y", "<think>hm</think>", "es"], "yes"),
    "its end is in a sentence": (["hm </think>", " yes"], " yes"),
}


@pytest.mark.parametrize("finish", [finish_event(), b""])
@pytest.mark.parametrize("case", BEGUN_ANSWERS)
def test_thinking_that_the_template_began_is_never_said_once_that_is_known(
    case: str, finish: bytes
) -> None:
    pieces, text = BEGUN_ANSWERS[case]
    events = EventStream(replace(request_for("http://h"), without=frozenset({BEGUN})))
    deltas = [delta for piece in map(text_event, pieces) for delta in events.feed(piece)]
    deltas += [*events.feed(finish + event("[DONE]")), *events.end()]
    assert "".join(delta.text for delta in deltas) == text


def test_that_the_template_begins_the_thinking_is_learned_and_forgotten() -> None:
    quirks = QuirksInMemory()
    aloud: list[Step] = [
        STREAM_HEADERS,
        text_event("hm"),
        0.2,
        text_event("</think>"),
        text_event("yes"),
    ]
    plainly = stream("yes")
    with scripted_server([*aloud, end_events()], [*aloud, end_events()], plainly) as server:
        source = Persistent(ChatClient(HttpClient({})), quirks=quirks)
        told = []
        for known in ({BEGUN}, {BEGUN}, set[str]()):
            told.append(
                [delta.text for delta in source.stream(request_for(server.url)) if delta.text]
            )
            assert quirks.of(spec_for(server.url)) == known
    assert told == [["hm", "yes"], ["yes"], ["yes"]]


def test_text_that_arrives_together_is_one_piece() -> None:
    events = EventStream(request_for("http://h", name="m"))
    assert list(events.feed(text_event("a") + text_event("b"))) == [Delta("ab")]
    assert list(events.feed(text_event("c"))) == [Delta("c")]


def test_what_was_said_before_an_error_is_passed_on_first() -> None:
    events = EventStream(request_for("http://h", name="m"))
    deltas = events.feed(text_event("a") + text_event("b") + b"data: no json\n\n")
    assert next(deltas) == Delta("ab")
    with pytest.raises(BrokerError, match="broken JSON"):
        next(deltas)
