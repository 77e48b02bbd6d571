"""Whether a typed line is for aish, for the shell or for the model."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Literal

from aish.core.classify.features import near_misses, observe
from aish.core.classify.funcwords import ENGLISH, FOREIGN, IMPERATIVES
from aish.core.classify.known import WELL_KNOWN, CommandNames
from aish.core.classify.reasons import reason_for
from aish.core.classify.second_look import SURE, second_look
from aish.core.classify.spoken import PLEASE, SURELY, is_message, spoken_to
from aish.core.classify.syntax import certain_syntax, without_free_text
from aish.core.classify.words import LineWord, words_of
from aish.core.values import dataclass

LineKind = Literal["meta", "shell", "ask"]

LEAN = 0.25
STRANGE = 2.0  # for a long plain word that runs nowhere: a verb, in whatever language
LONG = 7  # letters
_SHORT = frozenset("oeyi")  # words of one letter in some languages
_PROSE = ENGLISH | FOREIGN | IMPERATIVES
_FOLDERS = frozenset((".", "..", "~"))
_PLAIN = frozenset(("word", "file", "path", "number", "string"))

_META = re.compile(r":[^\W\d_]")
# `!!`, `!n`, `!-n`, `!$`, `!?text?`, `!word:2` and `^a^b` are the shell's own history.
_HISTORY = re.compile(r"!(?:[!$^*?:#\d]|-\d|[\w.-]+:[\d$^*%&a-z-])|\^[^\s^]*\^")


@dataclass(frozen=True, slots=True)
class Classification:
    """What a line is, why, and what to run or ask once a forcing prefix is gone.

    `score` is the evidence for a question: above zero an `ask`, below a `shell`; the further from
    zero, the surer. Forced lines carry an infinite one.
    """

    kind: LineKind
    reason: str
    text: str
    score: float = 0.0

    @property
    def doubtful(self) -> bool:
        """The line could well be the other kind; the user should see which it is taken for."""
        return self.kind != "meta" and abs(self.score) < SURE


def classify(line: str, known: CommandNames = WELL_KNOWN) -> Classification:
    """Tell a meta command, a shell command and a question apart."""
    return _forced(line) or _weighed(line, known)


def classify_record(line: str, known: CommandNames = WELL_KNOWN) -> dict[str, str]:
    """A line's classification as `aish classify --jsonl` prints it."""
    found = classify(line, known)
    return {"line": line, "kind": found.kind, "reason": found.reason}


def _forced(line: str) -> Classification | None:
    """The kind a line's first characters leave no choice about."""
    text = line.lstrip()
    if not text:
        return _shell("an empty line", "")
    first = text[0]
    if first == "?":
        return Classification("ask", "`?` asks", text[1:].strip(), float("inf"))
    if first == ":" and _META.match(text):
        return Classification("meta", "a colon and a name", text.rstrip())
    return _forced_shell(line, text) if first in "!^$" else None


def _forced_shell(line: str, text: str) -> Classification | None:
    if _HISTORY.match(text):
        return _shell("the shell's history", line)
    if text[0] == "!":
        negates = not text[1:2].strip()
        return _shell("`!` negates", line) if negates else _shell("`!` runs", text[1:])
    if text[0] == "$" and text[1:2] in (" ", "\t"):
        return _shell("`$` runs", text[1:].lstrip())
    return None


def _shell(reason: str, text: str) -> Classification:
    return Classification("shell", reason, text, float("-inf"))


def _weighed(line: str, known: CommandNames) -> Classification:
    kinds: dict[str, str | None] = {}

    def kind_of(word: str) -> str | None:
        if word not in kinds:
            kinds[word] = _kind(word, known)
        return kinds[word]

    def score_of(words: list[LineWord]) -> float:
        return _score(words, _parts(words, kind_of), kind_of)

    if syntax := certain_syntax(line, kind_of):
        return _shell(syntax, line)
    words = without_free_text(words_of(line.lstrip()))
    if len(words) == 1 and not words[0].tail and kind_of(words[0].text):
        # A lone word the shell knows is a command, whatever it means in English.
        return _shell(reason_for("shell", words, [], kind_of), line)
    parts = _parts(words, kind_of)
    score = _score(words, parts, kind_of)
    if score > -SURE or not line.isascii():
        again = second_look(words, score, score_of, kind_of, known.finds)
        score = again.score
        if again.reason:
            return Classification("ask" if score > 0 else "shell", again.reason, line, score)
    kind: LineKind = "ask" if score > 0 else "shell"
    return Classification(kind, reason_for(kind, words, parts, kind_of), line, score)


