"""Messages in every kind programs have them: the same kinds come out, and nothing is shared.

The classes stand in for those of the SDKs; bench/context/sdks.py does the same with the real ones.
"""

from __future__ import annotations

import copy
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict

import msgspec
import pytest
from pydantic import BaseModel, ConfigDict

import aish

CONFIG = aish.ContextManagementConfig(1500, 200)
RULE = "Never touch /srv/archive."


class Typed(TypedDict, total=False):
    role: str
    content: str | None
    tool_calls: list[dict[str, Any]]
    tool_call_id: str


class Pydantic(BaseModel):
    """As the OpenAI SDK and LiteLLM have them: optional fields, and more than were declared."""

    model_config = ConfigDict(extra="allow")
    role: str
    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None


@dataclass
class Plain:
    role: str
    content: str | None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


@dataclass(frozen=True)
class Frozen:
    role: str
    content: str | None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


class Struct(msgspec.Struct):
    role: str
    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


class Slotless:
    def __init__(self, role: str, content: str | None, **more: object) -> None:
        self.role, self.content = role, content
        self.__dict__ |= more


@dataclass
class BaseMessage:
    """LangChain's shape: a type instead of a role, arguments as a dict."""

    type: ClassVar[str] = ""
    content: str
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    tool_call_id: str = ""
    additional_kwargs: dict[str, Any] = field(default_factory=dict)


class HumanMessage(BaseMessage):
    type: ClassVar[str] = "human"


class SystemMessage(BaseMessage):
    type: ClassVar[str] = "system"


class AIMessage(BaseMessage):
    type: ClassVar[str] = "ai"


class ToolMessage(BaseMessage):
    type: ClassVar[str] = "tool"


for one in (BaseMessage, HumanMessage, SystemMessage, AIMessage, ToolMessage):
    one.__module__ = "langchain_core.messages"


def langchain(**message: Any) -> BaseMessage:
    classes = {"user": HumanMessage, "system": SystemMessage, "assistant": AIMessage}
    calls = [
        {"id": call["id"], "name": call["function"]["name"], "args": {"path": "/tmp"}}
        for call in message.get("tool_calls", ())
    ]
    made = classes.get(message["role"], ToolMessage)
    return made(message["content"], calls, message.get("tool_call_id", ""))


KINDS: dict[str, Callable[..., Any]] = {
    "dict": dict,
    "TypedDict": Typed,
    "pydantic": Pydantic,
    "dataclass": Plain,
    "frozen dataclass": Frozen,
    "msgspec": Struct,
    "object": Slotless,
    "LangChain": langchain,
}


def conversation() -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = [{"role": "system", "content": "You are helpful."}]
    said.append({"role": "user", "content": f"Tidy the disk. {RULE}"})
    for n in range(40):
        call = {"name": "ls", "arguments": '{"path": "/tmp"}'}
        calls = [{"id": f"c{n}", "type": "function", "function": call}]
        said.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": calls})
        said.append({"role": "tool", "tool_call_id": f"c{n}", "content": "file " * 40})
        if n % 10 == 9:
            said.append({"role": "assistant", "content": "Done so far."})
            said.append({"role": "user", "content": f"Go on with part {n}."})
    return said


def fields(message: Any) -> Any:
    return message if isinstance(message, dict) else {
        name: getattr(message, name, None)
        for name in ("role", "type", "content", "tool_calls", "tool_call_id")
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_kinds_come_back_and_share_nothing(kind: str) -> None:
    given = [KINDS[kind](**message) for message in conversation()]
    before = [copy.deepcopy(fields(one)) for one in given]
    result = aish.build_final_prompt(given, CONFIG)
    assert [fields(one) for one in given] == before, "nothing given is changed"
    assert result.was_trimmed and result.token_count <= CONFIG.max_input_tokens
    assert all(type(one) in {type(given_one) for given_one in given} for one in result.messages)
    ours = {id(one) for one in given} | {id(fields(one).get("tool_calls")) for one in given}
    ours.discard(id(None))
    for one in result.messages:
        assert id(one) not in ours and id(fields(one).get("tool_calls")) not in ours
    assert RULE in str([fields(one) for one in result.messages])
    again = aish.build_final_prompt(result.messages, CONFIG)
    assert not again.was_trimmed, "what comes out goes in again"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_counts_the_same(kind: str) -> None:
    given = [KINDS[kind](**message) for message in conversation()]
    wanted = aish.estimate_tokens(conversation())
    # LangChain's own form of arguments is an object, written anew.
    assert aish.estimate_tokens(iter(given)) == pytest.approx(wanted, rel=0.03)


MALFORMED: tuple[object, ...] = (
    None, 5, 1.5, float("nan"), True, "user", b"user", [], {}, [5], [[]], ["x"], {"x": []},
    object(), set(),
    [{"function": 5}], [{"function": {"name": 5}}], [None], {"type": "text"}, [{"text": 5}],
    (), "\ud800",
)  # fmt: skip
FIELDS = ("role", "content", "tool_calls", "function_call", "tool_call_id", "name", "refusal")


def malformed(rng: random.Random) -> list[Any]:
    messages: list[Any] = copy.deepcopy(conversation()[: rng.randrange(1, 12)])
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(messages))
        if rng.random() < 0.15 or not isinstance(messages[at], dict):
            messages[at] = rng.choice(MALFORMED)
        else:
            messages[at][rng.choice(FIELDS)] = rng.choice(MALFORMED)
    return messages


