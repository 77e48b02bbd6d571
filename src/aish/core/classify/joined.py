"""Commands joined by pipes, lists and redirections, and whether one of them reads as a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from aish.core.classify.arguments import LONGEST_SLIP, SPOKEN, KindOf
from aish.core.classify.features import WRAPPERS, near_misses
from aish.core.classify.funcwords import (
    ASKERS,
    CHAT,
    ENGLISH,
    FOREIGN,
    FREE_TEXT,
    IMPERATIVES,
    OPENERS,
)
from aish.core.classify.names_given import NAME_GIVEN, all_like_names, names_files, small_words
from aish.core.classify.words import LineWord
from aish.core.values import dataclass

PIPED = 4.0
LISTED = 2.0
MOST_COMMANDS = 12  # enough to decide, whatever is pasted
_IN_BETWEEN = frozenset(("then", "else", "elif", "fi", "in", "do", "done", "esac"))
_OPENING = frozenset(("if", "for", "while", "until", "select", "case"))
_SAID = ENGLISH | FOREIGN | IMPERATIVES | OPENERS | ASKERS | CHAT
_WRITTEN = frozenset(("path", "ident", "file"))  # no sentence begins so
_CUTTING = frozenset(("pipe", "newline"))
_POINTING = frozenset(("redirect", "redirected"))
_ENDS = frozenset((";", ";;", "&"))

ScoreOf = Callable[[list[LineWord]], float]
WordReading = Literal["runs", "stranger", "doubt", "prose"]


@dataclass(frozen=True, slots=True)
class Joined:
    """The commands of a line, each with its own words and without its redirections."""

    commands: list[list[LineWord]]
    piped: bool
    redirected: bool


def joined(words: list[LineWord]) -> Joined:
    """A line cut where a shell would cut it."""
    command: list[LineWord] = []
    commands = [command]
    piped = redirected = target = False
    for word in words:
        shape = word.shape
        pointed, target = target and shape != "pipe", False
        if shape in _CUTTING or word.text in _ENDS:
            piped = piped or shape == "pipe"
        elif shape in _POINTING:
            redirected = True
            target = shape == "redirect" and word.text[-1] in "<>"
            continue
        else:
            if not pointed and shape != "comment":
                ends = word.tail.endswith(";")
                command.append(replace(word, tail=word.tail[:-1]) if ends else word)
            if (word.text + word.tail)[-1] != ";" or word.text[0] == "\\":
                continue
        command = []
        commands.append(command)
    return Joined([command for command in commands if command], piped, redirected)


def lean_of_joined(line: Joined, kind_of: KindOf, score_of: ScoreOf) -> float:
    """How much shell syntax between known commands speaks for a command; infinite: beyond doubt.

    `score_of` weighs one command by itself, where its words alone leave a doubt.
    """
    several = len(line.commands) > 1
    if not (several or line.redirected):
        return 0.0
    commands = line.commands[:MOST_COMMANDS]
    opened = any(command[0].text in _OPENING for command in commands)
    readings = [_reading(command, line.piped, opened, kind_of) for command in commands]
    for at, reading in enumerate(readings):
        command = commands[at]
        told = reading == "doubt" or (reading == "stranger" and len(command) > 1)
        if told and score_of(command) <= 0:
            readings[at] = "runs"
    if "prose" in readings or "runs" not in readings:
        return 0.0
    if "doubt" in readings or "stranger" in readings:
        return PIPED if line.piped else 0.0 if "stranger" in readings else LISTED
    named = any(small_words(command) for command in commands)
    return float("inf") if several or named else PIPED


def _reading(command: list[LineWord], piped: bool, opened: bool, kind_of: KindOf) -> WordReading:
    bare = _unwrapped(command)
    if not bare or bare[0].text in FREE_TEXT or (opened and bare[0].text in _IN_BETWEEN):
        return "runs"
    if any(_speaks(word) for word in bare):
        return "prose"
    small = small_words(bare)
    if not (len(bare) < len(command) or _runs(bare[0], kind_of)):
        return "prose" if small or bare[0].text.lower() in _SAID else "stranger"
    if not small or _takes_names(bare, piped):
        return "runs"
    return "prose" if len(small) > 1 else "doubt"


def _speaks(word: LineWord) -> bool:
    """Punctuation behind it that no command has: `host:` and `./...` are written so."""
    if word.shape == "word":
        return word.tail not in ("", ":")
    return bool(word.tail.strip(":.)"))


def _runs(word: LineWord, kind_of: KindOf) -> bool:
    """A command, one with a slip, or a program by its path or its ending.

    A `then` that no `if` precedes is a word of prose.
    """
    if word.shape in _WRITTEN or kind_of(word.text):
        return word.text not in _IN_BETWEEN
    slip = word.text.isascii() and 3 < len(word.text) < LONGEST_SLIP and word.text not in _SAID
    return slip and any(map(kind_of, near_misses(word.text)))


def _unwrapped(command: list[LineWord]) -> list[LineWord]:
    """The command behind `A=1` and `sudo`."""
    at = 0
    while at < len(command) and (command[at].shape == "assign" or command[at].text in WRAPPERS):
        at += 1
    return command[at:]


def _takes_names(command: list[LineWord], piped: bool) -> bool:
    """Its small words are names; to a verb of everyday speech, only within a pipe."""
    low = command[0].text
    if names_files(command):
        return True
    if not piped and low in SPOKEN and low not in NAME_GIVEN:
        return False
    return all_like_names(command)
