"""How full one route's window is: the last real count, plus an estimate of what came after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil, isfinite

from aish.core.context.budget import LogView, view_tokens
from aish.core.context.calibration import Calibration
from aish.core.context.counts import count_text
from aish.core.context.eviction import Observed
from aish.core.context.log import Log
from aish.core.context.measure import (
    MESSAGE_OVERHEAD,
    REPLY_OVERHEAD,
    count_message,
    count_tools,
)
from aish.core.context.payload import aborted_result
from aish.core.context.prompt import PromptBlock, compose, example_messages
from aish.core.context.settings import Route
from aish.core.context.turn_tokens import TurnTokens
from aish.core.messages import ToolSchemas, Usage
from aish.core.values import dataclass, field

_TAIL_ERROR = 0.3  # of the estimated tail after a real count
_FRAME_ERROR = 8  # tokens the template may add around the newest turns beyond our own count
_LEARNED_ERROR = 0.12  # of the whole, once usage has taught a factor
_SMALLEST_WINDOW = 512  # tokens; a prompt below it is cut nowhere
_WILD = 3  # times what was expected: no tokenizer is that far from an estimate
_HIDDEN = 2000  # tokens a provider may add to any prompt
_GROWN = 120  # tokens; less new text proves nothing
_PLATEAU = 0.1  # of what was added
_COMPOSED = 64  # system messages remembered with their sizes
_BLIND_ERROR = 0.6  # of the whole, before the first report


@dataclass(frozen=True, slots=True)
class WindowContents:
    """What one route shows: a view of the log, and what is kept of the turns it leaves out."""

    view: LogView = field(default_factory=LogView)
    pins: str = ""  # what the user laid down in them, word for word
    digest: str = ""  # what was asked and run in them
    notes: str = ""  # a model's words on them, below the digest
    notes_room: int = 0  # tokens those may take

    @property
    def summary(self) -> str:
        return "\n".join(part for part in (self.digest, self.notes) if part)


@dataclass(frozen=True, slots=True)
class PromptFrame:
    """A prompt as it stands, without its newest turns: what a measurement of it must match."""

    view: LogView
    system: str
    tools: str
    base: int  # the tokens of everything but the conversation


@dataclass(frozen=True, slots=True)
class Sent:
    """A prompt that was rendered: what a report about it will be held against."""

    prompt: PromptFrame
    turns: int  # entries in the log
    open_calls: int
    raw: int
    estimated: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A real count of one prompt."""

    prompt: PromptFrame
    turns: int  # entries in the log when it was counted
    open_calls: int
    tokens: int
    reply: int = 0  # tokens of the answer to it, as reported
    method: str = "reported"


