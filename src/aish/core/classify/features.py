"""What a line shows of being a command or a sentence: named observations for the weights."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

from collections.abc import Callable

from aish.core.classify.funcwords import (
    ASKERS,
    CHAT,
    ENGLISH,
    FILE_TAKERS,
    FOREIGN,
    FREE_TEXT,
    IMPERATIVES,
    OPENERS,
    VERBS,
)
from aish.core.classify.subcommands import SUBCOMMANDS
from aish.core.classify.words import Word

# Prefixes that take a whole command: what matters is the command behind them.
WRAPPERS = frozenset("sudo doas nohup setsid stdbuf torsocks proxychains builtin".split())
# Programs and keywords that are followed by a command, but are English words too.
CARRIERS = frozenset("time nice exec env command watch xargs eval timeout if while until".split())

# Shapes that can be the name of a program.
_NAMES = frozenset(("word", "letter", "ident", "file"))
_JOINTS = frozenset(("pipe", "semi", "comment"))
_OPERATORS = _JOINTS | {"redirect", "redirected"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

KindOf = Callable[[str], str | None]


def observe(words: list[Word], kind_of: KindOf) -> list[str]:
    """The observations of a line's words; `kind_of` names what a word is to the shell."""
    seen: list[str] = ["always"]
    head = _skip_wrappers(words, seen)
    if head == len(words):
        return seen
    _observe_head(words, head, kind_of, seen)
    _observe_rest(words, head, kind_of, seen)
    return seen


def _skip_wrappers(words: list[Word], seen: list[str]) -> int:
    """Where the command word stands, past `A=1` and `sudo`."""
    at = 0
    while at < len(words):
        word = words[at]
        if word.shape == "assign":
            seen.append("assigns")
        elif word.text in WRAPPERS and not word.tail and at + 1 < len(words):
            seen.append("wrapped")
        elif word.shape == "newline":
            pass
        else:
            break
        at += 1
    return at


def _observe_head(words: list[Word], head: int, kind_of: KindOf, seen: list[str]) -> None:
    word = words[head]
    low = word.text.lower()
    kind = kind_of(word.text) or "unknown"
    second = words[head + 1] if head + 1 < len(words) else None
    named = word.shape in _NAMES or kind != "unknown"
    seen += ("f=" + low if named else "unnamed", "head:" + word.shape, "kind:" + kind)
    if word.shape == "word" and word.text != low:
        seen.append("head:capital" if word.text[1:].islower() else "head:capitals")
    if word.tail:
        seen += ("head:tail" + word.tail[0], "head:tail")
    if word.shape == "path" and word.text[0] in "./~":
        seen.append("head:run path")
    if low in OPENERS and kind != "user":
        seen.append("opener")
    if second is None:
        seen += ("alone", "alone:" + kind, "alone=" + low)
        if low in CHAT and kind == "unknown":
            seen.append("chat")
        return
    if low in ASKERS and kind == "unknown" and second.shape not in _JOINTS:
        seen.append("asks")
    if kind == "unknown" and low in IMPERATIVES:
        seen += ("imperative", "imperative>" + second.shape)
    seen += (f"{kind}>{second.shape}", f"{word.shape}>{second.shape}")
    if second.shape == "word":
        follower = second.text.lower()
        seen += ("s=" + follower, f"fs={low} {follower}" if named else "unnamed>word")
        if kind != "unknown" and follower in ENGLISH:
            seen.append("command>small word")
        if follower in VERBS:
            seen.append("name>verb")
        if len(words) == head + 2:
            seen.append(f"pair:{kind}" + (":tail" if second.tail else ""))
    elif named:
        seen.append(f"fs={low} {second.shape}")
    _observe_grammar(low, kind, second, _stands_alone(words, head + 1), kind_of, seen)


def _observe_grammar(
    low: str, kind: str, second: Word, alone: bool, kind_of: KindOf, seen: list[str]
) -> None:
    """What this particular command expects after it."""
    if low in FREE_TEXT:
        seen.append("free text")
    if alone and low in FILE_TAKERS and not second.tail:
        seen.append("takes a file")
    listed = SUBCOMMANDS.get(low)
    if listed is not None:
        fits = f" {second.text} " in listed and not second.tail
        seen.append("subcommand" if fits else "no subcommand:" + second.shape)
    if low in CARRIERS:
        seen.append("carries:" + (kind_of(second.text) or second.shape))
    if kind == "unknown":
        if second.shape != "word":
            seen.append("stranger>" + second.shape)
        _observe_slip(low, second, kind_of, seen)


def _stands_alone(words: list[Word], at: int) -> bool:
    """The word is the only argument of its command."""
    return at + 1 == len(words) or words[at + 1].shape in _OPERATORS


def _observe_slip(low: str, second: Word, kind_of: KindOf, seen: list[str]) -> None:
    """A command word with one slip of the fingers, followed by what the command would take."""
    if not (2 < len(low) < 16 and low.isascii()) or low in OPENERS:
        return
    for meant in near_misses(low):
        if kind_of(meant) is None:
            continue
        if f" {second.text} " in SUBCOMMANDS.get(meant, ""):
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


def _observe_rest(words: list[Word], head: int, kind_of: KindOf, seen: list[str]) -> None:
    counts: dict[str, int] = {}
    small = foreign = prose = run = longest = commas = piped = 0
    free = words[head].text in FREE_TEXT
    for at in range(head, len(words)):
        word = words[at]
        shape = word.shape
        if shape == "word":
            low = word.text.lower()
            english = low in ENGLISH
            small += english
            foreign += low in FOREIGN and not english
            prose += 1
            run += 1
            if at > head and not free:
                seen.append("b=" + low)
            if not low.isascii():
                counts["other letters"] = counts.get("other letters", 0) + 1
        elif shape == "script":
            prose += 1
            # Some scripts put no spaces between words.
            run += max(1, len(word.text) // 2)
            counts[shape] = counts.get(shape, 0) + 1
        else:
            longest, run = max(longest, run), 0
            counts[shape] = counts.get(shape, 0) + 1
            if shape == "pipe" and at + 1 < len(words):
                piped += kind_of(words[at + 1].text) is not None
        if word.tail and at + 1 < len(words):
            commas += 1
    longest = max(longest, run)
    if free:
        seen.append("free")
        small = foreign = longest = commas = prose = 0
        counts.pop("other letters", None)
    for shape, count in counts.items():
        seen += ("has:" + shape, f"has:{shape}:{min(count, 4)}")
    total = len(words) - head
    seen += (
        f"words:{min(total, 12)}",
        f"prose:{prose * 10 // total}",
        f"run:{min(longest, 8)}",
        f"small:{min(small, 5)}",
        f"foreign:{min(foreign, 4)}",
    )
    if commas:
        seen.append(f"commas:{min(commas, 3)}")
    if not small and not foreign and prose == total:
        kind = kind_of(words[head].text) or "unknown"
        seen += (f"bare words:{min(total, 6)}", f"bare words:{min(total, 6)}:{kind}")
    if "script" in counts and not free:
        seen.append(f"script:{min(_other_letters(words), 12) // 3}")
    if piped:
        seen.append("pipe to command")
    last = words[-1]
    if last.tail and not free:
        seen += ("ends" + last.tail[-1], "ends with mark")
    if total > 1:
        seen.append("last:" + last.shape)


def _other_letters(words: list[Word]) -> int:
    return sum(len(word.text) for word in words if word.shape == "script")
