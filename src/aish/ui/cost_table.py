"""Money and tokens on the screen: one line for each group, with a bar to compare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from aish.core.money.cost import dollar_text
from aish.ui.style import one_line

if TYPE_CHECKING:
    from aish.core.money.meter import CostRow
    from aish.store.ledger_sums import UseSum

EIGHTHS = " ▏▎▍▌▋▊▉█"
WIDEST = 30
LONGEST_NAME = 28


def bar(amount: int, largest: int, width: int) -> str:
    """A share of a width, to an eighth of a character; what is not nothing is seen."""
    if largest <= 0 or amount <= 0:
        return ""
    eighths = max(1, round(amount * width * 8 / largest))
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def price(used: UseSum) -> str:
    """What calls cost: a free cloud call is $0.00, a local one is unbilled."""
    if used.calls and used.unbilled == used.calls:
        return "unbilled"
    unknown = f" + {used.unknown} at an unknown price" if used.unknown else ""
    held = f" + {dollar_text(used.held)} held" if used.held else ""
    return f"{dollar_text(used.micro_dollars)}{unknown}{held}"


def explained(groups: Mapping[str, UseSum]) -> Iterator[str]:
    """Why some of the money is only the most that requests can have cost."""
    holds, held = (sum(x.holds for x in groups.values()), sum(x.held for x in groups.values()))
    if holds:
        yield (
            f"{dollar_text(held)} held: the most that {holds} request{'s' * (holds != 1)} can "
            "cost, under way or ended with their aish; it counts towards every cap"
        )
    if assumed := sum(used.assumed for used in groups.values()):
        yield (
            f"{dollar_text(assumed)} assumed: the most that requests can have cost that broke off, "
            "or whose usage the provider did not report or cannot have been true"
        )


def chart(groups: Mapping[str, UseSum], width: int) -> Iterator[str]:
    """A line for each group; the bars show money, or tokens where nothing was billed."""
    if not groups:
        return
    billed = any(used.micro_dollars for used in groups.values())
    amounts = {
        name: used.micro_dollars if billed else used.prompt + used.completion
        for name, used in groups.items()
    }
    names = {name: _short(one_line(name)) for name in groups}
    room = max(map(len, names.values()))
    costs = {name: price(used) for name, used in groups.items()}
    cost_room = max(map(len, costs.values()))
    largest = max(amounts.values())
    for name, used in groups.items():
        tokens = f"{used.prompt + used.completion:,} tokens"
        calls = f"{used.calls:,} call{'s' if used.calls != 1 else ''}"
        text = f"{names[name]:<{room}}  {costs[name]:>{cost_room}}  {tokens:>16}  {calls:>10}"
        left = min(WIDEST, width - len(text) - 3)
        yield f"{text}  {bar(amounts[name], largest, left)}".rstrip() if left > 3 else text


def _short(name: str) -> str:
    name = name or "(none)"
    return name if len(name) <= LONGEST_NAME else "…" + name[1 - LONGEST_NAME :]


def session_lines(rows: Sequence[CostRow], *, detail: bool) -> Iterator[str]:
    """What a session used, by model and purpose; `detail` adds caches and missed estimates."""
    for row in rows:
        tokens = f"{row.prompt:,} in, {row.completion:,} out"
        calls = f"{row.calls:,} call{'s' if row.calls != 1 else ''}"
        line = f"{one_line(row.model)} {one_line(row.purpose)}: {row.cost}, {tokens}, {calls}"
        yield line + (_details(row) if detail else "")


def _details(row: CostRow) -> str:
    parts = []
    if row.cached:
        parts.append(f"cached {row.cached:,}")
    if row.reasoning:
        parts.append(f"reasoning {row.reasoning:,}")
    if row.off_estimate is not None:
        parts.append(f"~est={row.off_estimate}")
    return f" ({', '.join(parts)})" if parts else ""