class Gauge:
    """Estimates for one route; mutable, because each usage report makes it better."""

    def __init__(self, route: Route, sizes: TurnTokens) -> None:
        self.route = route
        self.sizes = sizes
        self.contents = WindowContents()
        self.calibration = Calibration()
        self.anchor: Anchor | None = None
        self._sent: Sent | None = None
        self._composed: dict[tuple[int, str, str], tuple[str, int]] = {}
        self._warned = ""  # of a prompt that the server "cuts", or of a "wild" report

    def prompt(
        self,
        contents: WindowContents,
        blocks: Mapping[PromptBlock, str],
        tools: ToolSchemas,
        tools_text: str,
        edition: int,
    ) -> PromptFrame:
        """The prompt that shows this, composed anew only when something above it changed."""
        key = (edition, contents.pins, contents.summary)
        if key not in self._composed:
            if len(self._composed) > _COMPOSED:
                self._composed.clear()
            above: dict[PromptBlock, str] = {
                **blocks,
                "pins": contents.pins,
                "summary": contents.summary,
            }
            self._composed[key] = self._base(compose(above), tools)
        system, base = self._composed[key]
        return PromptFrame(contents.view, system, tools_text, base)

    def _base(self, system: str, tools: ToolSchemas) -> tuple[str, int]:
        tokenizer = self.sizes.tokenizer
        message = MESSAGE_OVERHEAD + count_text(tokenizer, system) if system else 0
        base = message + REPLY_OVERHEAD + count_tools(tools, tokenizer)
        for example in example_messages(self.route.examples):
            base += count_message(example, tokenizer)
        return system, base

    def raw(self, log: Log, prompt: PromptFrame) -> int:
        """Our own count of the whole prompt, before calibration."""
        said = prompt.base + view_tokens(log, self.sizes, prompt.view)
        aborted = (aborted_result(call.id) for call in log.open_calls)
        return said + sum(count_message(result, self.sizes.tokenizer) for result in aborted)

    def factor(self, log: Log, prompt: PromptFrame) -> float:
        """By how much our own count is low for this very prompt, as far as it is measured."""
        raw = self.raw(log, prompt)
        measured = self.total(log, prompt) / raw if raw else 1.0
        return max(0.01, measured, self.calibration.factor)

    def total(self, log: Log, prompt: PromptFrame) -> int:
        """The best estimate of the whole prompt."""
        anchor = self._valid(log, prompt)
        if anchor is None:
            return ceil(self.calibration.factor * self.raw(log, prompt))
        return anchor.tokens + self._tail(log, anchor)

    def uncertainty(self, log: Log, prompt: PromptFrame) -> int:
        """How many tokens the truth may lie above `total`."""
        anchor = self._valid(log, prompt)
        if anchor is not None:
            tail = self._tail(log, anchor)
            return ceil(_TAIL_ERROR * tail) + _FRAME_ERROR if tail else 0
        known = self.route.exact or self.calibration.learned
        return ceil((_LEARNED_ERROR if known else _BLIND_ERROR) * self.total(log, prompt))

    def method(self, log: Log, prompt: PromptFrame) -> str:
        anchor = self._valid(log, prompt)
        if anchor is not None:
            return anchor.method
        if self.route.exact:
            return self.sizes.tokenizer.name
        return "calibrated" if self.calibration.learned else "estimated"

    def sent(self, log: Log, prompt: PromptFrame) -> Sent:
        """Remember the prompt a request is made from, for the usage that will come back."""
        raw, total = self.raw(log, prompt), self.total(log, prompt)
        self._sent = Sent(prompt, len(log), len(log.open_calls), raw, total)
        return self._sent

    def counted(self, log: Log, prompt: PromptFrame, tokens: int) -> None:
        """Take in the server's own count of the present prompt, if it can be true."""
        sent = self.sent(log, prompt)
        if not self._wild(tokens, sent):
            self._take_in(sent, tokens, 0, "counted")

    def refused(self, log: Log, prompt: PromptFrame, tokens: int) -> None:
        """Take in what the server refused the present prompt for: that is believed."""
        self._take_in(self.sent(log, prompt), tokens, 0, "counted")

    def observe(self, usage: Usage) -> Observed:
        """Take in what the server reports about the request sent last, if it can be true."""
        sent, real = self._sent, _whole(usage.prompt_tokens)
        if sent is None or not real:
            return Observed(sent.estimated if sent else 0, real)
        strange = "wild" if self._wild(real, sent) else ""
        strange = strange or ("cuts" if self._cut_silently(real, sent) else "")
        told, self._warned = strange == self._warned, strange
        if strange:
            wild = strange == "wild"
            return Observed(sent.estimated, real, truncated=not wild, wild=wild, told=told)
        self._take_in(sent, real, _whole(usage.completion_tokens) or 0, "reported")
        return Observed(sent.estimated, real)

    def _wild(self, real: int, sent: Sent) -> bool:
        """A report far above anything the prompt can be; dropping turns for it would be wrong."""
        return real > _WILD * max(sent.raw, sent.estimated) + _HIDDEN

    def _take_in(self, sent: Sent, real: int, reply: int, method: str) -> None:
        before = self.anchor
        if self._continues(before, sent) and before is not None:
            # What came since the last report teaches more than the same old text again.
            ours = self.sizes.full[sent.turns] - self.sizes.full[before.turns]
            self.calibration.learn(ours, real - before.tokens)
        else:
            self.calibration.learn(sent.raw, real)
        self.anchor = Anchor(sent.prompt, sent.turns, sent.open_calls, real, reply, method)

    @staticmethod
    def _continues(before: Anchor | None, sent: Sent) -> bool:
        if before is None or before.open_calls or sent.open_calls:
            return False
        return before.prompt == sent.prompt and before.turns <= sent.turns

    def forget_from(self, log: Log) -> None:
        """Turns were taken back: nothing measured with them holds."""
        size = len(log)
        if self.anchor is not None and self.anchor.turns > size:
            self.anchor = None
        if self._sent is not None and self._sent.turns > size:
            self._sent = None
        view = self.contents.view
        if view.cut >= size or view.fixed_end > size:
            # An empty view would hide the exchange that the next turn goes on with.
            cut = min(view.cut, log.exchanges[-1] if log.exchanges else 0)
            view = LogView(cut, min(view.aged, size), view.batches)
            self.contents = replace(self.contents, view=view)

    def _cut_silently(self, real: int, sent: Sent) -> bool:
        if sent.estimated < _SMALLEST_WINDOW:
            return False
        before = self.anchor
        if before is not None and self._continues(before, sent):
            more = self.sizes.full[sent.turns] - self.sizes.full[before.turns]
            # A plateau: the conversation grew and the server read no more of it than before.
            stands = more >= _GROWN and real - before.tokens < _PLATEAU * more
            return real < 0.9 * before.tokens or stands
        known = self.route.exact or self.calibration.learned
        return real < (0.6 * sent.estimated if known else 0.4 * sent.raw)

    def _valid(self, log: Log, prompt: PromptFrame) -> Anchor | None:
        anchor, waiting = self.anchor, len(log.open_calls)
        if anchor is None or anchor.prompt != prompt or anchor.open_calls != waiting:
            return None
        still = anchor.turns == len(log) if waiting else anchor.turns <= len(log)
        return anchor if still else None

    def _tail(self, log: Log, anchor: Anchor) -> int:
        start, reply = anchor.turns, 0
        if start < len(log) and log.entries[start].turn.role == "assistant":
            guess = self.calibration.factor * self.sizes.tokens_at(start)
            # Thinking is in the reported completion but not in the next prompt.
            if guess / 3 < anchor.reply < guess * 2:
                reply = anchor.reply + MESSAGE_OVERHEAD
                start += 1
        rest = self.sizes.full[len(log)] - self.sizes.full[start]
        return reply + ceil(self.calibration.factor * rest)


def _whole(reported: object) -> int | None:
    """A count as servers report it, if it is one: no NaN, no infinity, nothing below one."""
    if isinstance(reported, bool) or not isinstance(reported, int | float):
        return None
    if not isfinite(reported) or reported < 1:
        return None
    return int(reported)
