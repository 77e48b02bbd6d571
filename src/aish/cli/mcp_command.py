"""aish for other programs, over the Model Context Protocol, on standard input and output.

Editors and agents start `aish mcp serve` themselves; by hand there is nothing to see.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from aish.app.parts import Parts, secrecy_for
from aish.core.errors import UsageError
from aish.shell.process_place import working_directory
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("serve", help="answer a client on standard input and output")


def run(options: Namespace) -> int:
    """Raises: AishError."""
    del options
    if sys.stdin.isatty():
        raise UsageError(
            "this waits for a program, not for a person",
            'give an editor or agent the command ["aish", "mcp", "serve"]',
        )
    from aish.cli.mcp_tools import Served, serve

    screen = Screen(out=sys.stderr, err=sys.stderr)  # standard output belongs to the protocol
    config = load_here(screen, working_directory()).config
    alone = replace(config, mcp=replace(config.mcp, servers={}))  # it never starts itself
    parts = Parts(alone, screen, secrecy=secrecy_for(config), kept=False)
    try:
        serve(Served(parts, screen, working_directory()))
    finally:
        parts.close()
    return 0
