"""Run a command on overlays of the real files, see what it changed, then apply it or not.

Without a terminal the changes are listed and thrown away, unless --apply says otherwise.
"""

from __future__ import annotations

import json
import shlex
import sys
from argparse import REMAINDER, ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from aish.app.parts import safeguards_for, secrecy_for
from aish.core.errors import UsageError
from aish.core.logged import Unlogged
from aish.shell.process_place import working_directory
from aish.ui.answers import KeyAnswers
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen
from aish.ui.trying import TryFace

if TYPE_CHECKING:
    from aish.sandbox.changes import FileChange
    from aish.sandbox.trials import Trials
    from aish.ui.trying import Tried

OUTPUT_LIMIT = 256 * 1024


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--apply", action="store_true", help="make the changes real without asking")
    parser.add_argument("--json", action="store_true", help="the changes and the output as JSON")
    parser.add_argument("--network", action="store_true", help="let it use the network, for real")
    parser.add_argument("command", nargs=REMAINDER, metavar="-- COMMAND", help="what to try")


def run(options: Namespace) -> int:
    """Raises: UsageError, SandboxError, StoreError."""
    command = command_line(options.command)
    if not command:
        raise UsageError("there is nothing to try", "aish try -- COMMAND")
    screen = Screen.of_process()
    config = load_here(screen, working_directory()).config
    safeguards = safeguards_for(config.safety, secrecy_for(config), Unlogged())
    trials = safeguards.trials
    cwd = working_directory()
    if options.json:
        return _as_json(trials, command, cwd, options)
    asks = screen.terminal and screen.has_keyboard() and not options.apply
    answers = KeyAnswers(screen, sys.stdin.fileno()) if asks else None

    def confined(command: str, cwd: str, network: bool) -> int:
        """Raises: SandboxError."""
        return safeguards.jail(cwd).run(["bash", "-c", command], network=network)[0]

    face = TryFace(trials, screen, answers, lambda trial, argv: trial.run(argv)[0], confined)
    return status_of(face(command, cwd, network=options.network, apply=options.apply))


def command_line(words: list[str]) -> str:
    """One word is a line for the shell; several are a program and its arguments."""
    words = words[1:] if words[:1] == ["--"] else words
    return words[0] if len(words) == 1 else shlex.join(words)


def status_of(tried: Tried) -> int:
    """The command's own status, unless something could not be applied."""
    if tried.applied is not None and tried.applied.refused:
        return tried.status or 1
    return tried.status


def _as_json(trials: Trials, command: str, cwd: str, options: Namespace) -> int:
    from aish.sandbox.limits import cannot_show

    trial = trials.prepare(cwd, network=options.network)
    try:
        status, output = trial.run(["bash", "-c", command], captured=True)
        found = trials.scan(trial)
        applied = trials.apply(trial, found, command) if options.apply else None
    finally:
        trial.discard()
    refused = applied.refused if applied else ()
    report = {
        "command": command,
        "cwd": cwd,
        "status": status,
        "output": output[:OUTPUT_LIMIT].decode("utf-8", "replace"),
        "cannot_show": cannot_show(command, cwd, network=options.network),
        "changes": [_plain(change) for change in found.changes],
        "applied": applied is not None,
        "refused": [{"path": one.change.path, "reason": one.reason} for one in refused],
        "undo": applied.record.name if applied else "",
    }
    Screen.of_process().write(json.dumps(report) + "\n")
    return status or (1 if refused else 0)


def _plain(change: FileChange) -> dict[str, Any]:
    hidden = ("op", "upper", "fresh", "copied", "doubtful")
    return {name: value for name, value in asdict(change).items() if name not in hidden}
