"""Random conversations, and the guarantees every prompt made from them must keep."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from aish.core.context.eviction import Eviction
from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import Compress, ContextManagementConfig, Route
from aish.core.context.tokens import Tokenizer, count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import ContextOverflowError
from aish.core.messages import ToolCall, Usage

Message = dict[str, Any]


class Words:
    name = "words"

    def count(self, text: str) -> int:
        return len(text.split()) + text.count("\n")


class Characters:
    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


TOKENIZERS: tuple[Tokenizer, ...] = (get_tokenizer(), Words(), Characters())
_PIECES = ("word ", "x", "\n", "中", "12", ". ", "/usr/bin ", "é", "😀", "{}")


def text(size: int, salt: int) -> str:
    """A text of `size` pieces, the same for the same numbers."""
    return "".join(_PIECES[(salt * 7 + at * (salt % 5 + 1)) % len(_PIECES)] for at in range(size))


@dataclass(frozen=True)
class Setting:
    window: int
    reserve: int
    tokenizer: int
    tool_role: bool
    compress: Compress | None
    config: ContextManagementConfig
    base: int


@st.composite
def settings(draw: st.DrawFn) -> Setting:
    window = draw(st.sampled_from((40, 90, 200, 600, 1500, 5000)))
    reserve = draw(st.integers(0, window // 2))
    config = ContextManagementConfig(
        window,
        reserve,
        preserve_recent_turns=draw(st.integers(0, 3)),
        max_turns=draw(st.sampled_from((None, 2, 7, 40))),
        max_age=draw(st.integers(0, 5)),
        max_tokens_per_output=draw(st.sampled_from((30, 300, 2000))),
        small_output_tokens=draw(st.sampled_from((0, 20, 100))),
        digest=draw(st.booleans()),
    )
    compress = draw(st.sampled_from((None, None, None, Compress(2, 100), Compress(1, 20))))
    tool_role = draw(st.booleans())
    tokenizer = draw(st.integers(0, len(TOKENIZERS) - 1))
    return Setting(
        window, reserve, tokenizer, tool_role, compress, config, draw(st.integers(0, 40))
    )


# What happens in a conversation: a kind, a size, and how many calls are made and answered.
happenings = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 120), st.integers(1, 3), st.integers(0, 3)),
    max_size=24,
)


class Play:
    """Plays happenings into a context and checks the prompt after each."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.tokenizer = TOKENIZERS[setting.tokenizer]
        self.context = Context(setting.config, self.tokenizer)
        self.route = Route(
            "model",
            setting.window,
            setting.reserve,
            self.tokenizer,
            tool_role=setting.tool_role,
            compress=setting.compress,
        )
        self.context.use(self.route)
        self.context.set_block("base", text(setting.base, 3))
        self.newest = self.goal = ""
        self.calls = 0
        self.prompts = self.refusals = 0
        self.evictions: list[Eviction] = []

    def run(self, events: list[tuple[int, int, int, int]]) -> None:
        for salt, (kind, size, calls, answered) in enumerate(events):
            self.happen(kind, size, calls, answered, salt)
            self.check()

    def happen(self, kind: int, size: int, calls: int, answered: int, salt: int) -> None:
        context = self.context
        if kind <= 3:
            if kind == 3:
                context.add_exec_output(text(size * 6, salt))
            self.newest = f"Q{text(size // 3, salt)}?"
            context.add_user(self.newest)
        elif kind <= 5:
            context.add_assistant(f"A{text(size, salt)}")
        elif kind <= 8:
            self._call(size, calls, answered, salt)
        elif kind == 9:
            self.goal = "" if self.goal else f"reach {salt}"
            context.set_goal(self.goal)
        elif kind == 10:
            context.rollback() if size % 2 else context.undo()
            self.newest = ""
        else:
            try:
                context.compact()
            except ContextOverflowError:
                self.refusals += 1

    def _call(self, size: int, calls: int, answered: int, salt: int) -> None:
        made = [ToolCall(f"c{self.calls + n}", "tool", '{"a": 1}') for n in range(calls)]
        self.calls += calls
        self.context.add_assistant(text(size % 5, salt), made)
        for call in list(reversed(made))[:answered]:
            self.context.add_tool_result(call.id, text(size * 4, salt), is_error=size % 7 == 0)

    def check(self) -> None:
        limit = self.setting.window - self.setting.reserve
        before = len(self.context.log)
        try:
            eviction = self.context.enforce_budget()
        except ContextOverflowError as error:
            assert error.need > error.have
            self.refusals += 1
            return
        messages = self.context.to_messages()
        assert len(self.context.log) == before, "making room forgets nothing"
        assert count_messages(messages, self.tokenizer) <= limit
        check_shape(messages, tool_role=self.setting.tool_role)
        if self.newest:
            assert last_user(messages).endswith(self.newest)
        if self.goal:
            assert self.goal in messages[0]["content"]
        assert self.context.enforce_budget() is None, "one cut is enough"
        assert self.context.to_messages() == messages
        if eviction is not None:
            assert eviction.message
            self.evictions.append(eviction)
        self.prompts += 1


