"""A value put back into an answer: in what may become a command nothing in it is syntax."""

from __future__ import annotations

import re
import shlex
from copy import copy

from aish.core.secrets.arguments import HERE, may_stand, quotes_at
from aish.core.secrets.placeholders import PLACEHOLDER
from aish.core.spoken import Fences, is_shell, may_hold_a_fence

_PROPOSAL = re.compile(r"CMD&?: ")
_ACT = re.compile(r"(?:CMD&?|DELEGATE): |[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?:```|~~~)")
_IN_DOUBLE = re.compile(r'([\\"$`])')
_PLAIN = re.compile(r"[A-Za-z0-9_@%+:,./-]+={0,2}")
LONGEST = 8192  # characters of a command that are read


class Answer:
    """An answer as far as it was given out, and how a value may stand at its end."""

    def __init__(self) -> None:
        self._line = ""
        self._fences = Fences()
        self._block: list[str] = []  # the lines of a code block that is open

    def take(self, text: str) -> None:
        """What is given out next."""
        first, line_end, others = text.partition("\n")
        if line_end and not self._fences.open and not may_hold_a_fence(others):
            self._end_line((self._line + first).removesuffix("\r"))
            self._line, text = "", others
            if not self._fences.open:  # the lines between say nothing
                text = others[others.rfind("\n") + 1 :]
        *ended, last = text.split("\n")
        for part in ended:
            self._end_line((self._line + part).removesuffix("\r"))
            self._line = ""
        if len(self._line) <= LONGEST:  # of a longer one the beginning says enough
            self._line += last

    @property
    def proposes(self) -> bool:
        """Whether what stands at its end may become a command."""
        return self._command() is not None

    @property
    def escapes(self) -> bool:
        """Whether a backslash would be there only to keep bash from reading what follows it."""
        before = len(self._line) - len(self._line.rstrip("\\"))
        return before % 2 == 0 and self.proposes

    def waits(self, value: str, rest: str) -> bool:
        """Whether how the value may stand here depends on what follows after `rest`."""
        if is_plain(value) or not self.proposes:
            return False
        within, ended = self._within(rest)
        return not ended and len(within) <= LONGEST

    def fitting(self, value: str, placeholder: str, rest: str = "") -> str:
        """The value as it may stand here, before `rest`.

        The placeholder, where it cannot without acting.
        """
        if _acts(self._line, value):
            return placeholder
        command = self._command()
        if command is None:
            return value
        return in_command(value, placeholder, command, self._within(rest)[0])

    def _within(self, rest: str) -> tuple[str, bool]:
        """What of it belongs to the command, and whether that ends there.

        A proposal ends with its line, the code of a block with the block.
        """
        if not self._fences.open:
            line, ended, _ = rest.partition("\n")
            return line, bool(ended)
        fences, at = copy(self._fences), 0
        while (end := rest.find("\n", at)) >= 0:
            if at and fences.passes(rest[at:end].removesuffix("\r")):
                return rest[:at], True
            at = end + 1
        return rest, False

    def _end_line(self, line: str) -> None:
        if self._fences.passes(line):
            self._block = []
        elif self._fences.open:
            self._block.append(line[: LONGEST + 1])

    def _command(self) -> str | None:
        """The command so far: of a proposal, or of the shell code that the answer shows."""
        if self._fences.open:
            if not is_shell(self._fences.info):
                return None
            typed = [line[2:] for line in (*self._block, self._line) if line.startswith("$ ")]
            return "\n".join(typed or (*self._block, self._line))
        proposal = _PROPOSAL.match(self._line)
        return self._line[proposal.end() :] if proposal else None


def _acts(line: str, value: str) -> bool:
    """Whether a value here would begin a proposal, a delegation or a code block."""
    first, *more = re.split(r"[\r\n]", value)
    begins = len(line) < 80 and bool(_ACT.match(line + first)) and not _ACT.match(line)
    return begins or any(map(_ACT.match, more))


def is_plain(value: str) -> bool:
    """Whether it is letters, digits and a few signs that mean themselves everywhere."""
    return _PLAIN.fullmatch(value) is not None


def in_command(value: str, placeholder: str, command: str, rest: str = "") -> str:
    """The value as a part of this command, which goes on with it and then with the rest.

    What is letters, digits and a few harmless signs may stand anywhere. All else stands, quoted,
    where it is data and nothing more; elsewhere the placeholder stays.
    """
    if is_plain(value):
        return value
    command, rest = (PLACEHOLDER.sub(HERE, text.replace(HERE, "(")) for text in (command, rest))
    whole = command + HERE + rest
    fits = value.isprintable() and not value.startswith("-") and len(whole) <= LONGEST
    if not fits or not may_stand(whole):
        return placeholder
    return _quoted_for(quotes_at(whole, len(command)), value) or placeholder


def _quoted_for(quotes: str, value: str) -> str:
    """The value for a place within these quotes; "" where it cannot stand."""
    match quotes:
        case "":
            return _quoted(value)
        case "'":
            return value.replace("'", "'\\''")
        case '"' if "!" in value:  # which bash takes for an old command, but in single quotes
            return f'"{_quoted(value)}"'
        case '"':
            return _IN_DOUBLE.sub(r"\\\1", value)
        case _:
            return ""


def _quoted(value: str) -> str:
    quoted = shlex.quote(value)
    return quoted if quoted != value else f"'{value}'"
