"""The configuration in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import DIM, harmless

if TYPE_CHECKING:
    from aish.ui.session import Session


@meta("config", "[show [KEY]]", choices=lambda _: ("show",))
def config(session: Session, argument: str) -> None:
    """Show the configuration in force and where each value comes from."""
    word, _, wanted = argument.partition(" ")
    if word not in ("", "show"):
        raise UsageError(f":config {word} means nothing", ":config show, or :config show models")
    screen, shown = session.screen, 0
    for setting in session.settings():
        if setting.key.startswith(wanted.strip()):
            shown += 1
            origin = screen.paint(f"({harmless(setting.origin)})", DIM)
            screen.line(f"{setting.key} = {setting.value}  {origin}")
    if not shown:
        screen.notice(
            f"there is no key {wanted.strip()}" if wanted else "no configuration is known"
        )
