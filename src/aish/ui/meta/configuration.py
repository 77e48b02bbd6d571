"""The configuration in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import DIM, harmless

if TYPE_CHECKING:
    from aish.config.settings import Setting
    from aish.ui.session import Session


@meta("config", "[show [KEY]]", choices=lambda _: ("show",))
def config(session: Session, argument: str) -> None:
    """Show the configuration in force and where each value comes from."""
    word, _, wanted = argument.partition(" ")
    if word not in ("", "show"):
        raise UsageError(f":config {word} means nothing", ":config show, or :config show models")
    screen, found = session.screen, _chosen(list(session.settings()), wanted.strip())
    for setting in found:
        origin = screen.paint(f"({harmless(setting.origin)})", DIM)
        screen.line(f"{setting.key} = {setting.value}  {origin}")
    if not found:
        screen.notice(
            f"there is no key {wanted.strip()}" if wanted else "no configuration is known"
        )


def _chosen(settings: list[Setting], wanted: str) -> list[Setting]:
    """The key of that name, else the keys of that section, else what begins so."""
    named = [setting for setting in settings if setting.key == wanted]
    inside = [setting for setting in settings if setting.key.startswith(f"{wanted}.")]
    return named or inside or [item for item in settings if item.key.startswith(wanted)]
