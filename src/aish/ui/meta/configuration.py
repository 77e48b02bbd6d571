"""The configuration in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import DIM, harmless

if TYPE_CHECKING:
    from aish.config.settings import Setting
    from aish.ui.face import Face


@meta(
    "config",
    "[show [KEY] | set KEY VALUE | unset KEY]",
    choices=lambda _: ("show", "set ", "unset "),
)
def config(face: Face, argument: str) -> None:
    """Show the settings in force and where each comes from, or change one.

    `set` changes that key in your file and nothing else, `unset` takes it out, for its default;
    either is in force from the next start.
    """
    word, _, wanted = argument.partition(" ")
    match word:
        case "" | "show":
            _show(face, wanted)
        case "set":
            _set(face, wanted)
        case "unset":
            _unset(face, wanted.strip())
        case _:
            hint = ":config show, set KEY VALUE, or unset KEY"
            raise UsageError(f":config {word} means nothing", hint)


def _set(face: Face, argument: str) -> None:
    key, _, value = argument.strip().partition(" ")
    if not key or not value.strip():
        raise UsageError("which key, and what value?", ":config set ui.highlight false")
    if face.configuration is None:
        raise UsageError(f"there is no file to write {key} to")
    written = face.configuration.set(key, value.strip())
    face.screen.notice(f"{key} = {written} is written; in force from the next start")


def _unset(face: Face, key: str) -> None:
    if not key or " " in key:
        raise UsageError("which key?", ":config unset ui.highlight")
    if face.configuration is None:
        raise UsageError(f"there is no file to take {key} out of")
    face.configuration.unset(key)
    face.screen.notice(f"{key} is unset; its default is in force from the next start")


def _show(face: Face, wanted: str) -> None:
    known = face.configuration.settings() if face.configuration else []
    screen, found = face.screen, _chosen(known, wanted.strip())
    for setting in found:
        origin = screen.paint(f"({harmless(setting.origin)})", DIM)
        screen.line(f"{harmless(f'{setting.key} = {setting.value}')}  {origin}")
    if not found:
        screen.notice(
            f"there is no key {wanted.strip()}" if wanted else "no configuration is known"
        )


def _chosen(settings: list[Setting], wanted: str) -> list[Setting]:
    """The key of that name, else the keys of that section, else what begins so."""
    named = [setting for setting in settings if setting.key == wanted]
    inside = [setting for setting in settings if setting.key.startswith(f"{wanted}.")]
    return named or inside or [item for item in settings if item.key.startswith(wanted)]
