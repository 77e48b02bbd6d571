"""Whoever sits at the screen, as the parts below it know them."""

from __future__ import annotations

from typing import Protocol


class User(Protocol):
    """Can be told something, and asked for a yes."""

    @property
    def present(self) -> bool:
        """Whether somebody can be asked."""
        ...

    def tell(self, text: str) -> None:
        """One line of aish's own; it may come while something else is drawn."""
        ...

    def confirm(self, question: str) -> bool:
        """True for a clear yes; no where nobody can be asked.

        Raises: KeyboardInterrupt, for a no that ends what the question belongs to.
        """
        ...


class Nobody:
    """Where no one looks and no one answers."""

    present = False

    def tell(self, text: str) -> None:
        del text

    def confirm(self, question: str) -> bool:
        del question
        return False
