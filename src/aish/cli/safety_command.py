"""Say what a command would do and whether it may run without a yes. Nothing is run."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import BinaryIO

import msgspec

from aish.cli.json_lines import UNREADABLE, json_line
from aish.config.load import load
from aish.config.places import config_file
from aish.core.errors import UsageError
from aish.core.safety.verdict import Verdict
from aish.shell.command_reader import CommandReader
from aish.shell.process_place import working_directory
from aish.ui.screen import Screen, writing_out
from aish.ui.style import escaped


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="read a command")
    check.add_argument("command", nargs="*", metavar="CMD", help="the command, as one word")
    check.add_argument(
        "--jsonl", action="store_true", help='read {"cmd": …} records from standard input'
    )
    check.add_argument("--json", action="store_true", help="the verdict with its effects as JSON")
    check.add_argument("--cwd", default="", metavar="DIR", help="the directory it would run in")
    actions.add_parser("rules", help="your own rules")


def run(options: Namespace) -> int:
    reader = CommandReader(
        str(Path.home()), os.environ.get("USER", ""), load(config_file()).config.safety.rules
    )
    try:
        if options.action == "rules":
            Screen.of_process().plain("".join(f"{rule}\n" for rule in reader.rules))
            return 0
        cwd = str(Path(working_directory(), options.cwd))
        if options.jsonl:
            return check_stream(sys.stdin.buffer, sys.stdout.buffer, reader, cwd)
        if not options.command:
            raise UsageError("there is no command to read", "aish safety check 'rm -rf build'")
        verdict = reader.judge(" ".join(options.command), cwd)
        Screen.of_process().write(_as_json(verdict) if options.json else _in_words(verdict))
        return 0
    finally:
        reader.close()


def check_stream(source: BinaryIO, target: BinaryIO, reader: CommandReader, cwd: str) -> int:
    """Answer each `{"cmd": …}` record with its verdict.

    Raises: UsageError, naming the input line that is no such record.
    """
    for number, raw in enumerate(source, 1):
        if not raw.strip():
            continue
        try:
            command = msgspec.json.decode(raw)["cmd"]
            verdict = reader.judge(command, cwd)
        except UNREADABLE as error:
            raise UsageError(
                f"line {number} of the input is not a record with a command", '{"cmd": "ls -l"}'
            ) from error
        record = {
            "cmd": command,
            "verdict": verdict.level,
            "reason": verdict.reason,
            "rule": verdict.rule,
        }
        with writing_out():
            target.write(json_line(record, target))
            target.flush()
    return 0


def _as_json(verdict: Verdict) -> str:
    effects = [
        {"kind": e.kind, "level": e.level, "reason": e.reason, "path": e.path, "program": e.program}
        for e in verdict.effects
    ]
    record = {
        "verdict": verdict.level,
        "reason": verdict.reason,
        "rule": verdict.rule,
        "effects": effects,
    }
    return msgspec.json.encode(record).decode() + "\n"


def _in_words(verdict: Verdict) -> str:
    lines = [f"{verdict.level}: {escaped(verdict.reason)}"]
    lines += [
        f"  {effect.level:<11} {effect.kind}: {escaped(effect.reason)}"
        for effect in verdict.effects
        if effect.level != "harmless" and len(verdict.effects) > 1
    ]
    return "\n".join(lines) + "\n"
