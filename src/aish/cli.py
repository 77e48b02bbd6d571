"""The command line: which words mean what, and the last place an error can be shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from aish.core.errors import INTERRUPTED_EXIT, AishError, UsageError
from aish.ui.screen import Screen

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from aish.ui.instant import InstantPrompt

INTERNAL_ERROR_EXIT = 70
BROKEN_PIPE_EXIT = 141

USAGE = """\
usage: aish                          the shell
       aish TEXT…                    ask one question (see aish ask --help)
       aish -c COMMAND               run one shell command, exit with its status
       aish COMMAND …

commands:
  ask        ask one question; pipe text in to ask about it
  classify   say whether lines are commands or questions
  config     show, find or check the configuration
  doctor     what works, what is missing, what to do about it
  local      the embedded model: install, serve, status, stop

options:
  --help     this text; `aish COMMAND --help` for one command
  --version  the version

Exit codes: 0 done · 1 failed · 2 usage · 3 configuration · 4 model unreachable · 5 request
rejected · 6 too long for the model · 8 file · 10 shell · 11 embedded model · 130 interrupted.
"""


def shell(instant: InstantPrompt) -> int:
    """The interactive shell."""
    return _guarded(lambda: _shell(instant))


def _shell(instant: InstantPrompt) -> int:
    from aish.app.interactive import interactive

    return interactive(instant)


def run(arguments: list[str]) -> int:
    """Any other command line."""
    return _guarded(lambda: _dispatch(arguments))


def _guarded(action: Callable[[], int]) -> int:
    """The one place where every error ends as a line and an exit code."""
    screen = Screen.of_process()
    try:
        return action()
    except AishError as error:
        screen.error(error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE_EXIT
    except Exception as error:  # a defect of ours; the user gets one line
        if os.environ.get("AISH_DEBUG"):
            raise
        screen.error(
            AishError(
                f"internal error: {type(error).__name__}: {error}",
                "this is a defect of aish; AISH_DEBUG=1 shows where",
            )
        )
        return INTERNAL_ERROR_EXIT


def _dispatch(arguments: list[str]) -> int:
    first, rest = arguments[0], arguments[1:]
    if first in ("--help", "-h"):
        sys.stdout.write(USAGE)
        return 0
    if first in COMMANDS:
        build, action = COMMANDS[first]
        return action(build().parse_args(rest))
    return _ask(_ask_parser().parse_args(arguments))


# ── ask ──────────────────────────────────────────────────────────────────────────────────────


def _parser(name: str, summary: str) -> ArgumentParser:
    from argparse import ArgumentParser

    return ArgumentParser(f"aish {name}", description=summary, allow_abbrev=False)


def _ask_parser() -> ArgumentParser:
    parser = _parser(
        "ask",
        "Ask one question. Standard output carries the answer only. Text piped in is shown to "
        "the model with the question.",
    )
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the question")
    parser.add_argument("--model", metavar="NAME", help="the preset to ask")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")
    parser.add_argument("--no-exec", action="store_true", help="never offer to run a command")
    return parser


def _ask(options: Namespace) -> int:
    from aish.app.asking import ask

    return ask(
        " ".join(options.text),
        model=options.model,
        as_json=options.json,
        may_run=not options.no_exec,
    )


# ── classify ─────────────────────────────────────────────────────────────────────────────────


def _classify_parser() -> ArgumentParser:
    parser = _parser("classify", "Say what typed lines are: meta, shell or ask.")
    parser.add_argument("line", nargs="*", metavar="LINE", help="one line to classify")
    parser.add_argument(
        "--jsonl", action="store_true", help='read {"line": …} records from standard input'
    )
    return parser


def _classify(options: Namespace) -> int:
    from aish.app.classifying import classify_line, classify_stream

    if options.jsonl:
        return classify_stream(sys.stdin.buffer, sys.stdout.buffer)
    if not options.line:
        raise UsageError("there is no line to classify", "aish classify --jsonl < lines.jsonl")
    return classify_line(" ".join(options.line))


# ── config ───────────────────────────────────────────────────────────────────────────────────


def _config_parser() -> ArgumentParser:
    parser = _parser("config", "Show the configuration, where it lies, or whether it is valid.")
    parser.add_argument("action", choices=("show", "path", "check", "example"))
    parser.add_argument("--json", action="store_true", help="with show: as one JSON object")
    return parser


def _config(options: Namespace) -> int:
    from aish.app import configuration

    if options.action == "show":
        return configuration.show(as_json=options.json)
    return {
        "path": configuration.path,
        "check": configuration.check,
        "example": configuration.example,
    }[options.action]()


# ── doctor ───────────────────────────────────────────────────────────────────────────────────


def _doctor_parser() -> ArgumentParser:
    parser = _parser("doctor", "Check what aish needs and say what to do about what is missing.")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")
    return parser


def _doctor(options: Namespace) -> int:
    from aish.app.doctor import doctor

    return doctor(as_json=options.json)


# ── local ────────────────────────────────────────────────────────────────────────────────────


def _local_parser() -> ArgumentParser:
    parser = _parser("local", "The embedded model and its server.")
    parser.add_argument("action", choices=("install", "serve", "status", "stop"))
    parser.add_argument("--json", action="store_true", help="with status: as one JSON object")
    return parser


def _local(options: Namespace) -> int:
    from aish.app import local_commands

    if options.action == "status":
        return local_commands.status(as_json=options.json)
    return {
        "install": local_commands.install,
        "serve": local_commands.serve,
        "stop": local_commands.stop,
    }[options.action]()


COMMANDS: dict[str, tuple[Callable[[], ArgumentParser], Callable[[Namespace], int]]] = {
    "ask": (_ask_parser, _ask),
    "classify": (_classify_parser, _classify),
    "config": (_config_parser, _config),
    "doctor": (_doctor_parser, _doctor),
    "local": (_local_parser, _local),
}
