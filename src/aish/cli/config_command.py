"""Show the configuration, where it lies, whether it is valid, or an example of every key."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import msgspec

from aish.config.example import example_file
from aish.config.load import DEFAULT, flatten
from aish.config.places import config_file
from aish.config.settings import settings
from aish.core.errors import ConfigError, UsageError
from aish.shell.process_place import working_directory
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen

_TAKES = {"set": 2, "unset": 1}  # words after the action


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("show", "path", "check", "example", "set", "unset"))
    parser.add_argument("--json", action="store_true", help="with show: as one JSON object")
    parser.add_argument("key", nargs="?", metavar="KEY", help="with set and unset: as in ui.prompt")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="with set: its value")


def run(options: Namespace) -> int:
    words = [word for word in (options.key, options.value) if word is not None]
    if len(words) > _TAKES.get(options.action, 0):
        hint = "aish config set KEY VALUE, or unset KEY"
        raise UsageError(f"{words[-1]!r} is one word too many", hint)
    match options.action:
        case "set":
            return change(options.key, options.value)
        case "unset":
            return unset(options.key)
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
    here = os.environ.get("PWD") or working_directory()
    loaded = load_here(Screen.of_process(), here, lenient=True)
    values = flatten(loaded.config)
    if as_json:
        rows = {
            key: {"value": value, "origin": loaded.origins.get(key, DEFAULT)}
            for key, value in values.items()
        }
        Screen.of_process().write(msgspec.json.format(msgspec.json.encode(rows)).decode() + "\n")
        return 0
    size = max(map(len, values))
    for setting in settings(loaded):
        Screen.of_process().write(f"{setting.key:<{size}}  {setting.value}  ({setting.origin})\n")
    return 0


def path() -> int:
    """Where the file lies, or would lie."""
    Screen.of_process().write(f"{config_file()}\n")
    return 0


def check() -> int:
    """Read the file strictly and tell every fault; silence is no answer, so say that it is good.

    Raises: ConfigError for a file that cannot be read at all.
    """
    from aish.config.lenient import load_what_is_right
    from aish.ui.prompt import PromptTemplate

    loaded = load_what_is_right(config_file())
    problems = list(loaded.problems)
    try:
        PromptTemplate(loaded.config.ui.prompt)
    except ConfigError as error:
        problems.append(error)
    screen = Screen.of_process()
    for problem in problems:
        screen.error(problem)
    if problems:
        return ConfigError.exit_code
    state = "valid" if loaded.exists else "not there; the defaults are in force"
    Screen.of_process().write(f"{loaded.path}: {state}\n")
    return 0


def change(key: str | None, value: str | None) -> int:
    """Change one key of the file; comments and everything else in it stay.

    Raises: UsageError, ConfigError.
    """
    from aish.config.edit import set_key

    if key is None or value is None:
        raise UsageError("which key, and what value?", "aish config set ui.highlight false")
    written = set_key(config_file(), key, value)
    Screen.of_process().write(f"{key} = {written}\n")
    return 0


def unset(key: str | None) -> int:
    """Take one key out of the file; comments and everything else in it stay.

    Raises: UsageError, ConfigError.
    """
    from aish.config.edit import unset_key

    if key is None:
        raise UsageError("which key?", "aish config unset ui.highlight")
    unset_key(config_file(), key)
    Screen.of_process().write(f"{key} is unset\n")
    return 0


def example() -> int:
    """A documented file with every key at its default."""
    Screen.of_process().write(example_file())
    return 0