def test_whatever_is_malformed_is_one_error_that_names_index_and_field() -> None:
    rng, refused = random.Random(11), 0
    entries: tuple[Callable[[list[Any]], object], ...] = (
        lambda given: aish.build_final_prompt(given, CONFIG),
        lambda given: aish.check_budget(given, CONFIG),
        lambda given: aish.enforce_context_limit(given, CONFIG),
        lambda given: aish.Context(CONFIG).load(given),
    )
    for number in range(4000):
        messages = malformed(rng)
        try:
            entries[number % len(entries)](messages)
        except aish.MessageError as error:
            refused += 1
            assert 0 <= error.index < len(messages) and error.field
            assert f"message {error.index}: {error.field}" in str(error)
    assert refused > 1000, "something was at stake"


def itself() -> dict[str, Any]:
    message: dict[str, Any] = {"role": "user", "content": "hello"}
    message["extra"] = message
    return message


def deep(levels: int) -> object:
    value: object = "text"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (None, "messages"),
        (5, "messages"),
        ([itself()], "extra"),
        ([{"role": "user", "content": "hello", "extra": deep(5000)}], "extra"),
        ([{"role": "user", "content": [{"type": "x", "x": deep(5000)}]}], "content"),
        ([{"role": "user", "content": [{"type": "text", "text": 5}]}], "content[0].text"),
        ([{"role": "user", "content": "hello", "lock": threading.Lock()}], "lock"),
    ],
)
def test_what_no_server_takes_is_named(given: Any, field: str) -> None:
    with pytest.raises(aish.MessageError) as caught:
        aish.build_final_prompt(given, CONFIG)
    assert (caught.value.index, caught.value.field) == (0, field)


WORDS: tuple[dict[str, Any], ...] = (
    {"type": "thinking", "thinking": "hm " * 30, "signature": "x" * 60},
    {"type": "refusal", "refusal": "I will not."},
    {"type": "url_citation", "url_citation": {"title": "a page", "url": "https://example.org/a"}},
    {"type": "file_citation", "file_citation": {"file_id": "f1", "quote": "word for word"}},
    {"type": "tool_reference", "source": "notes.py"},
)


@pytest.mark.parametrize("part", WORDS, ids=lambda part: str(part["type"]))
def test_what_only_says_something_is_counted_by_its_words(part: dict[str, Any]) -> None:
    said = {"role": "assistant", "content": "hello"}
    for message in ({**said, "content": [part]}, {**said, "annotations": [part]}):
        assert aish.estimate_tokens([message]) < 150


def test_what_a_model_said_aloud_is_counted_as_sound() -> None:
    sound = {"id": "audio_1", "data": "AAAA" * 100_000, "transcript": "hello there"}
    message = {"role": "assistant", "content": None, "audio": sound}
    assert 600 <= aish.estimate_tokens([message]) < 1000


def test_an_interrupted_call_is_counted_with_its_long_id() -> None:
    context = aish.Context(CONFIG)
    context.add_user("go")
    context.add_assistant("", [aish.ToolCall("call_" + "x" * 200, "ls", "{}")])
    assert context.estimate_tokens() == aish.estimate_tokens(context.to_messages())


def test_threads_may_fit_the_same_messages_at_the_same_time() -> None:
    messages = [one for _ in range(20) for one in conversation()[1:]]
    wanted = aish.build_final_prompt(messages, CONFIG).messages
    found: list[Any] = []

    def fit() -> None:
        for _ in range(5):
            found.append(aish.build_final_prompt(messages, CONFIG).messages)

    threads = [threading.Thread(target=fit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40 and all(one == wanted for one in found)
