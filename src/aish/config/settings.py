"""Every key of the configuration in force, with its value and where that came from."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from aish.config.load import DEFAULT, Loaded, flatten


@dataclass(frozen=True)
class Setting:
    """One key of the configuration in force."""

    key: str
    value: str  # as JSON
    origin: str


def settings(loaded: Loaded) -> list[Setting]:
    return [
        Setting(key, msgspec.json.encode(value).decode(), loaded.origins.get(key, DEFAULT))
        for key, value in flatten(loaded.config).items()
    ]
