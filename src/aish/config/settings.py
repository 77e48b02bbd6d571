"""Every key of the configuration in force, with its value and where that came from."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from aish.config.load import DEFAULT, Loaded, flatten
from aish.core.values import dataclass

SHORTEST_KEY = 12


@dataclass(frozen=True)
class Setting:
    """One key of the configuration in force."""

    key: str
    value: str  # as JSON
    origin: str


def settings(loaded: Loaded) -> list[Setting]:
    return [
        Setting(
            key,
            msgspec.json.encode(value_without_keys(key, value)).decode(),
            loaded.origins.get(key, DEFAULT),
        )
        for key, value in flatten(loaded.config).items()
    ]


def value_without_keys(key: str, value: Any) -> Any:
    """A value for the screen: without a login in an address, or a key in a header."""
    if key.endswith(".endpoint"):
        return _without_keys(value)
    if key.endswith((".headers", ".query", ".env")):
        return {name: text if _is_plain(text) else "…" for name, text in value.items()}
    return value


def _without_keys(address: str) -> str:
    """An address without the password in it, and without what is long enough to be a key."""
    address = re.sub(r"(://[^/@\s:]*):[^/@\s]*@", r"\1:…@", address)
    address = re.sub(rf"://[^/@\s:]{{{SHORTEST_KEY},}}(?=[:@])(?=[^/\s]*@)", "://…", address)
    return re.sub(rf"([?&][^=&#\s]*=)[^&#\s]{{{SHORTEST_KEY},}}", r"\1…", address)


def _is_plain(text: str) -> bool:
    """Whether a text of a header or a query is no key: a variable's name, or too short for one."""
    return "$" in text or len(text) < SHORTEST_KEY
