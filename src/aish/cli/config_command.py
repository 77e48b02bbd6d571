"""Show the configuration, where it lies, whether it is valid, or an example of every key."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "show, find or check the configuration"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("show", "path", "check", "example"))
    parser.add_argument("--json", action="store_true", help="with show: as one JSON object")


def run(options: Namespace) -> int:
    from aish.app import configuration

    match options.action:
        case "show":
            return configuration.show(as_json=options.json)
        case "path":
            return configuration.path()
        case "check":
            return configuration.check()
        case _:
            return configuration.example()
