"""Run a command that can write only to this folder and a private /tmp, with no network."""

from __future__ import annotations

import sys
from argparse import REMAINDER, ArgumentParser, Namespace

from aish.app.parts import safeguards_for
from aish.cli.try_command import command_line
from aish.config.schema import SafetyConfig
from aish.core.errors import UsageError
from aish.core.logged import Unlogged
from aish.core.mask import NoMask
from aish.shell.process_place import working_directory
from aish.ui.screen import Screen

MAY = {  # what a command may do, by what confines it
    "bwrap": "it may write to this folder and its own /tmp",
    "landlock": (
        "it may change what is in this folder and make new files in its subfolders and its own "
        "$TMPDIR, but nothing new directly in it, and no mode or time; bubblewrap would allow that"
    ),
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run_parser = actions.add_parser("run", help="run a command in the sandbox")
    run_parser.add_argument("--network", action="store_true", help="let it use the network")
    run_parser.add_argument(
        "--write", action="append", default=[], metavar="DIR", help="one more folder to write to"
    )
    run_parser.add_argument("command", nargs=REMAINDER, metavar="-- COMMAND", help="what to run")


def run(options: Namespace) -> int:
    """Raises: UsageError, SandboxError."""
    command = command_line(options.command)
    if not command:
        raise UsageError("there is nothing to run", "aish sandbox run -- COMMAND")
    screen = Screen.of_process()
    jail = safeguards_for(SafetyConfig(), NoMask(), Unlogged()).jail(working_directory())
    aside = not sys.stderr.isatty()
    status, said = jail.run(
        ["bash", "-c", command], network=options.network, write=options.write, heard=aside
    )
    if 0 < status < 128:
        _explain(screen, said.decode("utf-8", "replace"), jail.kind, options)
    return status


def _explain(screen: Screen, said: str, kind: str, options: Namespace) -> None:
    """Why it may have failed, as far as the sandbox is the reason."""
    from aish.sandbox.denied import denied

    reasons = denied(said)
    for reason in reasons:
        screen.notice(f"denied by the sandbox: {reason}")
    if reasons or not said:
        open_net = "the network is open" if options.network else "no network (--network allows it)"
        screen.notice(
            f"it ran confined ({kind}): {MAY[kind]} (--write DIR allows more); {open_net}"
        )
