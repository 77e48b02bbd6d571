"""Show the configuration, where it lies, whether it is valid, or an example of every key."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

import msgspec

from aish.app.project_overlay import load_here
from aish.config.example import example_file
from aish.config.load import DEFAULT, flatten, load
from aish.config.places import config_file
from aish.config.settings import settings
from aish.ui.screen import Screen


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("show", "path", "check", "example"))
    parser.add_argument("--json", action="store_true", help="with show: as one JSON object")


def run(options: Namespace) -> int:
    match options.action:
        case "show":
            return show(as_json=options.json)
        case "path":
            return path()
        case "check":
            return check()
        case _:
            return example()


def show(*, as_json: bool = False) -> int:
    """Every key, its value and its origin; a trusted overlay of this project included."""
    loaded = load_here(Screen.of_process(), os.environ.get("PWD") or os.getcwd())  # noqa: PTH109
    values = flatten(loaded.config)
    if as_json:
        rows = {
            key: {"value": value, "origin": loaded.origins.get(key, DEFAULT)}
            for key, value in values.items()
        }
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(rows)).decode() + "\n")
        return 0
    size = max(map(len, values))
    for setting in settings(loaded):
        sys.stdout.write(f"{setting.key:<{size}}  {setting.value}  ({setting.origin})\n")
    return 0


def path() -> int:
    """Where the file lies, or would lie."""
    sys.stdout.write(f"{config_file()}\n")
    return 0


def check() -> int:
    """Read the file strictly; silence is not an answer, so say that it is good.

    Raises: ConfigError.
    """
    from aish.ui.prompt import PromptTemplate

    loaded = load(config_file())
    PromptTemplate(loaded.config.ui.prompt)
    state = "valid" if loaded.exists else "not there; the defaults are in force"
    sys.stdout.write(f"{loaded.path}: {state}\n")
    return 0


def example() -> int:
    """A documented file with every key at its default."""
    sys.stdout.write(example_file())
    return 0