def check_shape(messages: list[Message], *, tool_role: bool = True) -> None:
    """What strict chat templates and every server demand of the order of messages."""
    said = [message for message in messages if message["role"] not in ("system", "developer")]
    assert not said or said[0]["role"] == "user"
    waiting: list[str] = []
    before = ""
    for message in said:
        role = message["role"]
        if role == "tool":
            assert tool_role
            waiting.remove(message["tool_call_id"])
        else:
            assert not waiting, "every call is answered before anything else is said"
            assert role != before
            assert before != "tool" or role == "assistant"
            waiting = [call["id"] for call in message.get("tool_calls") or ()]
            assert tool_role or not waiting
        before = role
    assert not waiting
    json.dumps(messages).encode("utf-8")


def last_user(messages: list[Message]) -> str:
    return next(str(m["content"]) for m in reversed(messages) if m["role"] == "user")


@st.composite
def raw_messages(draw: st.DrawFn) -> list[Message]:
    """OpenAI-style messages as programs send them: valid, sloppy and broken ones."""
    messages: list[Message] = []
    if draw(st.booleans()):
        messages.append({"role": "system", "content": text(draw(st.integers(0, 30)), 1)})
    for salt, (kind, size, calls, answered) in enumerate(draw(happenings)):
        if kind <= 4:
            messages.append({"role": "user", "content": f"Q{salt} {text(size, salt)}"})
        elif kind <= 7:
            messages.append({"role": "assistant", "content": text(size, salt)})
        elif kind <= 10:
            made = [f"{salt}-{n}" for n in range(calls)]
            listed = [
                {"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}
                for name in made
            ]
            messages.append({"role": "assistant", "content": None, "tool_calls": listed})
            messages += [
                {"role": "tool", "tool_call_id": name, "content": text(size * 5, salt)}
                for name in made[:answered]
            ]
        else:
            messages.append({"role": "tool", "tool_call_id": "nobody", "content": text(size, salt)})
    return messages


def check_library(messages: list[Message], setting: Setting) -> bool:
    """Fit messages as a program would; True if they fit."""
    before = copy.deepcopy(messages)
    limit = setting.window - setting.reserve
    try:
        result = build_final_prompt(messages, setting.config)
    except ContextOverflowError as error:
        assert error.need > error.have
        return False
    finally:
        assert messages == before, "messages are never changed"
    tokenizer = get_tokenizer()
    assert result.token_count == count_messages(result.messages, tokenizer) <= limit
    check_shape(result.messages)
    asked = [message["content"] for message in messages if message["role"] == "user"]
    if asked:
        assert last_user(result.messages).endswith(asked[-1])
    assert result.messages[:1] == messages[:1] or messages[0]["role"] != "system"
    again = build_final_prompt(messages, setting.config)
    assert again == result
    return True


def reported(messages: list[Message], tokenizer: Tokenizer, off: float) -> Usage:
    """What a server whose tokens are `off` times ours would report."""
    return Usage(prompt_tokens=round(off * count_messages(messages, tokenizer)))
