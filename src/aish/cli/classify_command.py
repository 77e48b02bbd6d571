"""Say what typed lines are: meta, shell or ask."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from typing import BinaryIO

import msgspec

from aish.cli.json_lines import UNREADABLE, json_line
from aish.core.classify import classify
from aish.core.errors import UsageError
from aish.shell.process_place import ProcessPlace
from aish.ui.names import LiveNames, NoShell
from aish.ui.screen import Screen, writing_out


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("line", nargs="*", metavar="LINE", help="one line to classify")
    parser.add_argument(
        "--jsonl", action="store_true", help='read {"line": …} records from standard input'
    )


def run(options: Namespace) -> int:
    if options.jsonl:
        return classify_stream(sys.stdin.buffer, sys.stdout.buffer)
    if not options.line:
        raise UsageError("there is no line to classify", "aish classify --jsonl < lines.jsonl")
    return classify_line(" ".join(options.line))


def _names() -> LiveNames:
    """What this machine would run, without starting a shell for it."""
    return LiveNames(
        NoShell(ProcessPlace()), os.environ.get("PATH", os.defpath), os.environ.get("HOME", "")
    )


def classify_line(line: str) -> int:
    """Print the kind of one line and why."""
    found = classify(line, _names())
    Screen.of_process().write(f"{found.kind}  ({found.reason})\n")
    return 0


def classify_stream(source: BinaryIO, target: BinaryIO) -> int:
    """Answer each `{"line": …}` record with its kind and reason.

    Raises: UsageError, naming the input line that is no such record.
    """
    names = _names()
    for number, raw in enumerate(source, 1):
        if not raw.strip():
            continue
        try:
            line = msgspec.json.decode(raw)["line"]
            found = classify(line, names)
        except UNREADABLE as error:
            raise UsageError(
                f"line {number} of the input is not a record with a line", '{"line": "ls -l"}'
            ) from error
        record = {"line": line, "kind": found.kind, "reason": found.reason}
        with writing_out():
            target.write(json_line(record, target))
    with writing_out():
        target.flush()
    return 0
