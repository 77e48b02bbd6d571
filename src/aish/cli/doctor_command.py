"""Check what aish needs and say what to do about what is missing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "what works, what is missing, what to do about it"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(options: Namespace) -> int:
    from aish.app.doctor import doctor

    return doctor(as_json=options.json)
