"""Small words that are names where a command is given files: `mv this that`, `grep is main.c`."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

from aish.core.classify.arguments import PATTERN_TAKERS, SPOKEN
from aish.core.classify.funcwords import ENGLISH, FILE_TAKERS
from aish.core.classify.words import LineWord

# Commands whose arguments are files; some of their names are words of everyday speech.
NAME_GIVEN = FILE_TAKERS | frozenset(
    """
    cp mv ln diff cmp comm sort uniq cut paste tac rev nl od xxd hexdump strings md5sum sha1sum
    sha256sum tar gzip gunzip bzip2 xz zip unzip chown chgrp rsync scp tee join split fold fmt grep
    egrep fgrep zgrep rg realpath readlink shred vimdiff basename dirname
    """.split()
)
# Commands that look for a word in what follows it.
SEARCHERS = PATTERN_TAKERS | frozenset(("grep", "zgrep"))
# Two names, the second of which need not be there yet.
_TO_ANOTHER = frozenset(("mv", "cp", "ln", "rsync", "scp"))
# Subcommands that are given files as `mv` is.
_VERSIONS = frozenset(("git", "hg", "svn"))
_OF_FILES = frozenset("add rm mv restore checkout diff".split())
# What may name a file although it is a small word; "the" or "my" want a noun, "and" a second half.
_LIKE_NAMES = ENGLISH - frozenset(
    """
    a an the my your our their his her its and or but so if because although whether unless while
    is are was were be been being am do does did can could will would shall should may might must
    please thanks not of for by as with without than
    """.split()
)
MOST_SMALL = 2  # one to take and one to give
_LEADING = frozenset("to from into onto in on at over under inside through around".split())
# Places for files and text, seen by their shape.
_PLACES = frozenset(("file", "path", "glob", "option", "variable", "redirect", "redirected"))
_NAMED = _PLACES | {"ident", "letter", "number", "string"}
_BEFORE_NOUNS = frozenset("for the my this that these those all every each".split())
_DISPLAYS = frozenset(("open", "xdg-open", "code"))  # told what to show, by whatever name


def operands(words: list[LineWord]) -> list[LineWord]:
    """What a command is given besides its options (`-5` is one)."""
    return [word for word in words[1:] if word.text[0] != "-" or word.text == "-"]


def small_words(words: list[LineWord]) -> list[LineWord]:
    """The words of prose among what a command is given."""
    given = words[1:]
    return [word for word, after in zip_longest(given, given[1:]) if _is_small(word, after)]


def _is_small(word: LineWord, after: LineWord | None) -> bool:
    """An article has a noun behind it: in `cmp a b` there is none."""
    if word.shape != "word" or word.text.lower() not in ENGLISH:
        return False
    return word.text not in ("a", "A", "i") or (after is not None and after.shape == "word")


def all_like_names(words: list[LineWord]) -> bool:
    """Each small word stands where a name would: at the end, or before another name of that kind.

    "this file" is a noun with what points at it, and reads as speech.
    """
    given = operands(words)
    small = small_words(words)
    return len(small) <= MOST_SMALL and all(
        _is_like_name(word, after) for word, after in zip_longest(given, given[1:]) if word in small
    )


def _is_like_name(word: LineWord, after: LineWord | None) -> bool:
    """Not "to", which leads to a place, nor "this", which points at a noun."""
    low = word.text.lower()
    if after is None:
        return low in _LIKE_NAMES
    if low in _LEADING:
        return after.text in _LEADING
    return low in _LIKE_NAMES and (after.shape != "word" or after.text.lower() in _LIKE_NAMES)


def names_files(words: list[LineWord]) -> str:
    """Why these words are a command and what it is given; "" when they may be a sentence."""
    if words[0].text in _VERSIONS and len(words) > 1 and words[1].text in _OF_FILES:
        words = [replace(words[1], text="mv"), *words[2:]]
    low, given = words[0].text, operands(words)
    if low not in NAME_GIVEN or not given or any(word.tail for word in given):
        return ""
    if low in SEARCHERS and len(given) > 1 and given[0].shape == "word":
        return "a word to look for, and where" if _are_places(given[0], given[1:]) else ""
    small = small_words(words)
    if not small:
        moved = low in _TO_ANOTHER and len(given) > 2 and given[-1].shape == "path"
        return "names, and where to" if moved else ""
    if _is_typed(words, given, small) and all_like_names(words):
        return "names behind a command"
    titled = all(word.shape in ("word", "file") and word.text[0].isupper() for word in given)
    return "a name with a blank" if titled and len(given) > 1 and low not in _DISPLAYS else ""


def _is_typed(words: list[LineWord], given: list[LineWord], small: list[LineWord]) -> bool:
    """Other than "cat them" and "diff both": an option, or a command that nobody speaks of."""
    if not all(word.shape in _NAMED for word in given if word not in small):
        return False
    if len(given) < len(words) - 1:
        return True
    low = words[0].text
    return low not in SPOKEN and (len(given) > 1 or low in FILE_TAKERS)


def _are_places(pattern: LineWord, given: list[LineWord]) -> bool:
    """Files by their shape, or in letters of which no English noun is made."""
    noun = pattern.text in _BEFORE_NOUNS
    return all(
        word.shape in _PLACES or (not noun and not word.text.isascii()) or "." in word.text
        for word in given
    )


def all_found(words: list[LineWord], finds: Callable[[str, str], bool]) -> bool:
    """Everything the command is given is here, but for what it looks for or makes."""
    low = words[0].text
    named = [word.text + word.tail for word in operands(words)]
    if low in SEARCHERS and len(named) > 1:
        named = named[1:]
    if len(named) == 1:
        return finds(low, named[0])
    if low in _TO_ANOTHER:
        named = named[:-1]
    return all(finds(low, name) for name in named) or finds(low, " ".join(named))
