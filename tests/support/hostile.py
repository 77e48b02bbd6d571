"""Hostile conversations from a seed, made fast: everything a program may send, and worse."""

from __future__ import annotations

import base64
import copy
import random
import struct
from dataclasses import dataclass, field
from typing import Any

from aish.core.context.log import text_of
from aish.core.context.payload import aborted_result
from aish.core.context.pins import pin_room
from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.tokens import count_message, count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import ContextOverflowError

Message = dict[str, Any]
TOKENIZER = get_tokenizer()
RULES = (
    "Never touch /etc/passwd.",
    "From now on use tabs.",
    "Ab jetzt nur noch mit Tests.",
    "N'utilise jamais sudo.",
    "从现在开始只用 pytest。",
    "Use postgres instead of sqlite.",
    "Никогда не удаляй логи.",
)
LOST = "nobody"  # the call of results that have none
NOW: Message = {"role": "user", "content": "and what now?"}
RESULTS = ("tool", "function")
_FRAME = 100  # tokens around what is repeated, and of the first goal
_PIECES = (
    "word ",
    "x",
    "\n",
    "中文",
    "12",
    ". ",
    "/usr/bin ",
    "é",
    "😀",
    "{}",
    "\x00",
    "<|im_end|>",
)
_LEAST_RESULT = 40  # tokens a result takes when hardly anything of it is left


def _png(width: int, height: int) -> str:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)
    return "data:image/png;base64," + base64.b64encode(head + b"\0" * 40).decode()


def _texts() -> tuple[str, ...]:
    rng = random.Random(5)
    sizes = (0, 1, 3, 8, 8, 20, 20, 60, 60, 200, 600, 2500)
    return tuple(
        "".join(rng.choice(_PIECES) for _ in range(size)) for size in sizes for _ in range(12)
    )


