"""Which model a question goes to: routing, fallback, and asking another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import harmless

if TYPE_CHECKING:
    from aish.ui.face import Face

CLASSES = ("code", "reasoning", "default")


@meta("route", "[on|off|classes|check TEXT]", choices=lambda _: ("on", "off", "classes", "check"))
def route(face: Face, argument: str) -> None:
    """Choose the model by the class of the question, or explain the choice.

    classes shows where each class goes; check TEXT says what a question is, and why.
    """
    word, _, text = argument.partition(" ")
    routing, screen = face.models.routing, face.screen
    match word:
        case "on" | "off":
            routing.auto = word == "on"
        case "classes":
            _classes(face)
            return
        case "check":
            _check(face, text.strip())
            return
        case "":
            pass
        case _:
            raise UsageError(
                f":route {word} means nothing", ":route on, off, classes or check TEXT"
            )
    screen.notice(f"routing is {'on' if routing.auto else 'off'}")


def _classes(face: Face) -> None:
    routing = face.models.routing
    for name in CLASSES:
        preset = routing.preset_of(name) or f"{face.models.current} (the model in use)"
        prompt = ", with a system prompt of its own" if routing.prompt_of(name) else ""
        face.screen.line(harmless(f"{name:<10} {preset}{prompt}"))


def _check(face: Face, text: str) -> None:
    if not text:
        raise UsageError("there is no question to check", ":route check why does my loop hang")
    destination = face.models.routing.checked(text, face.models.current)
    if destination.question_class is not None:
        face.screen.line(destination.question_class.explanation)
    face.screen.line(
        f"goes to {harmless(destination.preset)}{'' if face.models.routing.auto else ' when on'}"
    )


@meta("fallback", "[on|off]", choices=lambda _: ("on", "off"))
def fallback(face: Face, argument: str) -> None:
    """Ask another model when the way to the first one fails."""
    routing = face.models.routing
    if argument not in ("", "on", "off"):
        raise UsageError(f":fallback {argument} means nothing", ":fallback on or off")
    if argument == "on" and not routing.fallback_model:
        raise UsageError(
            "there is no model to fall back to", "set fallback_model under [routing] in the config"
        )
    if argument:
        routing.fallback = argument == "on"
    state = f"on, to {routing.fallback_model}" if routing.fallback else "off"
    face.screen.notice(f"fallback is {state}")


@meta("delegate", "PRESET TEXT", choices=lambda face: face.models.names())
def delegate(face: Face, argument: str) -> None:
    """Ask another model something; its answer goes with the next question."""
    name, _, text = argument.partition(" ")
    if not text.strip():
        raise UsageError("a delegation names a preset and a question", ":delegate big explain this")
    face.play(face.conversation.delegate(name, text.strip()))
