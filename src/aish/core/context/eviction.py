"""What the engine says about the room: what went, what fills the window, what usage taught."""

from __future__ import annotations

from dataclasses import replace

from aish.core.messages import Turn
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Eviction:
    """One making of room. What was dropped from the view is still in the log."""

    dropped: tuple[Turn, ...]  # turns no longer shown
    aged: int  # results that became placeholders
    clamped: int  # outputs shortened to head and tail
    before: int  # tokens
    after: int
    limit: int
    prior_summary: str = ""  # the summary these turns should extend

    @property
    def message(self) -> str:
        """One line for the user."""
        parts = []
        if self.dropped:
            parts.append(f"{len(self.dropped)} old turns left the context")
        if self.aged:
            parts.append(f"{self.aged} old tool results became placeholders")
        if self.clamped:
            parts.append(f"{self.clamped} long texts were shortened")
        what = ", ".join(parts) or "made room"
        return f"{what} ({self.before:,} to {self.after:,} of {self.limit:,} tokens)"


def merged(first: Eviction | None, second: Eviction) -> Eviction:
    """Two cuts for one request are one event for the user."""
    if first is None:
        return second
    return replace(
        second,
        dropped=first.dropped + second.dropped,
        aged=first.aged + second.aged,
        before=first.before,
        prior_summary=first.prior_summary,
    )


PARTS = (
    "system",
    "memory",
    "project",
    "pins",
    "summary",
    "goal",
    "examples",
    "conversation",
    "tools",
    "reserve",
)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What fills a model's window, in tokens; the parts add up to `window`."""

    system: int
    memory: int
    project: int
    pins: int  # what the user laid down in turns that left
    summary: int
    goal: int  # of an autonomous run
    examples: int  # that a small model imitates
    conversation: int
    tools: int
    reserve: int
    free: int
    window: int
    method: str  # "reported", "counted", "calibrated", "estimated", or a tokenizer's name
    learned_window: int = 0  # what the server said its window is, when it refused a request

    @property
    def used(self) -> int:
        return self.window - self.reserve - self.free

    @property
    def percent(self) -> int:
        room = self.window - self.reserve
        return round(100 * self.used / room) if room > 0 else 100

    def as_dict(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in PARTS}


@dataclass(frozen=True, slots=True)
class Observed:
    """What a usage report said against what was expected."""

    estimated: int
    reported: int | None
    truncated: bool = False  # the server seems to have cut the prompt without a word
    wild: bool = False  # far above anything the prompt can be
    told: bool = False  # the user knows of it already

    @property
    def warning(self) -> str:
        if self.told:
            return ""
        if self.wild:
            return (
                f"the server reports {self.reported:,} prompt tokens where about "
                f"{self.estimated:,} were sent: this is not believed"
            )
        if self.truncated:
            return (
                f"the server read {self.reported:,} of about {self.estimated:,} prompt tokens: "
                "it probably cut the beginning; set this model's window to what the server uses"
            )
        return ""
