"""A number of tokens, and who says so."""

from __future__ import annotations

from aish.core.values import dataclass

ESTIMATE = "estimate"
UNCOUNTED = 1.25  # a server that was not asked may count this much more than we estimate


@dataclass(frozen=True, slots=True)
class Counted:
    tokens: int
    method: str  # "server: …", a tokenizer's name, or ESTIMATE
    note: str = ""  # why it is no better than that

    @property
    def exact(self) -> bool:
        return self.method != ESTIMATE
