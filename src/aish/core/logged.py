"""What is written down under a name; a resume changes it, so it is asked for each time."""

from __future__ import annotations

from typing import Any, Protocol

Record = dict[str, Any]  # one line of a log


class Logged(Protocol):
    """A conversation with a log of its own."""

    @property
    def id(self) -> str:
        """The name of its log; "" while nothing is written down."""
        ...


class Unlogged:
    """One of which nothing is written down."""

    id = ""
