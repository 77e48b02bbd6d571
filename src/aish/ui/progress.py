"""A progress bar on one line, or a few plain lines where there is no terminal."""

from __future__ import annotations

from types import TracebackType

from aish.ui.screen import Screen
from aish.ui.style import one_line


class Bar:
    """Call it with what is done; it draws when the picture changes."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._live = screen.terminal and screen.err.isatty()
        self._shown = ""
        self._what = ""

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live and self._shown:
            self._screen.beside("\r\x1b[K")

    def __call__(self, what: str, done: int, total: int) -> None:
        if not self._live:
            if what != self._what:
                self._what = what
                self._screen.notice(f"{what}…")
            return
        picture = self._picture(what, done, total)
        if picture != self._shown:
            self._shown = picture
            self._screen.beside(f"\r{picture}\x1b[K")

    def _picture(self, what: str, done: int, total: int) -> str:
        room, what = self._screen.width - 1, one_line(what)
        if not total:
            return f"{what}…"[:room]
        share = min(done / total, 1.0)
        figures = f" {share:4.0%} of {total / 1e6:.0f} MB"
        size = max(min(room - len(what) - len(figures) - 1, 30), 0)
        filled = int(share * size)
        return f"{what} {'█' * filled}{'░' * (size - filled)}{figures}"[:room]
