"""What a line shows of being a command or a sentence: named observations for the weights."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

from aish.core.classify.arguments import (
    KindOf,
    after_subcommand,
    observe_arguments,
    observe_known_head,
)
from aish.core.classify.funcwords import (
    ASKERS,
    CHAT,
    ENGLISH,
    FOREIGN,
    FREE_TEXT,
    IMPERATIVES,
    OPENERS,
    VERBS,
)
from aish.core.classify.more_subcommands import ALL_SUBCOMMANDS
from aish.core.classify.words import LineWord
from aish.core.values import dataclass, field

# Prefixes that take a whole command: what matters is the command behind them.
WRAPPERS = frozenset("sudo doas nohup setsid stdbuf torsocks proxychains builtin".split())

# Shapes that can be the name of a program.
_NAMES = frozenset(("word", "letter", "ident", "file"))
_JOINTS = frozenset(("pipe", "semi", "comment"))
_OPERATORS = _JOINTS | {"redirect", "redirected"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def observe(words: list[LineWord], kind_of: KindOf) -> list[str]:
    """The observations of a line's words; `kind_of` names what a word is to the shell."""
    seen: list[str] = ["always"]
    head = _skip_wrappers(words, seen)
    if head < len(words):
        kind = kind_of(words[head].text) or "unknown"
        _observe_head(words[head], kind, seen)
        if head + 1 < len(words):
            _observe_second(words, head, kind, kind_of, seen)
        else:
            _observe_alone(words[head].text.lower(), kind, seen)
        _observe_all(words, head, kind, kind_of, seen)
    return seen


def _skip_wrappers(words: list[LineWord], seen: list[str]) -> int:
    """Where the command word stands, past `A=1` and `sudo`."""
    at = 0
    while at < len(words):
        word = words[at]
        if word.shape == "assign":
            seen.append("assigns")
        elif word.text in WRAPPERS and not word.tail and at + 1 < len(words):
            seen.append("wrapped")
        elif word.shape != "newline":
            break
        at += 1
    return at


def _observe_head(word: LineWord, kind: str, seen: list[str]) -> None:
    low = word.text.lower()
    seen += ("f=" + low if _is_named(word, kind) else "unnamed", "head:" + word.shape)
    seen.append("kind:" + kind)
    if word.shape == "word" and word.text != low:
        seen.append("head:capital" if word.text[1:].islower() else "head:capitals")
    if word.tail:
        seen += ("head:tail" + word.tail[0], "head:tail")
    if word.shape == "path" and word.text[0] in "./~":
        seen.append("head:run path")
    if low in OPENERS and kind != "user":
        seen.append("opener")


def _is_named(word: LineWord, kind: str) -> bool:
    return word.shape in _NAMES or kind != "unknown"


def _observe_alone(low: str, kind: str, seen: list[str]) -> None:
    seen += ("alone", "alone:" + kind, "alone=" + low)
    if low in CHAT and kind == "unknown":
        seen.append("chat")


def _observe_second(
    words: list[LineWord], head: int, kind: str, kind_of: KindOf, seen: list[str]
) -> None:
    """How the first word goes with the one after it."""
    word, second = words[head], words[head + 1]
    low = word.text.lower()
    named = _is_named(word, kind)
    seen += (f"{kind}>{second.shape}", f"{word.shape}>{second.shape}")
    if kind == "unknown":
        _observe_stranger(low, second, kind_of, seen)
    if second.shape == "word":
        follower = second.text.lower()
        seen += ("s=" + follower, f"fs={low} {follower}" if named else "unnamed>word")
        if kind != "unknown" and follower in ENGLISH:
            seen.append("command>small word")
        said = low not in FREE_TEXT and after_subcommand(low, [follower])
        if said and follower in VERBS:  # `echo` may be told anything
            seen.append("name>verb")
        if len(words) == head + 2:
            seen.append(f"pair:{kind}" + (":tail" if second.tail else ""))
    elif named:
        seen.append(f"fs={low} {second.shape}")
    observe_arguments(words, head, _stands_alone(words, head + 1), kind_of, seen)
    if kind != "unknown":
        observe_known_head(low, words[head + 1 :], seen)


def _stands_alone(words: list[LineWord], at: int) -> bool:
    """The word is the only argument of its command."""
    return at + 1 == len(words) or words[at + 1].shape in _OPERATORS


def _observe_stranger(low: str, second: LineWord, kind_of: KindOf, seen: list[str]) -> None:
    """A first word that no shell knows: a verb, a question, a slip of the fingers."""
    if low in ASKERS and second.shape not in _JOINTS:
        seen.append("asks")
    if low in IMPERATIVES:
        seen += ("imperative", "imperative>" + second.shape)
    if second.shape != "word":
        seen.append("stranger>" + second.shape)
    if 2 < len(low) < 16 and low.isascii() and low not in OPENERS:
        _observe_slip(low, second, kind_of, seen)


