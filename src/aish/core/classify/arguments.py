"""What a command expects after its name: its subcommands, a command's name, a variable, a file."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

from collections.abc import Callable

from aish.core.classify.funcwords import (
    ENGLISH,
    FILE_TAKERS,
    FOREIGN,
    FREE_TEXT,
    IMPERATIVES,
    VERBS,
)
from aish.core.classify.more_subcommands import ALL_SUBCOMMANDS
from aish.core.classify.words import LineWord

# Programs and keywords that are followed by a command, but are English words too.
CARRIERS = frozenset("time nice exec env command watch xargs eval timeout if while until".split())
# Commands that are told the name of a command.
NAME_TAKERS = frozenset(
    "which type man whatis whereis hash help tldr info whence where apropos pidof pgrep pkill "
    "killall compgen".split()
)
# Commands that are told the name of a variable.
VARIABLE_TAKERS = frozenset(
    "unset export readonly declare typeset local printenv read let getopts mapfile".split()
)
# Commands that search for whatever word they are given, and are no words of prose themselves.
PATTERN_TAKERS = frozenset("rg ag ack egrep fgrep fd fdfind plocate mlocate".split())
# What is written about a program rather than given to it: "rsync tutorial", "awk examples".
TOPICS = frozenset(
    """
    alternative alternatives basics benefits cheatsheet comparison cookbook difference differences
    docs documentation error errors example examples explained explanation faq flags fundamentals
    guide history internals intro introduction issue issues keybindings manual meaning options
    pitfalls practices problem problems question questions reference shortcuts syntax tip tips
    trick tricks tutorial tutorials usage vs versus warning warnings workflow workflows
    """.split()
)
# Commands whose names are everyday words: what follows decides more than for `kubectl` or `rsync`.
SPOKEN = frozenset(
    """
    at banner batch box break bridge browse build calendar case cat chat cheat check choose
    clear cluster code combine command compare complete compress continue convert copy crush cut
    date dialog dig disable disown dot dump edit eject enable expand expect export expose figure
    file find finger fish fold for format fortune free function go group groups halt hash head help
    history hold host if image import in info install jobs join jump just kill last less let link
    list locate lock log look mail make man merge message mix mode monitor more mount move nice note
    open pack paste patch ping play plot pool print read reboot record rename repeat replace
    report reset resize return route run say scan screen script search select send service set
    shift show shred shuffle shutdown size skip sleep sort source speed split start stat stop
    strings strip sum suspend switch sync tail talk task tell test then tidy time times top
    touch trace trap tree true type units until update users view wait wall watch what where which
    while who wipe words write yes
    """.split()
)
_PROSE = ENGLISH | FOREIGN | VERBS | IMPERATIVES
LONGEST_SLIP = 20
MOST_NAMES = 4

KindOf = Callable[[str], str | None]


def observe_arguments(
    words: list[LineWord], head: int, alone: bool, kind_of: KindOf, seen: list[str]
) -> None:
    """How what follows the first word fits what this particular command expects."""
    low, second = words[head].text.lower(), words[head + 1]
    if low in FREE_TEXT:
        seen.append("free text")
    if alone and low in FILE_TAKERS and not second.tail:
        seen.append("takes a file")
    listed = ALL_SUBCOMMANDS.get(low)
    if listed is not None:
        _observe_subcommand(second, listed, seen)
    if low in CARRIERS:
        seen.append("carries:" + (kind_of(second.text) or second.shape))
    if low in NAME_TAKERS:
        named = all(kind_of(word.text) and not word.tail for word in words[head + 1 :])
        seen.append("names a command" if named else "names no command:" + second.shape)
    if low in VARIABLE_TAKERS:
        variable = (second.text.isupper() or len(second.text) == 1) and not second.tail
        seen.append("names a variable" if variable else "names no variable:" + second.shape)


def after_subcommand(low: str, spoken: list[str]) -> list[str]:
    """What is said behind a program's subcommand, which may be a verb: `apt depends curl`."""
    named = bool(spoken) and f" {spoken[0]} " in ALL_SUBCOMMANDS.get(low, "")
    return spoken[1:] if named else spoken


def _observe_subcommand(second: LineWord, listed: str, seen: list[str]) -> None:
    if f" {second.text} " in listed and not second.tail:
        seen.append("subcommand")
    elif is_mistyped(second, listed):
        seen.append("subcommand with a slip")
    else:
        seen.append("no subcommand:" + second.shape)


def is_mistyped(word: LineWord, listed: str) -> bool:
    """A word that is no word of prose, one slip away from one of the listed."""
    text = word.text
    if word.shape != "word" or word.tail or not 3 <= len(text) <= LONGEST_SLIP:
        return False
    if text in ENGLISH or text in VERBS or text in IMPERATIVES or text in TOPICS:
        return False
    return any(abs(len(meant) - len(text)) < 2 and is_slip(text, meant) for meant in listed.split())


def is_slip(typed: str, meant: str) -> bool:
    """Two letters swapped, one missing, one too many, or, in a longer word, one wrong."""
    at = 0
    while at < min(len(typed), len(meant)) and typed[at] == meant[at]:
        at += 1
    left, wanted = typed[at:], meant[at:]
    if len(left) > len(wanted):
        return left[1:] == wanted and len(meant) > 2
    if len(left) < len(wanted):
        return left == wanted[1:] and len(meant) > 2
    swapped = left[:2] == wanted[1::-1] and left[2:] == wanted[2:]
    return swapped or (len(meant) > 3 and left[1:] == wanted[1:])


def _named_abroad(rest: list[LineWord]) -> bool:
    """A few names with letters that English lacks, and no word that holds a sentence together."""
    if len(rest) > MOST_NAMES or any(word.tail for word in rest):
        return False
    return any(_is_abroad(word.text) for word in rest) and not any(
        word.text.lower() in _PROSE for word in rest
    )


def _is_abroad(text: str) -> bool:
    """Letters past ASCII, of a script that puts blanks between words."""
    return not text.isascii() and len(text) <= LONGEST_SLIP and max(text) < "\u2e80"


def observe_known_head(low: str, rest: list[LineWord], seen: list[str]) -> None:
    """What a known command and the words after it make: an order to the shell, or a topic."""
    manner = "spoken" if low in SPOKEN else "tool"
    spoken = [word.text.lower() for word in rest if word.shape == "word"]
    searches = low in PATTERN_TAKERS and len(rest) == 1
    topic = not searches and rest[-1].text.lower() in TOPICS
    seen.append(f"{manner}>{rest[0].shape}")
    if searches:
        seen.append("takes a pattern")
    if topic:
        seen += ("topic", f"topic:{manner}")
    if "vs" in spoken or "versus" in spoken:
        seen.append("versus")
    said = low not in FREE_TEXT and any(word in VERBS for word in after_subcommand(low, spoken))
    if said:
        seen.append(f"said of it:{manner}")
    if _named_abroad(rest):
        seen += ("named abroad", f"named abroad:{manner}")
    if len(spoken) == len(rest) and not any(word.tail for word in rest):
        about = topic or said
        small = any(word.text in ENGLISH for word in rest)
        manner_of_rest = "about" if about else "small" if small else "plain"
        seen.append(f"{manner}:{min(len(rest), 4)}:{manner_of_rest}")
