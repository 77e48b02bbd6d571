"""Show what every aish of yours used and cost, from the ledger."""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser, Namespace
from dataclasses import astuple

from aish.config.places import data_dir
from aish.core.errors import UsageError
from aish.store.clock import local_day
from aish.store.ledger import Ledger
from aish.store.ledger_sums import UseSum
from aish.ui.screen import Screen


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--since", metavar="DATE", default="", help="from a day on: 2026-05-13, today, 7d"
    )
    parser.add_argument(
        "--by", choices=("day", "model", "project", "purpose"), default="day", help="what to add up"
    )
    parser.add_argument("--json", action="store_true", help="the sums as a JSON array")


def run(options: Namespace) -> int:
    return cost(since=options.since, by=options.by, as_json=options.json)


DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
DAYS_AGO = re.compile(r"(\d{1,4})d")


def cost(*, since: str, by: str, as_json: bool) -> int:
    """Print what was used from a day on.

    Raises: UsageError for what is no day; StoreError.
    """
    screen = Screen.of_process()
    ledger = Ledger(data_dir() / "ledger.jsonl")
    groups = ledger.by(by, day_of(since))
    if ledger.damage:
        screen.notice(ledger.damage)
    if as_json:
        _print_json(groups, by)
        return 0
    from aish.ui.cost_table import chart, explained, price

    if not groups:
        screen.notice("the ledger is empty" if not since else f"nothing was used since {since}")
        return 0
    for line in (*chart(groups, screen.width), *explained(groups)):
        screen.line(line)
    total = _total(groups)
    screen.line(f"all together: {price(total)}, {total.prompt + total.completion:,} tokens")
    return 0


def day_of(since: str) -> str:
    """A day as the ledger writes it, from a date, `today` or `7d`; "" is the beginning.

    Raises: UsageError.
    """
    if not since or DAY.fullmatch(since):
        if since:
            _check_date(since)
        return since
    ago = DAYS_AGO.fullmatch(since)
    if since == "today" or ago:
        days = int(ago[1]) if ago else 0
        now = time.localtime()
        noon = time.mktime((now.tm_year, now.tm_mon, now.tm_mday - days, 12, 0, 0, 0, 0, -1))
        return local_day(noon)
    raise UsageError(f"{since!r} is no day", "--since 2026-05-13, --since today or --since 7d")


def _check_date(day: str) -> None:
    try:
        time.strptime(day, "%Y-%m-%d")
    except ValueError:
        raise UsageError(f"{day!r} is no day", "--since 2026-05-13") from None


def _total(groups: dict[str, UseSum]) -> UseSum:
    parts = [astuple(used) for used in groups.values()]
    return UseSum(*(sum(column) for column in zip(*parts, strict=True)))


def _print_json(groups: dict[str, UseSum], by: str) -> None:
    import msgspec

    rows = [{by: name, **msgspec.to_builtins(used)} for name, used in groups.items()]
    Screen.of_process().write(msgspec.json.encode(rows).decode() + "\n")
