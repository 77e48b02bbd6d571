"""Words that no rule knows, weighed by their form and by what stands around them.

The rules say what a secret looks like and where it stands; every new program, language and habit
is one that they do not know. So near a word that may speak of a secret, whatever is written like
one is weighed, by weights that were learnt from examples (bench/train_secrets.py).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache

from aish.core.secrets.candidates import MOST, candidates
from aish.core.secrets.compounds import said_after_names
from aish.core.secrets.found import Found, Place
from aish.core.secrets.free import is_in_block
from aish.core.secrets.observations import REACH, form_of, is_named_in_view, observe
from aish.core.secrets.places import is_setting
from aish.core.secrets.randomness import is_drawn
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import IDENTIFIES, is_noise

# Of a key that opens nothing, of where a list goes on, of a sum.
_OTHER_NAME = re.compile(
    r"(?i)(?:site|idempotency|primary|foreign|public|cache|partition|sort|next|page|pagination|continuation|cursor)(?:[ _-]?(?:key|token|id|marker|value|page|url|link))*[\"']?\s*[:=]\s*[\"']?$"
    r"|(?i:nonce|opaque|realm|challenge)=\"?$|(?:sha-?\d{1,3}|shasum|md5|checksum|integrity|digest|DigestValue|SignatureValue)\b[^\n]{0,40}[:=>]\s*[\"']?$"
    r"|(?i:hashed_\w+)[\"']?\s*[:=]\s*[\"']?$|(?:RSA|DSA|ECDSA|EDDSA|ed25519)[ ]key(?:[ ]ID)?[ ]$|\)\s?:\s?$|\b(?:ssh|scp|sftp|mosh)[ ](?:-\w+[ ])*$"  # a type, whom one logs in as
)
# In hundredths. A rule is mostly right, so much must speak against it; a word no rule knows mostly is none.
_DOUBT, _SURE, _SURE_ALONE = -500, 10, 300
SHORT = 4000  # characters; in a longer text something says where its secrets are
_DRAWN = 12  # characters
_LONGEST_KEY = 4000  # characters
_LONGEST_LIST = 20_000  # characters
_NAMED = re.compile(
    r"(?i)(?:pass(?:w(?:or[dt]|d)|phrase|code)?|p?wd|pw|secret|token|api[_-]?key|kennwort|contrase\w+|senha)"
    r"[\w-]{0,12}[\"'`\]]{0,2}[ \t]{0,3}[:=]{1,2}>?[ \t]{0,3}[\"'`]?$"
)
_MADE_UP = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[^\s(){}=/]+")
_SIGNS = "!?@#$%&*.-_"
_SPACE = re.compile(r"\s|$")
_BEFORE, _AFTER = 90, 120  # how far from the word that may speak of it


def weighed(text: str, places: Iterable[Place], known: list[tuple[int, int]]) -> Iterator[Found]:
    """The secrets by weight near these places, apart from those that are known already.

    In a short text every word is weighed; far from all the places, much must speak for it.
    """
    known = sorted(known)
    near: set[tuple[int, int]] = set()
    for begin, end, outright in _windows(text, places):
        for word in candidates(text, begin, end, plain=outright):
            near.add(word)
            if _is_open(text, word, known) and weight(text, *word) > _SURE:
                yield *word, "weighed"
    if len(text) > SHORT:
        return
    for word in candidates(text, 0, len(text)):
        if word not in near and _is_open(text, word, known) and weight(text, *word) > _SURE_ALONE:
            yield *word, "weighed"


def _is_open(text: str, word: tuple[int, int], known: list[tuple[int, int]]) -> bool:
    """Whether nothing has decided yet what the word is: no rule, no name of something else."""
    start, end = word
    if _is_covered(known, start, end) or _is_done(text, start, end):
        return False
    if _OTHER_NAME.search(text, max(0, start - 48), start) or is_called_other(text, start):
        return False
    return not _is_in_public(text, start) and not is_in_block(text, start, end)


def _is_made_up(text: str, at: int, end: int, value: str) -> bool:
    """Whether it is letters with digits, with many signs, or one sign where a setting says nothing else."""
    if _MADE_UP.fullmatch(value) or is_noise(value):
        return True
    said = value.rstrip(_SIGNS).lower() in said_after_names()
    return not (value.isalnum() or said) and is_setting(text, at, end)


def is_doubtful(text: str, start: int, end: int) -> bool:
    """Whether what a rule takes for a secret is plainly something else by all that is seen of it.

    There is none of letters and digits right after the name and its sign. What a line far away calls a password looks like any word: there is no doubt without a name in view,
    but of drawn characters, which look like a key or like any hash.
    """
    value = text[start:end]
    named = _NAMED.search(text, max(0, start - 60), start)
    if named and not is_reference(value) and _is_made_up(text, named.start(), end, value):
        return False
    drawn = form_of(value) in ("hex", "uuid") or is_drawn(value, least=_DRAWN)
    return (drawn or is_named_in_view(text, start)) and weight(text, start, end) < _DOUBT


def is_called_other(text: str, start: int) -> bool:
    """Whether its name says that it is what a thing is called by, or the head of its list that it is a sum."""
    if IDENTIFIES.search(text, max(0, start - 48), start):
        return True
    head = text.rfind("CHECKSUMS:\n", max(0, start - _LONGEST_LIST), start)  # of a lock file
    return head >= 0 and text.find("\n\n", head, start) < 0


def weight(text: str, start: int, end: int) -> int:
    """How much the word that stands there is a secret rather than anything else."""
    weights = _weights()
    return sum(weights.get(seen, 0) for seen in observe(text, start, end))


def _windows(text: str, places: Iterable[Place]) -> Iterator[tuple[int, int, bool]]:
    """The surroundings of the places, each part of the text once, and whether one is named outright."""
    done, ordered = 0, sorted(places)
    for number, (at, outright) in enumerate(ordered):
        if at + _AFTER // 2 <= done:
            continue
        begin = max(done, text.rfind("\n", max(0, at - _BEFORE), at) + 1)
        begin = max(begin, _begin_of_word(text, at - _BEFORE))
        found = _SPACE.search(text, at + _AFTER, at + _AFTER + MOST)
        done = found.start() if found else at + _AFTER
        others = ordered[number + 1 : number + 9]
        yield begin, done, outright or any(named for other, named in others if other < done)


def _begin_of_word(text: str, at: int) -> int:
    """Where the word begins that this place is in: no half of one is weighed."""
    if at <= 0:
        return 0
    blanks = [text.rfind(blank, max(0, at - MOST), at) for blank in " \n\t"]
    return max(blanks) + 1 if max(blanks) >= 0 else at


def _is_done(text: str, start: int, end: int) -> bool:
    """Whether a placeholder is near: what was left beside it was weighed with the value in its place."""
    return text.find("AISH_SECRET_", max(0, start - REACH), end + REACH) >= 0


def _is_in_public(text: str, at: int) -> bool:
    """Whether it is a line of a key or certificate for everybody, as in a string with \\n for each end of line."""
    begin = text.rfind("-----BEGIN ", max(0, at - _LONGEST_KEY), at)
    if begin < 0 or text.find("-----END ", begin, at) >= 0:
        return False
    return "PRIVATE" not in text[begin : begin + 40]


def _is_covered(known: list[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_left(known, (start + 1, 0))
    return any(b >= end for _, b in known[max(0, at - 3) : at])


@cache
def _weights() -> dict[str, int]:
    from aish.core.secrets.weights import WEIGHTS

    words = WEIGHTS.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))
