"""Turns of phrase that make a sentence of a line although its first word runs."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

from aish.core.classify.arguments import PATTERN_TAKERS, SPOKEN
from aish.core.classify.funcwords import FILE_TAKERS, FOREIGN, FREE_TEXT
from aish.core.classify.words import LineWord

LIKELY = 2.0
CLEARLY = 5.0
SURELY = 10.0  # more than any command's own words weigh
_PLAIN = frozenset(("word", "letter", "number", "amount", "file", "path", "ident", "string"))
# Programs that take options at most: any word behind them is said to somebody.
_TAKE_NO_WORDS = frozenset(
    """
    arch btop clear cls crond cupsd dockerd exit fastfetch free glances hostid htop httpd iotop
    logname logout lscpu lsmem lsmod lspci lsusb mysqld neofetch nginx nproc postgres pwd sshd top
    tty uptime whoami
    """.split()
)
_SUM = frozenset(("mark", "sum", "other"))  # besides: what is written in a formula
PLEASE = frozenset("please pls plz bitte".split())
_POLITE_FROM = 4  # words; `grep please notes` is none
_ARTICLES = frozenset("a an the one my this that another".split())
_NAMED = frozenset("called named titled".split())
# What something is made to do or to be, and no target of a makefile.
_STATES = frozenset(
    """
    better bigger cleaner cleverer clearer cooler easier executable faster fit friendlier green
    happy idempotent larger lighter longer louder nicer pass prettier private public readable
    readonly reusable robust safer secure shorter simpler slower smaller smarter stronger sense
    thinner visible wider work writable
    """.split()
)
_ORDERS = frozenset("build draft explain find fix give make show tell write".split())
# What is said of a command that went wrong: "npm install hangs".
_WENT_WRONG = frozenset(
    "breaks crashed crashes denied dies errors failed fails freezes hangs hung refused "
    "rejected".split()
)
_NAMED_AT_WILL = FILE_TAKERS | PATTERN_TAKERS | {"grep"}


def spoken_to(words: list[LineWord]) -> float:
    """How much a line of plain words, whose first one runs, is worded as a request; 0 for not."""
    said = [word.text.lower() for word in words]
    plain = all(word.shape in _PLAIN for word in words) and len(words) > 1
    if not plain and _is_exercise(words, said):
        return LIKELY
    if _ends_in_an_order(words, said):
        return SURELY
    if not plain or said[0] in FREE_TEXT:
        return 0.0
    if _is_wish(said) or _is_complaint(said):
        return CLEARLY
    if said[0] in SPOKEN and not {"to", "into"}.isdisjoint(said[2:-1]):
        return LIKELY  # "convert this to that"
    meant = said[0] in _TAKE_NO_WORDS and words[1].shape == "word"
    return LIKELY if meant or _names_something(said) else 0.0


def is_message(words: list[LineWord]) -> bool:
    """What a program said, pasted: `make: *** Error 1`. No command's name ends in a colon."""
    if len(words) < 3:
        return False
    name = words[0].text + words[0].tail
    return len(name) > 1 and name.endswith(":") and name[0] not in ":${("


def _is_wish(said: list[str]) -> bool:
    """`make … faster`, `… please`, and the article that is a word of Portuguese."""
    if said[0] == "make" and len(said) > 2 and said[-1] in _STATES:
        return True
    if said[0] == "o" and len(said) > 2 and not FOREIGN.isdisjoint(said[1:]):
        return True
    return said[-1] in PLEASE and len(said) >= _POLITE_FROM


def _ends_in_an_order(words: list[LineWord], said: list[str]) -> bool:
    """`…, write me one`: whatever stands before the comma is only its subject."""
    if not all(word.shape in _PLAIN or word.shape in _SUM for word in words):
        return False
    return any(
        (said[at] + words[at].tail).endswith(",")
        and said[at + 1] in _ORDERS
        and said[at + 2] in ("me", "us")
        for at in range(1, len(said) - 3)
    )


def _is_exercise(words: list[LineWord], said: list[str]) -> bool:
    """`factor the polynomial x^2 - 5x + 6`: something named, and then its formula."""
    if len(words) < 4 or said[1] not in _ARTICLES or words[2].shape != "word":
        return False
    return any(word.shape == "mark" for word in words[3:]) and all(
        word.shape in _PLAIN or word.shape in _SUM for word in words
    )


def _is_complaint(said: list[str]) -> bool:
    if len(said) == 2 and said[0] in _NAMED_AT_WILL:
        return False
    return said[-1] in _WENT_WRONG and all(word.isalpha() for word in said)


def _names_something(said: list[str]) -> bool:
    """`… a file called x`."""
    return any(
        word in _NAMED and not _ARTICLES.isdisjoint(said[1:at]) for at, word in enumerate(said)
    )