def _parts(words: list[LineWord], kind_of: Callable[[str], str | None]) -> list[tuple[float, str]]:
    """What each observation weighs."""
    weights = learned_weights()
    return [(weights.get(name, 0.0), name) for name in dict.fromkeys(observe(words, kind_of))]


def _score(
    words: list[LineWord], parts: list[tuple[float, str]], kind_of: Callable[[str], str | None]
) -> float:
    return sum(weight for weight, _ in parts) + _lean(words, kind_of)


def _lean(words: list[LineWord], kind_of: Callable[[str], str | None]) -> float:
    """In the middle, a first word that runs makes a command, and one that does not a question."""
    if is_message(words):
        return SURELY
    if not words or not kind_of(words[0].text):
        return _lean_of_strangers(words, kind_of)
    if _asks_which(words, kind_of):
        return STRANGE
    if spoken := spoken_to(words):
        return spoken
    return -STRANGE if _names_one(words) else -LEAN


def _lean_of_strangers(words: list[LineWord], kind_of: Callable[[str], str | None]) -> float:
    if len(words) == 1:
        return 0.0
    if words and words[0].text.lower() in PLEASE:
        return SURELY
    if words and _is_unknown_command(words, kind_of):
        return -STRANGE
    return STRANGE if words and _is_strange(words, kind_of) else LEAN


def _is_strange(words: list[LineWord], kind_of: Callable[[str], str | None]) -> bool:
    """A first word that is no program's, nor one mistyped, and goes on without shell syntax."""
    first = words[0].text
    if not (words[0].shape == "word" and first.isalpha() and first.islower()):
        return False
    if any(word.shape not in _PLAIN and word.text not in _SHORT for word in words):
        return False
    if first in FOREIGN:
        return len(first) >= LONG - 2
    return len(first) >= LONG and not any(map(kind_of, near_misses(first)))


def _is_unknown_command(words: list[LineWord], kind_of: Callable[[str], str | None]) -> bool:
    """No word of prose in it, and either a path behind a mistyped name or another command."""
    first = words[0]
    if first.shape != "word" or len(first.text) < 3:
        return False
    if not _PROSE.isdisjoint(word.text.lower() for word in words):
        return False
    if any(";" in word.tail and kind_of(after.text) for word, after in pairwise(words)):
        return True
    if len(words) == 2 and words[1].text in _FOLDERS:
        return True
    names_path = any(word.shape == "path" for word in words[2:])
    return names_path and any(map(kind_of, near_misses(first.text)))


def _names_one(words: list[LineWord]) -> bool:
    """`which fzy`: whether a program is here, whatever it is called; not "which one"."""
    if len(words) != 2 or words[0].text not in ("which", "whereis", "man", "type", "tldr"):
        return False
    name = words[1]
    return (
        name.shape == "word" and name.text.islower() and not name.tail and name.text not in ENGLISH
    )


def _asks_which(words: list[LineWord], kind_of: Callable[[str], str | None]) -> bool:
    """`which` before a noun and its verb: "which package provides /usr/bin/dig"."""
    if words[0].text != "which" or [word.shape for word in words[1:3]] != ["word", "word"]:
        return False
    noun, verb = words[1].text, words[2].text
    return len(words) > 3 and verb.endswith("s") and not (kind_of(noun) or kind_of(verb))


def _kind(word: str, known: CommandNames) -> str | None:
    """What a word is to the live shell, or to shells in general if this one lacks it."""
    kind = known.kind_of(word) or WELL_KNOWN.kind_of(word)
    return "user" if kind in ("alias", "function") else kind


@cache
def learned_weights() -> dict[str, float]:
    """The weights by observation, unpacked once."""
    from aish.core.classify.weights import WEIGHTS

    unpacked = {}
    for family, text in WEIGHTS.items():
        pairs = iter(text.split())
        for name, points in zip(pairs, pairs, strict=True):
            unpacked[family + name.replace("␣", " ")] = int(points) / 100
    return unpacked
