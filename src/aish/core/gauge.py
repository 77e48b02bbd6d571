"""How full one route's window is: the last real count, plus an estimate of what came after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from aish.core.budget import View, cost
from aish.core.eviction import Observed
from aish.core.ledger import Ledger
from aish.core.log import ABORTED, Log
from aish.core.messages import Usage
from aish.core.prompt import Block, compose
from aish.core.settings import Route
from aish.core.tokens import (
    MESSAGE_OVERHEAD,
    REPLY_OVERHEAD,
    Calibration,
    count_text,
    count_tools,
)

Tools = Sequence[Mapping[str, Any]]

_TAIL_ERROR = 0.3  # of the estimated tail after a real count
_LEARNED_ERROR = 0.12  # of the whole, once usage has taught a factor
_BLIND_ERROR = 0.4  # of the whole, before the first report


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it stands, without its newest turns: what a measurement of it must match."""

    view: View
    system: str
    tools: str
    base: int  # the tokens of everything but the conversation


@dataclass(frozen=True, slots=True)
class Anchor:
    """A real count of one prompt."""

    prompt: Prompt
    turns: int  # entries in the log when it was counted
    tokens: int
    reply: int = 0  # tokens of the answer to it, as reported
    method: str = "reported"


class Gauge:
    """Estimates for one route; mutable, because each usage report makes it better."""

    def __init__(self, route: Route, ledger: Ledger) -> None:
        self.route = route
        self.ledger = ledger
        self.view = View()
        self.calibration = Calibration()
        self.anchor: Anchor | None = None
        self.summary = ""  # of what this route no longer shows
        self.summary_room = 0  # tokens it may take
        self._sent: tuple[Prompt, int, int, int] | None = None
        self._composed: tuple[int, str, str, int] = (-1, "", "", 0)

    def prompt(
        self, blocks: Mapping[Block, str], tools: Tools, tools_text: str, edition: int
    ) -> Prompt:
        """The prompt as it stands, composed anew only when something above it changed."""
        made, summary, system, base = self._composed
        if made != edition or summary != self.summary:
            tokenizer = self.ledger.tokenizer
            system = compose({**blocks, "summary": self.summary})
            message = MESSAGE_OVERHEAD + count_text(tokenizer, system) if system else 0
            base = message + REPLY_OVERHEAD + count_tools(tools, tokenizer)
            self._composed = (edition, self.summary, system, base)
        return Prompt(self.view, system, tools_text, base)

    def raw(self, log: Log, prompt: Prompt) -> int:
        """Our own count of the whole prompt, before calibration."""
        said = prompt.base + cost(log, self.ledger, prompt.view)
        if not log.open_calls:
            return said
        aborted = MESSAGE_OVERHEAD + count_text(self.ledger.tokenizer, ABORTED)
        return said + len(log.open_calls) * aborted

    def factor(self, log: Log, prompt: Prompt) -> float:
        """By how much our own count is low for this very prompt, by the best measurement there is."""
        raw = self.raw(log, prompt)
        measured = self.total(log, prompt) / raw if raw else 1.0
        return max(0.01, measured, self.calibration.factor)

    def total(self, log: Log, prompt: Prompt) -> int:
        """The best estimate of the whole prompt."""
        anchor = self._valid(log, prompt)
        if anchor is None:
            return ceil(self.calibration.factor * self.raw(log, prompt))
        return anchor.tokens + self._tail(log, anchor)

    def uncertainty(self, log: Log, prompt: Prompt) -> int:
        """How many tokens the truth may lie above `total`."""
        anchor = self._valid(log, prompt)
        if anchor is not None:
            return ceil(_TAIL_ERROR * self._tail(log, anchor))
        known = self.route.exact or self.calibration.learned
        return ceil((_LEARNED_ERROR if known else _BLIND_ERROR) * self.total(log, prompt))

    def method(self, log: Log, prompt: Prompt) -> str:
        anchor = self._valid(log, prompt)
        if anchor is not None:
            return anchor.method
        if self.route.exact:
            return self.ledger.tokenizer.name
        return "calibrated" if self.calibration.learned else "estimated"

    def sent(self, log: Log, prompt: Prompt) -> None:
        """Remember the prompt a request is made from, for the usage that will come back."""
        self._sent = (prompt, len(log), self.raw(log, prompt), self.total(log, prompt))

    def counted(self, log: Log, prompt: Prompt, tokens: int) -> None:
        """Take in the server's own count of the present prompt."""
        raw = self.raw(log, prompt)
        self._learn(raw, tokens, prompt, len(log))
        self.anchor = Anchor(prompt, len(log), tokens, method="counted")

    def observe(self, usage: Usage) -> Observed:
        """Take in what the server reports about the request sent last."""
        if self._sent is None or not usage.prompt_tokens or usage.prompt_tokens < 0:
            estimated = self._sent[3] if self._sent else 0
            return Observed(estimated, usage.prompt_tokens)
        prompt, turns, raw, estimated = self._sent
        real = usage.prompt_tokens
        if self._cut_silently(real, raw, estimated, prompt):
            return Observed(estimated, real, truncated=True)
        self._learn(raw, real, prompt, turns)
        self.anchor = Anchor(prompt, turns, real, usage.completion_tokens or 0)
        return Observed(estimated, real)

    def forget_from(self, size: int) -> None:
        """Turns were taken back: nothing measured with them holds."""
        if self.anchor is not None and self.anchor.turns > size:
            self.anchor = None
        if self.view.cut > size or self.view.fixed_end > size:
            self.view = View(min(self.view.cut, size), min(self.view.aged, size), self.view.batches)

    def _learn(self, raw: int, real: int, prompt: Prompt, turns: int) -> None:
        before = self.anchor
        if before is not None and before.prompt == prompt and before.turns <= turns:
            # What came since the last report teaches more than the same old text again.
            ours = self.ledger.full[turns] - self.ledger.full[before.turns]
            self.calibration.learn(ours, real - before.tokens)
        else:
            self.calibration.learn(raw, real)

    def _cut_silently(self, real: int, raw: int, estimated: int, prompt: Prompt) -> bool:
        if self.anchor is not None and self.anchor.prompt == prompt:
            return real < 0.9 * self.anchor.tokens
        known = self.route.exact or self.calibration.learned
        return real < (0.6 * estimated if known else 0.4 * raw)

    def _valid(self, log: Log, prompt: Prompt) -> Anchor | None:
        anchor = self.anchor
        if anchor is None or anchor.prompt != prompt or anchor.turns > len(log) or log.open_calls:
            return None
        return anchor

    def _tail(self, log: Log, anchor: Anchor) -> int:
        start, reply = anchor.turns, 0
        if start < len(log) and log.entries[start].turn.role == "assistant":
            guess = self.calibration.factor * self.ledger.cost_at(start)
            # Thinking is in the reported completion but not in the next prompt.
            if guess / 3 < anchor.reply < guess * 2:
                reply = anchor.reply + MESSAGE_OVERHEAD
                start += 1
        rest = self.ledger.full[len(log)] - self.ledger.full[start]
        return reply + ceil(self.calibration.factor * rest)
