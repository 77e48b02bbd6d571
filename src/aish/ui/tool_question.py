"""Asking before a tool is called; whatever is not a clear yes is a no."""

from __future__ import annotations

import difflib
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from aish.ui.asking import STOP, STOPPED, ask_key, ask_word
from aish.ui.keys import unbuffered
from aish.ui.question import fit
from aish.ui.style import BOLD, CYAN, DIM, RED, REVERSE, YELLOW, escaped

if TYPE_CHECKING:
    from aish.tools.toolbox import CallApprover, ToolRequest
    from aish.ui.screen import Screen

CALL_WORD = "call"  # typed in full for what destroys
LINE = 70  # characters of a definition in one line
_SENTENCE = re.compile(r"(?<=[.!?;] )(?! )")


class NoCalls:
    """Where nobody can be asked, only what the user approved before is called."""

    def allows(self, request: ToolRequest) -> bool:
        del request
        return False


class Autonomy(Protocol):
    """What works by itself at times."""

    @property
    def in_run(self) -> bool:
        """Whether it does now, so that nobody may be there to answer."""
        ...


def tool_approver(
    screen: Screen, autonomy: Autonomy, patience: Callable[[], float]
) -> CallApprover:
    """Who is asked before a call: the person at the keyboard, where there is one."""
    if screen.terminal and screen.has_keyboard():
        return ToolQuestion(screen, sys.stdin.fileno(), autonomy, patience)
    return NoCalls()


class ToolQuestion:
    """Shows server, tool and arguments, the server's own words as such, and waits for a key."""

    def __init__(
        self,
        screen: Screen,
        stdin: int,
        autonomy: Autonomy | None = None,
        patience: Callable[[], float] = float,
    ) -> None:
        """`patience`: seconds after which, in a run, no answer is a no; 0: never."""
        self._screen = screen
        self._autonomy = autonomy
        self._seconds = patience
        self._stdin = stdin
        self._always: set[tuple[str, str]] = set()  # for this session: server and definition

    def _patience(self) -> float | None:
        alone = self._autonomy is not None and self._autonomy.in_run
        return self._seconds() or None if alone else None

    def allows(self, request: ToolRequest) -> bool:
        """True for a clear yes.

        Raises: KeyboardInterrupt, for a no that ends the question which the call belongs to.
        """
        from aish.tools.toolbox import always_asks

        if _identity(request) in self._always and not always_asks(request.verdict):
            return True
        self._screen.still()
        with unbuffered(self._stdin):
            destroys = request.verdict.level == "destructive"
            key = self._key(request, always=not destroys)
            if destroys and key == "y":
                key = self._word()
        yes = key in ("y", "a", CALL_WORD)
        self._screen.line("yes" if yes else STOPPED if key == STOP else "no")
        if key == STOP:
            raise KeyboardInterrupt
        if key == "a":
            self._always.add(_identity(request))
        return yes

    def _key(self, request: ToolRequest, *, always: bool) -> str:
        """The answer; a call that does not fit the screen is viewed before it can be a yes."""
        whole = self._show(request, whole=False)
        if not whole:
            key = self._pressed("[v]iew all of it  [n]o ", "vn")
            if key != "v":
                return key
            self._screen.line("view")
            self._show(request, whole=True)
        if always:
            return self._pressed("[y]es  [a]lways in this session  [n]o ", "yan")
        return self._pressed("[y]es  [n]o ", "yn")

    def _pressed(self, question: str, keys: str) -> str:
        screen, painted = self._screen, self._screen.paint(self._screen.worded(question), DIM)
        return ask_key(screen, self._stdin, painted, keys, patience=self._patience())

    def _word(self) -> str:
        """A key is not enough for what destroys: the word, STOP, or "" for a no."""
        self._screen.line()
        question = f"type {CALL_WORD} and Enter to call it: "
        typed = ask_word(self._screen, self._stdin, question, patience=self._patience())
        return typed if typed in (CALL_WORD, STOP) else ""

    def _show(self, request: ToolRequest, *, whole: bool) -> bool:
        """Paint the call; whether all of its arguments and of a change are on the screen."""
        screen, tool = self._screen, request.tool
        screen.line(screen.paint(f"call {escaped(tool.name)} of {escaped(tool.server)}:", BOLD))
        about, room = list(self._about(request)), max(3, screen.height - 9)
        most = len(about) if whole else max(3, room // 2)
        for line in about[:most]:
            screen.line(line)
        if more := len(about[most:]):
            screen.line(screen.paint(f"… and {more} more lines of it", RED))
        text = json.dumps(dict(request.arguments), indent=1, ensure_ascii=False, default=str)
        room = max(3, room - min(most, len(about) - 1))
        shown = fit(text, screen.width - 1, 10**6 if whole else room)
        for row in shown.rows:
            pieces = (screen.paint(part, REVERSE if mark else CYAN) for part, mark in row.pieces)
            screen.line(screen.paint("│ ", DIM) + "".join(pieces))
        if request.verdict.flagged:
            colour = (RED, BOLD) if request.verdict.level == "destructive" else (YELLOW,)
            reason = f"{request.verdict.level}: {escaped(request.verdict.reason)}"
            screen.line(screen.paint(reason[: 3 * screen.width], *colour))
        return shown.whole and not more

    def _about(self, request: ToolRequest) -> Iterator[str]:
        """The server's own description, which is its word and not ours; a change as a diff."""
        screen, width = self._screen, self._screen.width - 1
        if request.standing == "changed":
            yield screen.paint("its definition is another one than you accepted:", RED, BOLD)
            yield from definition_changes(request.before, request.tool.definition)
            return
        said = escaped(" ".join(request.tool.description.split())) or "nothing"
        new = "new; " if request.standing == "new" else ""
        text = f"({new}its server says: {said})"
        yield screen.paint(text if len(text) <= 2 * width else text[: 2 * width - 2] + "…)", DIM)


def _identity(request: ToolRequest) -> tuple[str, str]:
    return request.tool.server, request.tool.fingerprint


def definition_changes(before: str, after: str) -> list[str]:
    """What changed in a definition, to be seen whole: in lines that fit the screen."""
    old, new = list(_short_lines(before)), list(_short_lines(after))
    return list(difflib.unified_diff(old, new, n=1, lineterm=""))[2:]


def _short_lines(definition: str) -> Iterator[str]:
    """Its lines escaped, long ones broken after sentences and words."""
    for line in definition.splitlines():
        for sentence in _SENTENCE.split(escaped(line)):
            yield from textwrap.wrap(
                sentence, LINE, subsequent_indent="  ", drop_whitespace=False
            ) or [""]
