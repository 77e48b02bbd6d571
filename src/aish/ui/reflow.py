"""A window made narrower: where the terminal has put what the line editor drew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from prompt_toolkit.data_structures import Point

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.layout.screen import Screen

# Each is set by a terminal that breaks long rows anew when its window changes.
_REFLOWING = (
    "ALACRITTY_WINDOW_ID",
    "ITERM_SESSION_ID",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "TMUX",
    "VTE_VERSION",
    "WEZTERM_PANE",
    "WT_SESSION",
)


def reflows(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to break rows anew; xterm and the console cut them off."""
    return any(environ.get(name) for name in _REFLOWING) or environ.get("TERM_PROGRAM") == "vscode"


def rows_above(screen: Screen, cursor: Point, columns: int) -> int:
    """How many rows are above the cursor once each drawn row is broken at so many columns."""
    above = sum(max(1, -(-_length(screen, row) // columns)) for row in range(cursor.y))
    return above + cursor.x // columns


def _length(screen: Screen, row: int) -> int:
    cells = screen.data_buffer[row]
    return max((at + cell.width for at, cell in cells.items() if cell.char != " "), default=0)


def follow_reflow(app: Application[str]) -> None:
    """Before a resized prompt is drawn anew, have all rows of the old drawing cleared."""
    plain = app._on_resize

    def resized() -> None:
        renderer, columns = app.renderer, app.output.get_size().columns
        drawn, size = renderer.last_rendered_screen, renderer._last_size
        if drawn is not None and size is not None and 0 < columns < size.columns:
            renderer._cursor_pos = Point(x=0, y=rows_above(drawn, renderer._cursor_pos, columns))
            app.output.write_raw("\r")
        plain()

    app._on_resize = resized  # type: ignore[method-assign]
