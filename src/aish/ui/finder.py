"""Ctrl-R: the history as a list that narrows while a few letters of a line are typed."""

from __future__ import annotations

import asyncio
from typing import Literal

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import BaseStyle
from prompt_toolkit.utils import get_cwidth

from aish.core.finding import Finding
from aish.core.values import dataclass
from aish.ui.line_loop import LineLoop
from aish.ui.unseen_marks import MARK, marks

ROWS = 10  # lines of the list, fewer in a low window
AT_ONCE = 3  # steps of a search before something is shown
ESCAPE_TIME = 0.05  # seconds; after that an escape is the key, not the beginning of another

PickAction = Literal["run", "edit", "cancel", "drop"]


@dataclass(frozen=True, slots=True)
class Pick:
    """What the search ended with: a line, and what is to become of it."""

    action: PickAction
    text: str = ""


class Finder:
    """A search; `run` returns when a key ends it.

    Enter runs the line; Tab, the arrows, Home, End and Escape leave it in the prompt; Ctrl-G goes
    back to what was typed before, Ctrl-C to an empty line.
    """

    def __init__(self, output: Output | None, style: BaseStyle, depth: ColorDepth | None) -> None:
        self._finding = Finding(())
        self._search = self._finding.search("")
        self._found: list[str] = []
        self._more = False  # to be found
        self._goes_on = False
        self._place = 0
        self._query = Buffer(multiline=False, on_text_changed=lambda _: self._begin())
        typed = BufferControl(self._query, [BeforeInput("search: ", "class:finder.word")])
        self._app: Application[Pick] = Application(
            Layout(
                HSplit(
                    [
                        Window(typed, height=1),
                        Window(FormattedTextControl(self._list), height=self._height),
                    ]
                )
            ),
            key_bindings=self._keys(),
            style=style,
            color_depth=depth,
            output=output,
            erase_when_done=True,
            max_render_postpone_time=None,  # the rest of a search is never before its painting
        )
        self._app.ttimeoutlen = ESCAPE_TIME
        self._app.after_render += self._go_on_soon

    def run(self, lines: list[str], query: str, loop: LineLoop) -> Pick:
        """Search these lines, newest first, for this to begin with."""
        self._finding = Finding(lines)
        self._query.document = Document(query)
        self._begin()
        return loop.run(self._app.run_async())

    def _begin(self) -> None:
        """Search for what was typed, as far as a key may take; the rest follows the painting."""
        self._search = self._finding.search(self._query.text)
        self._place = 0
        self._more = True
        self._look(AT_ONCE)

    def _look(self, steps: int) -> None:
        while self._more and steps:
            steps -= 1
            self._more = self._search.step()
        self._found = self._search.found

    def _go_on_soon(self, _: object) -> None:
        if self._more and not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        """Keys come between two of these."""
        self._goes_on = False
        before = len(self._found)
        self._look(1)
        if (before < ROWS and len(self._found) != before) or not self._more:
            self._app.invalidate()
        else:
            self._go_on_soon(None)

    def _height(self) -> int:
        rows = min(ROWS, max(1, self._app.output.get_size().rows - 2))
        return max(1, min(rows, len(self._found)))

    def _list(self) -> StyleAndTextTuples:
        if not self._found:
            none = "looking …" if self._more else "nothing like that in the history"
            return [("class:finder.none", none)]
        width, height = self._app.output.get_size().columns - 3, self._height()
        first = max(0, self._place - height + 1)
        shown: StyleAndTextTuples = []
        for place, line in enumerate(self._found[first : first + height], first):
            chosen = place == self._place
            style = "class:finder.chosen" if chosen else "class:finder.line"
            shown.append((style, ("› " if chosen else "  ") + one_row(line, width)))
            shown.append(("", "\n"))
        return shown[:-1]

    def _move(self, steps: int) -> None:
        if self._place + steps >= len(self._found):
            self._look(-1)
        self._place = max(0, min(self._place + steps, len(self._found) - 1))

    def _end(self, action: PickAction) -> None:
        if not self._found:
            self._look(-1)
        line = self._found[self._place] if self._found else ""
        if action in ("run", "edit") and not line:
            action = "cancel"
        self._app.exit(result=Pick(action, line))

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def on(names: tuple[str, ...], action: PickAction) -> None:
            for name in names:
                keys.add(name, eager=True)(lambda _: self._end(action))

        on(("enter", "c-j"), "run")
        on(("tab", "right", "left", "end", "home", "c-e", "c-a", "c-f", "escape"), "edit")
        on(("c-g",), "cancel")
        on(("c-c", "c-d"), "drop")

        def move(names: tuple[str, ...], steps: int) -> None:
            for name in names:
                keys.add(name, eager=True)(lambda _: self._move(steps))

        move(("c-r", "down", "c-n"), 1)
        move(("c-s", "up", "c-p"), -1)
        move(("pagedown",), ROWS)
        move(("pageup",), -ROWS)
        return keys


def one_row(line: str, width: int) -> str:
    """A line of the history in one row: ends of lines as marks, the rest cut off."""
    text = "".join(
        "⏎" if ch == "\n" else ch if ch.isprintable() else MARK for ch in marks(line[: 4 * width])
    )
    if get_cwidth(text) <= width and len(line) <= 4 * width:
        return text
    while text and get_cwidth(text) > width - 1:
        text = text[: -max(1, (get_cwidth(text) - width) // 2)]
    return text + "…"
