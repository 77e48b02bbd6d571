"""What a session used, by model and purpose: the figures behind `:cost`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aish.core.messages import Usage
from aish.core.money.cost import dollar_text
from aish.core.values import dataclass

OFF_BY = 0.10  # an estimate further off than this is shown beside the count


@dataclass(frozen=True, slots=True)
class CountedRequest:
    """One request, as it is counted; `micro` None is unbilled, or at an unknown price."""

    model: str
    purpose: str
    usage: Usage
    micro: int | None = None
    billed: bool = False
    estimate: int | None = None  # prompt tokens expected before the request


@dataclass(frozen=True, slots=True)
class CostRow:
    """The sum of the calls of one model for one purpose."""

    model: str
    purpose: str
    calls: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0
    micro: int = 0
    unbilled: int = 0  # calls nobody bills for
    unknown: int = 0  # billed calls whose price is not known
    estimate: int = 0
    compared: int = 0  # prompt tokens of the calls that had an estimate

    @property
    def cost(self) -> str:
        """The amount for the screen; a free cloud call is $0.00, a local one is not."""
        if self.calls and self.unbilled == self.calls:
            return "unbilled"
        if self.unknown:
            return f"{dollar_text(self.micro)} + {self.unknown} at an unknown price"
        return dollar_text(self.micro)

    @property
    def off_estimate(self) -> int | None:
        """The estimate, where it was off by more than a tenth."""
        if not self.compared or abs(self.estimate - self.compared) <= OFF_BY * self.compared:
            return None
        return self.estimate

    def __add__(self, call: CountedRequest) -> CostRow:
        usage = call.usage
        compared = call.estimate is not None and usage.prompt_tokens is not None
        return replace(
            self,
            calls=self.calls + 1,
            prompt=self.prompt + (usage.prompt_tokens or 0),
            cached=self.cached + (usage.cached_tokens or 0),
            completion=self.completion + (usage.completion_tokens or 0),
            reasoning=self.reasoning + (usage.reasoning_tokens or 0),
            micro=self.micro + (call.micro or 0),
            unbilled=self.unbilled + (not call.billed),
            unknown=self.unknown + (call.billed and call.micro is None),
            estimate=self.estimate + (call.estimate or 0 if compared else 0),
            compared=self.compared + (usage.prompt_tokens or 0 if compared else 0),
        )


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When to warn; None is never."""

    micro: int | None = None
    tokens: int | None = None


class Meter:
    """Adds up the calls of a session and says when a threshold is crossed, once each."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self.thresholds = thresholds or Thresholds()
        self._rows: dict[tuple[str, str], CostRow] = {}
        self._warned: set[str] = set()

    def add(self, call: CountedRequest) -> list[str]:
        """Count a call; returns the warnings that are due with it."""
        key = call.model, call.purpose
        self._rows[key] = self._rows.get(key, CostRow(*key)) + call
        return list(self._due())

    def _due(self) -> Iterable[str]:
        for name, used, limit, text in (
            ("dollars", self.micro, self.thresholds.micro, dollar_text),
            ("tokens", self.tokens, self.thresholds.tokens, lambda n: f"{n:,} tokens"),
        ):
            if limit is not None and used >= limit and name not in self._warned:
                self._warned.add(name)
                yield f"this session has used {text(used)} (warning set at {text(limit)})"

    @property
    def rows(self) -> list[CostRow]:
        """Dearest first, then busiest."""
        return sorted(self._rows.values(), key=lambda row: (-row.micro, -row.prompt, row.model))

    @property
    def micro(self) -> int:
        return sum(row.micro for row in list(self._rows.values()))

    @property
    def tokens(self) -> int:
        return sum(row.prompt + row.completion for row in list(self._rows.values()))

    def reset(self) -> None:
        """`:cost reset`: from zero, and the warnings may come again."""
        self._rows.clear()
        self._warned.clear()