TEXTS = _texts()
PARTS: tuple[Message, ...] = (
    {"type": "image_url", "image_url": {"url": _png(640, 480)}},
    {"type": "image_url", "image_url": {"url": _png(64, 64), "detail": "low"}},
    {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    {"type": "input_audio", "input_audio": {"data": "AAAA" * 300, "format": "wav"}},
    {"type": "file", "file": {"file_data": "data:application/pdf;base64," + "QUJD" * 400}},
    {"type": "document", "source": {"type": "base64", "media_type": "text/plain", "data": "QQ=="}},
    {"type": "thinking", "thinking": "hm " * 30, "signature": "x" * 60},
    {"type": "never_heard_of", "payload": {"deep": [{"er": "text " * 20}, None, 3.5]}},
    {"type": "refusal", "refusal": "I will not."},
)


@dataclass
class Case:
    """One conversation, the budget it must fit, and what was laid down in it."""

    messages: list[Message]
    config: ContextManagementConfig
    rules: list[str] = field(default_factory=list)
    tools: list[Message] | None = None


class Writer:
    """Draws one conversation."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.messages: list[Message] = []
        self.rules: list[str] = []
        self.calls = 0
        self.late: list[Message] = []

    def case(self) -> Case:
        rng = self.rng
        for _ in range(rng.choice((0, 1, 1, 2))):
            role = rng.choice(("system", "system", "developer"))
            self.messages.append({"role": role, "content": rng.choice(TEXTS)[:120]})
        for _ in range(rng.choice((0, 1, 2, 4, 8, 16, 24))):
            self._happen()
        tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
        return Case(self.messages, self._config(), self.rules, rng.choice((None, None, tools)))

    def _config(self) -> ContextManagementConfig:
        rng = self.rng
        window = rng.choice((60, 150, 400, 1000, 4000, 12000))
        return ContextManagementConfig(
            window,
            rng.randrange(0, window // 2),
            preserve_recent_turns=rng.randrange(4),
            max_turns=rng.choice((None, None, None, 2, 7, 40)),
            max_age=rng.randrange(6),
            small_output_tokens=rng.choice((0, 20, 100)),
            low_water=rng.choice((0.5, 0.5, 0.1, 0.9)),
            strict_roles=rng.random() < 0.7,
        )

    def _happen(self) -> None:
        kind = self.rng.random()
        if kind < 0.4:
            self._user()
        elif kind < 0.6:
            self._assistant()
        elif kind < 0.9:
            self._step()
        elif kind < 0.94:
            self.messages.append({"role": "tool", "tool_call_id": LOST, "content": self.text()})
        elif kind < 0.97:
            self.messages.append({"role": "system", "content": self.text()[:200]})
        else:
            self.messages += self.late
            self.late = []

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def content(self) -> object:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.7:
            return self.text()
        parts = [copy.deepcopy(rng.choice(PARTS)) for _ in range(rng.randrange(3))]
        said = [{"type": "text", "text": self.text()}, *parts]
        if kind < 0.93:
            rng.shuffle(said)
            return said
        odd: tuple[object, ...] = (said[0], self.text().encode(), [self.text(), *parts], None, "")
        return rng.choice(odd)

    def _user(self) -> None:
        rng = self.rng
        content = self.content()
        if rng.random() < 0.15:
            content = rng.choice(RULES)
            self.rules.append(content)
        message: Message = {"role": "user", "content": content}
        if rng.random() < 0.1:
            message["name"] = rng.choice(("ada", "bob"))
        self.messages.append(message)

    def _assistant(self) -> None:
        rng = self.rng
        message: Message = {"role": "assistant", "content": self.content()}
        self._extras(message)
        if rng.random() < 0.1:
            message |= {"content": None, "refusal": "I will not do that. " * rng.randrange(9)}
        self.messages.append(message)

    def _extras(self, message: Message) -> None:
        kind = self.rng.random()
        if kind < 0.15:
            message["reasoning_content"] = self.text()
        elif kind < 0.25:
            message["annotations"] = [{"type": "x", "text": self.text()[:300]}, {"n": 1.5}]
        elif kind < 0.3:
            message["audio"] = {"id": "audio_" + "a" * 90}

    def _step(self) -> None:
        rng = self.rng
        message: Message = {"role": "assistant", "content": rng.choice((None, self.text()[:80]))}
        self._extras(message)
        if rng.random() < 0.12:
            message["function_call"] = {"name": "f", "arguments": self.text()[:200]}
            self.messages.append(message)
            if rng.random() < 0.9:
                said = {"role": "function", "name": "f", "content": self.text()}
                self.messages.append(said)
            return
        ids = [self._id() for _ in range(rng.choice((1, 1, 2, 3)))]
        message["tool_calls"] = [self._call(name) for name in ids]
        self.messages.append(message)
        results = [self._result(name) for name in ids if rng.random() < 0.9]
        rng.shuffle(results)
        if rng.random() < 0.1 and results:
            self.late.append(results.pop())
        self.messages += results

    def _id(self) -> str:
        self.calls += self.rng.random() < 0.95  # now and then an id comes twice
        return f"call_{self.calls}" + ("x" * 80 if self.rng.random() < 0.05 else "")

    def _call(self, name: str) -> Message:
        if self.rng.random() < 0.15:
            return {"id": name, "type": "custom", "custom": {"name": "p", "input": self.text()}}
        arguments: object = self.rng.choice(("{}", self.text()[:300], {"path": ["a", 1, None]}))
        return {"id": name, "type": "function", "function": {"name": "f", "arguments": arguments}}

    def _result(self, name: str) -> Message:
        message: Message = {"role": "tool", "tool_call_id": name, "content": self.content()}
        if self.rng.random() < 0.15:
            message["is_error"] = True
        return message


@dataclass
class Tally:
    """What was tried; a violation is an AssertionError."""

    conversations: int = 0
    prompts: int = 0
    trimmed: int = 0
    refused: int = 0
    rules: int = 0  # rules that had left their place and were looked for

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def case_of(seed: int) -> Case:
    return Writer(random.Random(seed)).case()


def check(case: Case, tally: Tally, *, twice: bool) -> None:
    """Fit a conversation both ways and hold the result to every promise."""
    tally.conversations += 1
    before = copy.deepcopy(case.messages)
    try:
        _check_library(case, tally, twice=twice)
        _check_context(case, tally)
    finally:
        assert case.messages == before, "messages are never changed"


def _check_library(case: Case, tally: Tally, *, twice: bool) -> None:
    config, limit = case.config, case.config.max_input_tokens
    try:
        result = build_final_prompt(case.messages, config, tools=case.tools)
    except ContextOverflowError as error:
        tally.refused += 1
        assert error.need > error.have
        assert floor_of(case) > limit, f"refused, although {floor_of(case)} fit {limit}"
        return
    tally.prompts += 1
    tally.trimmed += result.was_trimmed
    rendered = count_messages(result.messages, TOKENIZER, case.tools)
    assert result.token_count == rendered <= limit
    assert not _shared(result.messages, case.messages)
    check_newest(case.messages, result.messages)
    check_results(result.messages, strict=config.strict_roles)
    _check_rules(case, result.messages, tally)
    if not result.was_trimmed and not config.strict_roles and _is_valid(case.messages):
        assert result.messages == case.messages
    if twice:
        assert build_final_prompt(case.messages, config, tools=case.tools) == result


def _check_context(case: Case, tally: Tally) -> None:
    context = Context(case.config, TOKENIZER)
    context.load(case.messages)
    context.set_tools(case.tools or ())
    context.pin("the port is 8443")
    context.add_user(NOW["content"])
    try:
        context.enforce_budget()
    except ContextOverflowError as error:
        tally.refused += 1
        assert error.need > error.have
        least = count_messages([NOW], TOKENIZER, case.tools)
        assert least > case.config.max_input_tokens, "refused, although the request alone fits"
        return
    messages = context.to_messages()
    tally.prompts += 1
    assert count_messages(messages, TOKENIZER, case.tools) <= case.config.max_input_tokens
    assert not _shared(messages, case.messages)
    assert text_of(messages[-1]["content"]).endswith(NOW["content"])
    check_results(messages, strict=True)
    if pin_room(case.config.max_input_tokens) >= _FRAME + _tokens(case.rules):
        assert "the port is 8443" in str(messages)
        for rule in case.rules:
            tally.rules += 1
            assert rule in _spoken(messages)


def floor_of(case: Case) -> int:
    """About the least that must be sent: the system messages, the newest request, the last step."""
    rest = after_system(case.messages)
    leading = case.messages[: len(case.messages) - len(rest)]
    least = count_messages(leading, TOKENIZER, case.tools)
    newest = max((at for at, m in enumerate(rest) if _is_users(m)), default=-1)
    if newest >= 0:
        least += count_message(rest[newest], TOKENIZER)
    tail = rest[newest + 1 :]
    start = max((at for at, m in enumerate(tail) if m["role"] == "assistant"), default=0)
    while start and (
        tail[start - 1]["role"] == "assistant" or tail[start - 1].get("tool_call_id") == LOST
    ):
        start -= 1  # neighbours become one message, also where a lost result stood between them
    for message in tail[start:]:
        cost = count_message(message, TOKENIZER)
        least += min(cost, _LEAST_RESULT) if message["role"] in RESULTS else cost
    legacy = sum("function_call" in m for m in tail)
    answers = sum(_answer(call["id"]) for m in tail for call in m.get("tool_calls") or ())
    return least + _LEAST_RESULT * legacy + answers + 30


def _answer(call: str) -> int:
    """The least a call's result takes; the id is in it, and is counted where it is very long."""
    return max(_LEAST_RESULT, count_message(aborted_result(call), TOKENIZER))


def after_system(messages: list[Message]) -> list[Message]:
    """The messages without the system messages they begin with."""
    roles = ("system", "developer")
    lead = next((at for at, m in enumerate(messages) if m["role"] not in roles), len(messages))
    return messages[lead:]


def check_newest(given: list[Message], made: list[Message]) -> None:
    """The newest request is word for word the last the user says."""
    rest = after_system(given)
    asked = [message for message in rest if _is_users(message)]
    if asked:
        said = [message for message in made[len(given) - len(rest) :] if _is_users(message)]
        assert text_of(said[-1]["content"]).endswith(text_of(asked[-1]["content"]))


def check_results(messages: list[Message], *, strict: bool) -> None:
    """Every result follows its call, every call is answered; roles alternate where they must."""
    waiting: list[str] = []
    before = ""
    for message in messages:
        role = message["role"]
        if role in RESULTS:
            waiting.remove(message.get("tool_call_id") or message["name"])
        else:
            assert not waiting, "every call is answered before anything else is said"
            assert not strict or role != before or role in ("system", "developer")
            waiting = [call["id"] for call in message.get("tool_calls") or ()]
            if message.get("function_call"):
                waiting.append(message["function_call"]["name"])
        before = role
    assert not waiting


def _check_rules(case: Case, made: list[Message], tally: Tally) -> None:
    lead = [m for m in case.messages if m["role"] in ("system", "developer")]
    room = case.config.max_input_tokens - count_messages(lead, TOKENIZER, case.tools)
    if pin_room(room) < _FRAME + _tokens(case.rules) + 40:
        return
    if floor_of(case) + pin_room(room) > case.config.max_input_tokens:
        return  # what was laid down gives way before the newest request does
    for rule in case.rules:
        tally.rules += 1
        assert rule in _spoken(made), rule


def _tokens(rules: list[str]) -> int:
    return sum(TOKENIZER.count(rule) + 8 for rule in rules)


def _spoken(messages: list[Message]) -> str:
    return "\n".join(text_of(message.get("content")) for message in messages)


def _is_users(message: Message) -> bool:
    return message["role"] not in ("assistant", *RESULTS)


def _is_valid(messages: list[Message]) -> bool:
    try:
        check_results(messages, strict=False)
    except (AssertionError, ValueError):
        return False
    return True


def _shared(made: object, given: object) -> bool:
    """Whether anything changeable in one is also in the other."""
    return not _containers(made).isdisjoint(_containers(given))


def _containers(value: object) -> set[int]:
    found: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else None
        if inner is not None and id(one) not in found:
            found.add(id(one))
            waiting += inner
    found.discard(id(value))
    return found


def tried(seeds: range) -> Tally:
    """What became of the conversations of these seeds.

    Raises: AssertionError, with the seed, where a promise is broken.
    """
    tally = Tally()
    for seed in seeds:
        try:
            check(case_of(seed), tally, twice=seed % 8 == 0)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
    return tally
