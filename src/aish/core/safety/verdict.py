"""What a command would do, and what follows from it."""

from __future__ import annotations

from typing import Literal

from aish.core.values import dataclass

Level = Literal["harmless", "unknown", "destructive"]
EffectKind = Literal[
    "reads", "writes", "deletes", "network", "runs-unknown-code", "service", "version-control",
    "remote-state", "privilege", "process-kill", "resource", "packages", "permissions", "database",
    "disk", "secret", "unreadable",
]  # fmt: skip

LEVELS: tuple[Level, ...] = ("harmless", "unknown", "destructive")


def stricter(one: Level, other: Level) -> Level:
    """The stricter of two levels."""
    return max(one, other, key=LEVELS.index)


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing a command does, and how far it is to be trusted with it."""

    kind: EffectKind
    level: Level
    reason: str
    path: str = ""  # canonical, where it is about one
    program: str = ""

    @property
    def rule(self) -> str:
        return f"{self.program or 'shell'}/{self.kind}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a command may run by itself, in words a person understands."""

    level: Level
    reason: str
    rule: str
    effects: tuple[Effect, ...] = ()
    denied: bool = False  # by a rule of the user's: it does not run at all

    @property
    def flagged(self) -> bool:
        """True where it may not run without a yes."""
        return self.level != "harmless"

    @property
    def paths(self) -> tuple[str, ...]:
        """What is changed or deleted, each once."""
        return tuple(dict.fromkeys(e.path for e in self.effects if e.path and e.kind != "reads"))


HARMLESS = Verdict("harmless", "only reads, or changes nothing that matters", "harmless")


def verdict_of(effects: tuple[Effect, ...]) -> Verdict:
    """The strictest effect decides; its reason comes first, others of its kind are counted."""
    worst: Level = "harmless"
    for effect in effects:
        worst = stricter(worst, effect.level)
    if worst == "harmless":
        return Verdict("harmless", HARMLESS.reason, HARMLESS.rule, effects)
    reasons = list(dict.fromkeys(e.reason for e in effects if e.level == worst))
    first = next(effect for effect in effects if effect.level == worst)
    shown = "; ".join(reasons[:3])
    more = f"; and {len(reasons) - 3} more" if len(reasons) > 3 else ""
    return Verdict(worst, shown + more, first.rule, effects)