def _observe_slip(low: str, second: LineWord, kind_of: KindOf, seen: list[str]) -> None:
    """A command word with one slip, followed by what that command would take."""
    for meant in near_misses(low):
        if kind_of(meant) is None:
            continue
        if f" {second.text} " in ALL_SUBCOMMANDS.get(meant, ""):
            seen.append("slip:subcommand")
            return
        if meant in WRAPPERS and kind_of(second.text):
            seen.append("slip:wrapper")
            return
        if second.shape not in ("word", "number"):
            seen.append("slip:argument")
            return


def near_misses(word: str) -> list[str]:
    """What was meant if two letters are swapped, one is missing, doubled or too many."""
    ends = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    swapped = [a + b[1] + b[0] + b[2:] for a, b in ends if len(b) > 1]
    longer = [a + b[1:] for a, b in ends if b]
    shorter = [a + c + b for a, b in ends for c in _LETTERS]
    return swapped + longer + shorter


@dataclass(slots=True)
class _Tally:
    """What the words of a line add up to."""

    counts: dict[str, int] = field(default_factory=dict)
    small: int = 0
    foreign: int = 0
    prose: int = 0
    run: int = 0
    longest: int = 0
    marks: int = 0
    piped: bool = False

    def count(self, shape: str) -> None:
        self.counts[shape] = self.counts.get(shape, 0) + 1

    def add_prose(self, words: int = 1) -> None:
        self.prose += 1
        self.run += words
        self.longest = max(self.longest, self.run)


def _observe_all(
    words: list[LineWord], head: int, kind: str, kind_of: KindOf, seen: list[str]
) -> None:
    """What the line shows as a whole, whatever its first word."""
    free = words[head].text in FREE_TEXT
    tally = _tally(words, head, kind_of)
    if free:
        # What a program like `echo` is told says nothing about who is spoken to.
        seen.append("free")
        tally.small = tally.foreign = tally.longest = tally.marks = tally.prose = 0
        tally.counts.pop("other letters", None)
    else:
        rest = [words[at] for at in range(head + 1, len(words)) if not _is_target(words, at)]
        seen += ["b=" + word.text.lower() for word in rest if word.shape == "word"]
        if "script" in tally.counts:
            letters = sum(len(word.text) for word in words if word.shape == "script")
            seen.append(f"script:{min(letters, 12) // 3}")
    _observe_tally(tally, len(words) - head, kind, seen)
    last = words[-1]
    if last.tail and not free:
        seen += ("ends" + last.tail[-1], "ends with mark")
    if len(words) > head + 1:
        seen.append("last:" + last.shape)


def _is_target(words: list[LineWord], at: int) -> bool:
    """A word that a redirection points at is a file, whatever it means: `sort < in`."""
    pointed = at > 0 and words[at - 1].shape == "redirect" and words[at - 1].text[-1] in "<>"
    return pointed and words[at].shape == "word" and not words[at].tail and _stands_alone(words, at)


def _tally(words: list[LineWord], head: int, kind_of: KindOf) -> _Tally:
    tally = _Tally()
    for at in range(head, len(words)):
        word = words[at]
        if _is_target(words, at):
            tally.run = 0
            tally.count("target")
        elif word.shape == "word":
            low = word.text.lower()
            # A lone capital behind a command is a name: `unset A`.
            english = low in ENGLISH and (word.text != "A" or at == head)
            tally.small += english
            tally.foreign += low in FOREIGN and not english
            tally.add_prose()
            if not low.isascii():
                tally.count("other letters")
        elif word.shape == "script":
            # Some scripts put no spaces between words.
            tally.add_prose(max(1, len(word.text) // 2))
            tally.count("script")
        else:
            tally.run = 0
            tally.count(word.shape)
            if word.shape == "pipe" and at + 1 < len(words):
                tally.piped = tally.piped or kind_of(words[at + 1].text) is not None
        tally.marks += bool(word.tail) and at + 1 < len(words)
    return tally


def _observe_tally(tally: _Tally, total: int, kind: str, seen: list[str]) -> None:
    for shape, count in tally.counts.items():
        seen += ("has:" + shape, f"has:{shape}:{min(count, 4)}")
    seen += (
        f"words:{min(total, 12)}",
        f"prose:{tally.prose * 10 // total}",
        f"run:{min(tally.longest, 8)}",
        f"small:{min(tally.small, 5)}",
        f"foreign:{min(tally.foreign, 4)}",
    )
    if tally.marks:
        seen.append(f"commas:{min(tally.marks, 3)}")
    if not tally.small and not tally.foreign and tally.prose == total:
        bare = f"bare words:{min(total, 6)}"
        seen += (bare, f"{bare}:{kind}")
    if tally.piped:
        seen.append("pipe to command")
