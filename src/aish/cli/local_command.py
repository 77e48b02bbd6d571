"""The embedded model: fetch it, run its server in the foreground, look at it, stop it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "the embedded model: install, serve, status, stop"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("install", "serve", "status", "stop"))
    parser.add_argument("--json", action="store_true", help="with status: as one JSON object")


def run(options: Namespace) -> int:
    from aish.app import local_commands

    match options.action:
        case "install":
            return local_commands.install()
        case "serve":
            return local_commands.serve()
        case "status":
            return local_commands.status(as_json=options.json)
        case _:
            return local_commands.stop()
