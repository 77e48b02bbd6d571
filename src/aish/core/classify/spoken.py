"""Turns of phrase that make a sentence of a line although its first word runs."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

from aish.core.classify.funcwords import FOREIGN, FREE_TEXT
from aish.core.classify.words import Word

LIKELY = 2.0
CLEARLY = 5.0
_PLAIN = frozenset(("word", "letter", "number", "amount", "file", "path", "ident", "string"))
# Programs that take options at most: any word behind them is said to somebody.
_TAKE_NO_WORDS = frozenset(
    """
    arch btop clear cls crond cupsd dockerd exit fastfetch free glances hostid htop httpd iotop
    logname logout lscpu lsmem lsmod lspci lsusb mysqld neofetch nginx nproc postgres pwd sshd top
    tty uptime whoami
    """.split()
)
_PLEASE = frozenset("please pls plz bitte".split())
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
# What is said of a command that went wrong: "npm install hangs".
_WENT_WRONG = frozenset(
    "breaks crashed crashes dies errors failed fails freezes hangs hung".split()
)


def spoken_to(words: list[Word]) -> float:
    """How much a line of plain words, whose first one runs, is worded as a request; 0 for not."""
    said = [word.text.lower() for word in words]
    plain = all(word.shape in _PLAIN for word in words) and len(words) > 1
    if not plain or said[0] in FREE_TEXT:
        return 0.0
    if _is_wish(said) or _is_complaint(said):
        return CLEARLY
    meant = said[0] in _TAKE_NO_WORDS and words[1].shape == "word"
    return LIKELY if meant or _names_something(said) else 0.0


def _is_wish(said: list[str]) -> bool:
    """`make … faster`, `… please`, and the article that is a word of Portuguese."""
    if said[0] == "make" and len(said) > 2 and said[-1] in _STATES:
        return True
    if said[0] == "o" and len(said) > 2 and not FOREIGN.isdisjoint(said[1:]):
        return True
    return said[-1] in _PLEASE and len(said) >= _POLITE_FROM


def _is_complaint(said: list[str]) -> bool:
    return said[-1] in _WENT_WRONG and all(word.isalpha() for word in said)


def _names_something(said: list[str]) -> bool:
    """`… a file called x`."""
    return any(
        word in _NAMED and not _ARTICLES.isdisjoint(said[1:at]) for at, word in enumerate(said)
    )
