"""The conversation a model sees: always within its window, always a valid chat, never losing the task."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aish.core.budget import Marks, View, cost, head_of, make_room, shown
from aish.core.clamp import clamp_tokens
from aish.core.compress import compressed
from aish.core.errors import ContextOverflowError
from aish.core.eviction import Breakdown, Eviction, Observed
from aish.core.gauge import Gauge, Prompt
from aish.core.ledger import Ledger
from aish.core.log import Entry, Log
from aish.core.messages import Message, ToolCall, Turn, Usage
from aish.core.payload import neutralise, render
from aish.core.prompt import Block, autonomy_block, compose, shown_blocks
from aish.core.settings import Compress, ContextManagementConfig, Route
from aish.core.summary import digest
from aish.core.tokens import (
    MESSAGE_OVERHEAD,
    REPLY_OVERHEAD,
    Tokenizer,
    count_text,
    count_tools,
    get_tokenizer,
)

EXEC_OUTPUT = "[exec output]\n"
Count = Callable[[list[Message]], int | None]  # the server's own count, or None if it has none now

__all__ = ["Compress", "Context", "Route"]


@dataclass(frozen=True, slots=True)
class Room:
    """What a prompt may take, in the ledger's own tokens."""

    marks: Marks  # for the conversation
    whole: int  # for everything
    digest: int  # for notes on what is dropped


@dataclass(frozen=True, slots=True)
class Above:
    """What stands above the conversation, composed."""

    key: tuple[str, str]
    system: str
    tokens: int  # with the tools and what opens the answer


