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
from aish.core.secrets.found import Found, Place
from aish.core.secrets.free import is_in_block
from aish.core.secrets.observations import REACH, form_of, is_named_in_view, observe
from aish.core.secrets.randomness import is_drawn
from aish.core.secrets.values import IDENTIFIES

# Of a key that opens nothing, of where a list goes on, of a sum.
_OTHER_NAME = re.compile(
    r"(?i)(?:site|idempotency|primary|foreign|public|cache|partition|sort|next|page|pagination|continuation|cursor)[\w -]*[\"']?\s*[:=]\s*[\"']?$"
    r"|(?i:nonce|opaque|realm|challenge)=\"?$|(?:sha-?\d{1,3}|shasum|md5|checksum|integrity|digest|DigestValue|SignatureValue)\b[^\n]{0,40}[:=>]\s*[\"']?$"
    r"|(?i:hashed_\w+)[\"']?\s*[:=]\s*[\"']?$|(?:RSA|DSA|ECDSA|EDDSA|ed25519)[ ]key(?:[ ]ID)?[ ]$|\)\s?:\s?$|\b(?:ssh|scp|sftp|mosh)[ ](?:-\w+[ ])*$"  # a type, whom one logs in as
)
# In hundredths. A rule is mostly right, so much must speak against it; a word no rule knows mostly is none.
_DOUBT, _SURE = -600, 0
_DRAWN = 12  # characters
_LONGEST_KEY = 4000  # characters
_SPACE = re.compile(r"\s|$")
_BEFORE, _AFTER = 90, 120  # how far from the word that may speak of it


def weighed(text: str, places: Iterable[Place], known: list[tuple[int, int]]) -> Iterator[Found]:
    """The secrets by weight near these places, apart from those that are known already."""
    known = sorted(known)
    for begin, end, outright in _windows(text, places):
        for start, stop in candidates(text, begin, end, plain=outright):
            if _is_covered(known, start, stop) or _is_done(text, start, stop):
                continue
            before = max(0, start - 48)
            if _OTHER_NAME.search(text, before, start) or IDENTIFIES.search(text, before, start):
                continue
            if _is_in_public(text, start) or is_in_block(text, start, stop):
                continue
            if weight(text, start, stop) > _SURE:
                yield start, stop, "weighed"


def is_doubtful(text: str, start: int, end: int) -> bool:
    """Whether what a rule takes for a secret is plainly something else by all that is seen of it.

    Doubt is for words and code whose name is seen: drawn characters that somebody calls a key look
    like any hash, and what a line far away calls a password looks like any word.
    """
    value = text[start:end]
    if form_of(value) in ("hex", "uuid") or is_drawn(value, least=_DRAWN):
        return False
    return is_named_in_view(text, start) and weight(text, start, end) < _DOUBT


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
