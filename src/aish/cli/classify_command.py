"""Say what typed lines are: meta, shell or ask."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from aish.core.errors import UsageError

SUMMARY = "say whether lines are commands or questions"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("line", nargs="*", metavar="LINE", help="one line to classify")
    parser.add_argument(
        "--jsonl", action="store_true", help='read {"line": …} records from standard input'
    )


def run(options: Namespace) -> int:
    from aish.app.classifying import classify_line, classify_stream

    if options.jsonl:
        return classify_stream(sys.stdin.buffer, sys.stdout.buffer)
    if not options.line:
        raise UsageError("there is no line to classify", "aish classify --jsonl < lines.jsonl")
    return classify_line(" ".join(options.line))