class Context:
    """Turns go in as they happen; `enforce_budget` makes room; `to_messages` is what to send.

    One context serves several routes (models): each keeps its own cut and its own measurements.
    """

    def __init__(
        self, config: ContextManagementConfig, tokenizer: Tokenizer | None = None, model: str = ""
    ) -> None:
        self.config = config
        self.log = Log()
        self._pending: list[str] = []
        self._taken: list[str] = []  # the output that went into the newest user turn
        self._blocks: dict[Block, str] = {}
        self._tools: tuple[Mapping[str, Any], ...] = ()
        self._tools_text = ""
        self._composed: dict[int, Above] = {}
        self._ledgers: dict[tuple[int, bool], Ledger] = {}
        self._gauges: dict[str, Gauge] = {}
        self.use(
            Route(
                key=model or "default",
                window=config.max_context_tokens,
                reserve=config.reserved_output_tokens,
                tokenizer=tokenizer or get_tokenizer(model),
                token_budget=config.token_budget,
            )
        )

    # What is said

    def add_user(self, text: str) -> None:
        """Add the user's words, after the output of the commands run since the last time."""
        self._taken, self._pending = self._pending, []
        output = "".join(f"{EXEC_OUTPUT}{piece}\n\n" for piece in self._taken)
        self.log.add_user(output + text, output=len(output))

    def add_assistant(self, text: str, tool_calls: Sequence[ToolCall] = ()) -> None:
        self.log.add_assistant(text, tuple(tool_calls))

    def add_tool_result(self, call_id: str, text: str, *, is_error: bool = False) -> None:
        """Answer an open tool call; a long result keeps its head and tail.

        Raises: ValueError when no such call is open.
        """
        if not self.log.add_result(call_id, self.clamp_output(text), is_error):
            raise ValueError(f"no open tool call {call_id!r}")

    def add_exec_output(self, text: str) -> None:
        """Keep a command's output for the next user turn."""
        if text.strip():
            self._pending.append(self.clamp_output(text))

    def clamp_output(self, text: str) -> str:
        """An output as it is taken in: bounded, and unable to end its turn in the template."""
        limit = self.config.max_tokens_per_output
        return clamp_tokens(neutralise(text), limit, self._gauge.ledger.tokenizer)

    def load(self, messages: Iterable[Message]) -> None:
        """Take in an earlier conversation; calls it left open are closed as aborted when it goes on."""
        for message in messages:
            self.log.add_message(message)

    def rollback(self) -> str:
        """Take back the newest user turn and what followed; its output waits again. Returns its text."""
        if not self.log.exchanges:
            return ""
        entry = self._take_back(self.log.exchanges[-1])[0]
        self._pending, self._taken = self._taken + self._pending, []
        return entry.turn.content[entry.output :]

    def undo(self) -> tuple[Turn, ...]:
        """Drop the last exchange for good and return its turns."""
        if not self.log.exchanges:
            return ()
        self._taken = []
        return tuple(entry.turn for entry in self._take_back(self.log.exchanges[-1]))

    def reset(self) -> None:
        """Clear the conversation; blocks, tools, routes and what they learned stay."""
        self._take_back(0)
        self._pending, self._taken = [], []
        for gauge in self._gauges.values():
            gauge.view, gauge.summary = View(), ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Everything said, shown to the model or not."""
        return tuple(entry.turn for entry in self.log.entries)

    # What stands above the conversation

    def set_block(self, name: Block, text: str) -> None:
        """Set one block of the system message; empty takes it out."""
        if name == "summary":
            self.set_summary(text)
        elif self._blocks.get(name, "") != text:
            self._blocks[name] = text
            self._composed.clear()

    def set_goal(self, goal: str) -> None:
        """Pin the goal of an autonomous run; empty ends it."""
        self.set_block("autonomy", autonomy_block(goal) if goal else "")

    def set_summary(self, text: str) -> None:
        """Put a summary in place of this route's digest, as long as it leaves the prompt within its room."""
        gauge = self._gauge
        before, gauge.summary = gauge.summary, text
        if not text:
            return
        too_long = 0 < gauge.summary_room < self._count(text)
        if too_long or self.estimate_tokens() > self.route.limit:
            gauge.summary = before

    def set_tools(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """The tool definitions sent with each request; they take room too."""
        self._tools = tuple(tools)
        self._tools_text = json.dumps(self._tools, ensure_ascii=False, default=str) if tools else ""

    # Whom it is for

    @property
    def route(self) -> Route:
        return self._gauge.route

    def use(self, route: Route) -> None:
        """Show the conversation to this model from now on; a known key goes on where it was."""
        which = (id(route.tokenizer), route.tool_role)
        ledger = self._ledgers.get(which)
        if ledger is None:
            ledger = Ledger(route.tokenizer, route.tool_role, self.config.age_rules)
            self._ledgers[which] = ledger
        gauge = self._gauges.get(route.key)
        if gauge is None or gauge.ledger is not ledger:
            gauge = self._gauges[route.key] = Gauge(route, ledger)
            self._composed.clear()
        gauge.route = route
        self._gauge = gauge

    # Making room

    def enforce_budget(self, count: Count | None = None) -> Eviction | None:
        """Make room if the prompt needs it; None if nothing had to go.

        `count` asks the server, at most twice, and only when the estimate is too close to the limit
        to be trusted.

        Raises: ContextOverflowError when it cannot fit; nothing should be sent then.
        """
        limit = self.route.limit
        self._gauge.ledger.catch_up(self.log)
        if self.route.compress is not None:
            self._compress(self.route.compress, limit)
            return None
        self._count_if_close(count, limit)
        evicted = self._make_room(limit, compact=False)
        if evicted is not None and count is not None:
            self._count_if_close(count, limit)
            evicted = _merged(evicted, self._make_room(limit, compact=False))
        return evicted

    def compact(self) -> Eviction | None:
        """Make room now, although there is still some."""
        limit = self.route.limit
        self._gauge.ledger.catch_up(self.log)
        if self.route.compress is not None or not self.log.exchanges:
            return None
        return self._make_room(limit, compact=True)

    def recover(self, prompt_tokens: int = 0, window: int = 0) -> Eviction | None:
        """Make room after the server said the prompt was too long, by its numbers where it gave any.

        Raises: ContextOverflowError when it cannot fit.
        """
        if 0 < window < self.route.window:
            self.use(replace(self.route, window=window))
        limit = self.route.limit
        self._gauge.ledger.catch_up(self.log)
        base, prompt = self._base(), self._prompt()
        total = self._gauge.total(self.log, base, prompt)
        # No numbers, or numbers that say it fits: believe the refusal.
        real = prompt_tokens if prompt_tokens > limit else max(limit + 1, total * 5 // 4)
        self._gauge.counted(self.log, base, prompt, real)
        return self.enforce_budget()

    def estimate_tokens(self) -> int:
        """The tokens of the prompt as it stands: the last real count and what came after it."""
        self._gauge.ledger.catch_up(self.log)
        return self._gauge.total(self.log, self._base(), self._prompt())

    def is_close(self) -> bool:
        """Whether the truth may lie above the limit though the estimate does not."""
        limit = self.route.limit
        base, prompt = self._base(), self._prompt()
        gauge = self._gauge
        total = gauge.total(self.log, base, prompt)
        return total + gauge.uncertainty(self.log, base, prompt) > limit

    def answer_tokens(self) -> int:
        """What the answer may take, at least 1: the reserve, or less where the window ends."""
        left = self.route.window - self.estimate_tokens()
        return max(1, min(self.route.reserve, left) if self.route.reserve > 0 else left)

    def observe(self, usage: Usage) -> Observed:
        """Learn from what the server reported for the messages rendered last."""
        return self._gauge.observe(usage)

    # What is sent

    def to_messages(self) -> list[Message]:
        """The prompt, as OpenAI chat messages of its own; nothing here is shared with the log."""
        gauge = self._gauge
        gauge.ledger.catch_up(self.log)
        system = self._system()
        messages: list[Message] = [{"role": "system", "content": system}] if system else []
        indexes = shown(self.log, gauge.view)
        texts = dict(gauge.view.texts)
        rules = self.config.age_rules
        for at in indexes:
            if at < gauge.view.aged and gauge.ledger.ages(at) and at not in texts:
                age = gauge.view.age(self.log.entries[at].step, at)
                texts[at] = rules.text(age, gauge.ledger.cost_at(at))
        messages += render(self.log, indexes, texts, tool_role=self.route.tool_role)
        gauge.sent(self.log, self._base(), self._prompt())
        return messages

    def breakdown(self) -> Breakdown:
        """What fills the window now."""
        total = self.estimate_tokens()
        base = self._base()
        raw = self._gauge.raw(self.log, base)
        scale = total / raw if raw else 1.0
        blocks = {
            name: round(scale * self._count(text))
            for name, text in shown_blocks(self._all_blocks()).items()
        }
        tools = round(scale * count_tools(self._tools, self._gauge.ledger.tokenizer))
        memory, project = blocks.pop("background", 0), blocks.pop("project", 0)
        summary = blocks.pop("summary", 0)
        system = max(0, round(scale * base) - tools - memory - project - summary)
        window, reserve = max(0, self.route.window), max(0, self.route.reserve)
        return Breakdown(
            system=system,
            memory=memory,
            project=project,
            summary=summary,
            conversation=max(0, total - system - memory - project - summary - tools),
            tools=tools,
            reserve=reserve,
            free=max(0, window - reserve - total),
            window=window,
            method=self._gauge.method(self.log, self._prompt()),
        )

    def _count_if_close(self, count: Count | None, limit: int) -> None:
        if count is None or not self.is_close():
            return
        tokens = count(self.to_messages())
        if tokens:
            self._gauge.counted(self.log, self._base(), self._prompt(), tokens)

    def _make_room(self, limit: int, *, compact: bool) -> Eviction | None:
        gauge, before = self._gauge, self.estimate_tokens()
        old, prior = gauge.view, gauge.summary
        room = self._room(limit, compact=compact)
        try:
            view = make_room(self.log, gauge.ledger, old, room.marks, force=compact)
        except ContextOverflowError as error:
            if not prior:
                raise self._overflow(limit, error.need - error.have) from None
            gauge.summary = ""  # the request matters more than the notes
            return self._make_room(limit, compact=compact)
        if room.marks.high < 0 and not self.log.exchanges:
            raise self._overflow(limit, -room.marks.high)
        if view == old:
            return None
        gauge.view = view
        dropped = _left(self.log, old, view)
        if dropped:
            self._write_digest(prior, dropped, room)
        aged = sum(
            gauge.ledger.ages(at)
            for at in range(max(old.aged, view.cut), min(view.aged, len(self.log)))
        )
        turns = tuple(self.log.entries[at].turn for at in dropped)
        after = self.estimate_tokens()
        return Eviction(turns, aged, len(view.texts), before, after, limit, prior)

    def _room(self, limit: int, *, compact: bool) -> Room:
        gauge, base = self._gauge, self._base()
        raw = gauge.raw(self.log, base)
        total = gauge.total(self.log, base, self._prompt())
        # By how much the ledger is off for this very prompt, by the best measurement there is.
        factor = max(0.01, total / raw) if raw else 1.0
        whole = int(limit / factor)
        conversation = cost(self.log, gauge.ledger, gauge.view)
        high = whole - (raw - conversation)
        notes = 0
        if self.config.digest and not self._blocks.get("autonomy"):
            notes = max(0, min(high // 8, self.config.max_summary_chars // 3))
        low = int(max(0, high) * min(1.0, max(0.0, self.config.low_water)))
        if compact:
            low = min(low, conversation // 2)
        keep = max(0, self.config.preserve_recent_turns)
        marks = Marks(high, max(0, low - notes), self.config.max_turns, keep)
        return Room(marks, whole, notes)

    def _write_digest(self, prior: str, dropped: list[int], room: Room) -> None:
        """Put what was dropped into this route's notes, as far as there is room for them."""
        gauge = self._gauge
        gauge.summary_room = max(room.digest, self._count(prior))
        entries = [self.log.entries[at] for at in dropped]
        chars = min(self.config.max_summary_chars, gauge.summary_room * 4)
        while self.config.digest and chars > 80:
            gauge.summary = digest(prior, entries, chars)
            fits = gauge.raw(self.log, self._base()) <= room.whole
            if fits and self._count(gauge.summary) <= gauge.summary_room:
                return
            chars = chars * 3 // 4
        gauge.summary = ""

    def _compress(self, how: Compress, limit: int) -> None:
        gauge = self._gauge
        base = self._base()
        factor = max(0.01, gauge.calibration.factor)
        aborted = gauge.raw(self.log, 0) - cost(self.log, gauge.ledger, gauge.view)
        high = int(limit / factor) - base - aborted
        if high < 0:
            raise self._overflow(limit, -high)
        try:
            gauge.view = compressed(self.log, gauge.ledger, how, Marks(high, high))
        except ContextOverflowError as error:
            raise self._overflow(limit, error.need - error.have) from None

    def _overflow(self, limit: int, missing: int) -> ContextOverflowError:
        need = limit + max(1, missing)
        return ContextOverflowError(
            f"this request needs about {need:,} tokens and the model's window leaves {limit:,}",
            "ask for less at once, take out blocks (:tree off, :memory), or choose a larger model",
            need=need,
            have=limit,
            breakdown=self.breakdown().as_dict(),
        )

    def _take_back(self, size: int) -> list[Entry]:
        gone = self.log.take_back(size)
        for ledger in self._ledgers.values():
            ledger.forget_from(size)
        for gauge in self._gauges.values():
            gauge.forget_from(size)
        return gone

    def _all_blocks(self) -> dict[Block, str]:
        return {**self._blocks, "summary": self._gauge.summary}

    def _above(self) -> Above:
        """The system message and its cost, composed anew only when something in it changed."""
        gauge = self._gauge
        known = self._composed.get(id(gauge))
        if known is None or known.key != (gauge.summary, self._tools_text):
            tokenizer = gauge.ledger.tokenizer
            system = compose(self._all_blocks())
            message = MESSAGE_OVERHEAD + count_text(tokenizer, system) if system else 0
            tokens = message + REPLY_OVERHEAD + count_tools(self._tools, tokenizer)
            known = Above((gauge.summary, self._tools_text), system, tokens)
            self._composed[id(gauge)] = known
        return known

    def _system(self) -> str:
        return self._above().system

    def _base(self) -> int:
        """The tokens of everything but the conversation."""
        return self._above().tokens

    def _prompt(self) -> Prompt:
        return Prompt(self._gauge.view, self._above().system, self._tools_text)

    def _count(self, text: str) -> int:
        return count_text(self._gauge.ledger.tokenizer, text)


def _left(log: Log, old: View, new: View) -> list[int]:
    """The entries that were shown and no longer are."""
    head, old_head = head_of(log, new.cut), head_of(log, old.cut)
    left = [at for at in range(old.cut, new.cut) if at != head]
    return [old_head, *left] if old_head is not None and old_head != head else left


def _merged(first: Eviction, second: Eviction | None) -> Eviction:
    """Two cuts for one request are one event for the user."""
    if second is None:
        return first
    return Eviction(
        first.dropped + second.dropped,
        first.aged + second.aged,
        first.clamped + second.clamped,
        first.before,
        second.after,
        second.limit,
        first.prior_summary,
    )
