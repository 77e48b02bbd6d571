"""`aish config`: what is set, where it came from, and an example of everything."""

from __future__ import annotations

import os
import sys

import msgspec

from aish.app.project_overlay import load_here
from aish.config.example import example_file
from aish.config.load import DEFAULT, Loaded, flatten, load
from aish.config.places import config_file
from aish.ui.ports import Setting
from aish.ui.screen import Screen


def settings(loaded: Loaded) -> list[Setting]:
    """Every key with its value and its origin."""
    return [
        Setting(key, msgspec.json.encode(value).decode(), loaded.origins.get(key, DEFAULT))
        for key, value in flatten(loaded.config).items()
    ]


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
