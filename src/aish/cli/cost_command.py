"""Show what every aish of yours used and cost, from the ledger."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "what was used and spent, by day, model or project"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--since", metavar="DATE", default="", help="from a day on: 2026-05-13, today, 7d"
    )
    parser.add_argument(
        "--by", choices=("day", "model", "project", "purpose"), default="day", help="what to add up"
    )
    parser.add_argument("--json", action="store_true", help="the sums as a JSON array")


def run(options: Namespace) -> int:
    from aish.app.cost_commands import cost

    return cost(since=options.since, by=options.by, as_json=options.json)
