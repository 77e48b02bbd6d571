"""What keeps commands from doing harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import DIM, GREEN, RED, YELLOW, harmless

if TYPE_CHECKING:
    from aish.ui.face import Face

INDENT = " " * len("✓ sandbox  ")


@meta("safety", "[status|check CMD|rules]", choices=lambda _: ["status", "check", "rules"])
def safety(face: Face, argument: str) -> None:
    """Show what protects here: trials, undo and the sandbox.

    check CMD says what a command would do, and runs nothing; rules lists your own.
    """
    word, _, rest = argument.partition(" ")
    match word:
        case "" | "status":
            _status(face)
        case "check" if rest.strip():
            _check(face, rest.strip())
        case "check":
            raise UsageError("there is no command to read", ":safety check rm -rf build")
        case "rules":
            _rules(face)
        case _:
            raise UsageError(f":safety {word} means nothing", ":safety status, check CMD or rules")


def _status(face: Face) -> None:
    from aish.sandbox.status import protection

    found, screen = protection(), face.screen
    for name, good, text in (
        ("trials", found.trial, found.trial_text),
        ("undo", found.trial, "old files of deleting commands are kept" if found.trial else "none"),
        ("sandbox", found.sandbox == "bwrap", found.sandbox_text),
    ):
        mark = screen.paint("✓", GREEN) if good else screen.paint("!", YELLOW)
        screen.line(f"{mark} {name:<8} {screen.worded(text, INDENT, len(INDENT))}")
    for command, directory in face.remembered():
        screen.line(f"  unasked  {harmless(command)}  (in {harmless(directory)}, until exit)")


def _check(face: Face, command: str) -> None:
    if face.judge is None:
        raise UsageError("commands are not read here")
    verdict, screen = face.judge.judge(command, face.shell.cwd), face.screen
    colour = {"destructive": RED, "unknown": YELLOW}.get(verdict.level, GREEN)
    screen.line(f"{screen.paint(verdict.level, colour)}: {harmless(verdict.reason)}")
    for effect in verdict.effects:
        if effect.reason not in verdict.reason:
            screen.line(screen.paint(f"  {effect.kind}: {harmless(effect.reason)}", DIM))


def _rules(face: Face) -> None:
    rules = face.judge.rules if face.judge is not None else ()
    for rule in rules:
        face.screen.line(harmless(str(rule)))
    if not rules:
        face.screen.notice("no rules of your own; `safety.rules` in the config holds them")
