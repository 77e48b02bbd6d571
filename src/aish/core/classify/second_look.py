"""A second look at lines that may be asked: shell syntax, and words that name things."""

from __future__ import annotations

from collections.abc import Callable

from aish.core.classify.arguments import KindOf
from aish.core.classify.joined import Joined, ScoreOf, joined, lean_of_joined
from aish.core.classify.names_given import all_found, names_files, operands
from aish.core.classify.otherscripts import read_abroad
from aish.core.classify.words import LineWord
from aish.core.values import dataclass

# A score nearer to zero than this is a guess, and the prompt says so.
SURE = 2.0
GUESS = 1.0
MOST_LOOKED_UP = 4

Finds = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class SecondLook:
    """The score after it, and why it changed sides; no reason: the weights have their say."""

    score: float
    reason: str = ""


def second_look(
    words: list[LineWord],
    score: float,
    score_of: ScoreOf,
    kind_of: KindOf,
    finds: Callable[[str, str], bool],
) -> SecondLook:
    """What the sum of single observations cannot see."""
    commands = joined(words)
    syntax = lean_of_joined(commands, kind_of, score_of)
    if syntax == float("inf"):
        several = len(commands.commands) > 1
        return SecondLook(-syntax, "a list of commands" if several else "a redirection")
    score -= syntax
    if not words or not (kind_of(words[0].text) or words[0].shape in ("path", "assign")):
        return SecondLook(score)
    if len(commands.commands) == 1:
        words = commands.commands[0]
    abroad = read_abroad(words)
    if score <= 0:
        said = abroad == "sentence" and kind_of(words[0].text) != "user"
        return SecondLook(GUESS, "words of another language") if said else SecondLook(score)
    if abroad == "sentence":
        return SecondLook(score)
    if named := "names in other letters" if abroad == "names" else names_files(words):
        return SecondLook(-GUESS, named)
    here = _all_here(commands, kind_of, finds)
    return SecondLook(-SURE, "what it names is here") if here else SecondLook(score)


def _all_here(commands: Joined, kind_of: KindOf, finds: Finds) -> bool:
    """Every command of the line runs, and everything they are given is here."""
    given = sum(len(operands(command)) for command in commands.commands)
    return 0 < given <= MOST_LOOKED_UP and all(
        kind_of(command[0].text) and (not command[1:] or all_found(command, finds))
        for command in commands.commands
    )
