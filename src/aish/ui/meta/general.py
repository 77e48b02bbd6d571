"""Help, leaving, and the screen."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from aish.ui.meta.registry import MetaCommand, commands, find, meta
from aish.ui.style import BOLD, CYAN, DIM

if TYPE_CHECKING:
    from aish.ui.face import Face

COLUMN = 24  # where the meaning begins
KEYS = (
    "Tab completes, Ctrl-R searches the history, Ctrl-T turns a command into a question and back, "
    "Ctrl-C stops an answer, Ctrl-D leaves."
)
LINES = (
    ("ls -l", "a command runs in your shell"),
    ("why did that fail?", "a sentence is a question; the model sees what just ran"),
    ("!cmd  $ cmd", "always a command"),
    ("?text", "always a question"),
    (" cmd", "a leading space keeps a line private"),
)


@meta("help", "[TOPIC|COMMAND|all]", choices=lambda _: _helpful())
def show_help(face: Face, argument: str) -> None:
    """Show what can be typed; a topic, one command, or all of them."""
    word = argument.removeprefix(":")
    if word == "all":
        _paged(face, [row for topic in _topics() for row in _topic(face, topic)])
    elif word in _topics():
        _paged(face, _topic(face, word))
    elif word:
        command = find(word)
        face.screen.line(face.screen.paint(f":{command.name} {command.usage}".rstrip(), BOLD))
        face.screen.line(command.help)
    else:
        _overview(face)


def _overview(face: Face) -> None:
    """The line, the keys and the topics: one screen."""
    screen = face.screen
    for typed, meaning in LINES:
        _row(face, typed, meaning)
    screen.line()
    for topic, found in _topics().items():
        names = " ".join(f":{command.name}" for command in found)
        for row in _wrapped(f":help {topic}", names, screen.width - 1):
            screen.line(row.replace(f":help {topic}", screen.paint(f":help {topic}", CYAN), 1))
    screen.line()
    for row in _wrapped("", KEYS, screen.width - 1):
        screen.line(screen.paint(row, DIM))


def _helpful() -> list[str]:
    return ["all", *_topics(), *(command.name for command in commands())]


def _topics() -> dict[str, list[MetaCommand]]:
    """The commands by what they are about."""
    topics: dict[str, list[MetaCommand]] = {}
    for command in commands():
        if not command.alias_of:
            topics.setdefault(command.topic, []).append(command)
    return dict(sorted(topics.items()))


def _topic(face: Face, topic: str) -> list[str]:
    screen, rows = face.screen, [face.screen.paint(topic, BOLD)]
    for command in _topics()[topic]:
        typed = f"  :{command.name} {command.usage}".rstrip()
        for row in _wrapped(typed, command.summary, screen.width - 1):
            rows.append(row.replace(typed, screen.paint(typed, CYAN), 1))
    return rows


def _wrapped(head: str, text: str, width: int) -> list[str]:
    """The text in a column of its own, below the head where that is long."""
    column = min(COLUMN, width // 3) if head else 0
    rows = textwrap.wrap(text, max(10, width - column), break_on_hyphens=False) or [""]
    first = [head] if len(head) >= column > 0 else []
    lines = [" " * column + row for row in rows]
    return [*first, *lines] if first else [head + lines[0][len(head) :], *lines[1:]]


def _paged(face: Face, rows: list[str]) -> None:
    """Show rows, a window at a time where somebody can press a key."""
    size = face.screen.height - 2
    while len(rows) > size + 1 and face.answers is not None:
        for row in rows[:size]:
            face.screen.line(row)
        rows = rows[size:]
        if face.answers.choose("more: a key goes on, q ends [ /q]", "q") == "q":
            return
    for row in rows:
        face.screen.line(row)


def _row(face: Face, typed: str, meaning: str) -> None:
    """What is typed and what it does, below it where the first is long."""
    screen = face.screen
    for row in _wrapped(f"  {typed}", meaning, screen.width - 1):
        screen.line(row.replace(typed, screen.paint(typed, CYAN), 1))


@meta("quit", aliases=("q", "exit"))
def leave(face: Face, argument: str) -> None:
    """Leave aish."""
    del argument
    face.leaving = True


@meta("doctor")
def doctor(face: Face, argument: str) -> None:
    """Check what aish needs and say what to do about what is missing."""
    del argument
    from aish.shell.own_name import run_aish

    run_aish(face.shell.cwd, "doctor")


@meta("clear")
def clear(face: Face, argument: str) -> None:
    """Clear the screen; the conversation stays."""
    del argument
    if face.screen.terminal:
        face.screen.control("\x1b[H\x1b[2J\x1b[3J")
