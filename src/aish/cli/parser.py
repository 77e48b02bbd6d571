"""The reader of command lines, whose complaints a terminal only shows."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import NoReturn

from aish.ui.style import escaped


class Parser(ArgumentParser):
    """As Python's; what it quotes may be a file's name that a shell put there."""

    def error(self, message: str) -> NoReturn:
        super().error(escaped(message))
