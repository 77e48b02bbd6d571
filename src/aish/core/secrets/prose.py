"""Passwords that people tell each other: `her password? I think it was …`, in many languages.

A sentence puts a few words between the name and the value, so only what no sentence would say is
taken for one: letters and digits or signs together, or a row of joined words.
"""

from __future__ import annotations

import re

from aish.core.patterns import late
from aish.core.secrets.found import Found
from aish.core.secrets.linked import is_sure_key
from aish.core.secrets.observations import is_said
from aish.core.secrets.randomness import is_drawn
from aish.core.secrets.values import (
    SHORTEST,
    is_label,
    is_name_of_thing,
    is_of_three_kinds,
    is_password,
    is_path,
    is_phrase,
    stands_by_itself,
)

_ENGLISH = "is|was|be|are|were"
_IS = (
    rf"{_ENGLISH}|to|ist|lautet|war|est|sera|es|era|sea|è|é|foi|jest|to jest|är|er|on|este|is nu|je|jsou|van"
    r"|adalah|là|είναι|это"
)


def _telling(verbs: str) -> re.Pattern[str]:
    return late(
        rf"[^\W\d_]{{0,8}}(?:[?,]?[ \t][^\W\d]['’\w.@-]{{0,40}}){{0,7}}?[ \t]{{0,3}}"
        rf"(?:[:：=]|—|–|->|→|は|是|为|為|는|은|[ \t](?:{verbs}):?(?=[ \t]))[ \t]{{0,4}}"
        r"[\"'`“«»「]?(?P<value>[^\s\"'`“”«»」,;]{6,100}(?![^\s\"'`“”«»」,;]))",
        re.IGNORECASE,
    )


_TOLD, _TOLD_IN_ENGLISH = _telling(_IS), _telling(_ENGLISH)
_CHANGES = re.compile(
    r"(?i)\b(?:chang|reset|updat|rotat|switch)\w*[ ](?:the|my|our|your|its|that)\b"
)  # … to
_REACH = 120
_THREE_WORDS = re.compile(r"[a-z]{4,10}(?:-[a-z]{4,10}){2}")
_PHRASE_TOLD = late(
    rf"(?:[^\n:=\"']{{0,80}}?(?:[:：=]|[ \t](?:{_IS}|now):?(?=[ \t]))[ \t]{{0,4}}|(?P<blank>[ \t]))(?P<open>[\"'“«「]\s?)?"
    r"(?P<value>[a-z]{3,10}(?: [a-z]{3,10}){2,11})(?(open)\s?[\"'”»」]|(?=[ \t]*(?:[(,;.]|- |\r?\n|$)))",
    re.IGNORECASE,
)
_MADE_UP = re.compile(r"[a-z]{4,}(?:_[a-z]{3,})?_?\d{2,4}")  # by people, from words and a year
_LEAST_QUOTED, _LEAST_BARE = 3, 4  # words
_SETTING = re.compile(r"\\?\{?[A-Za-z]\w*=\d")  # of a policy: minLength=14
_TAIL = ".?!)。"


def told_at(text: str, at: int, *, english: bool = False) -> Found | None:
    """The password that the sentence with its name before this place tells."""
    english = english and not _CHANGES.search(text, max(0, at - _REACH // 2), at)
    found = (_TOLD_IN_ENGLISH if english else _TOLD).match(text, at, at + _REACH)
    if not found:
        return None
    value = found["value"].partition("\\n")[0]  # the text may be inside a string itself
    if len(value) < SHORTEST or is_label(value):
        return None
    if value[-1] in _TAIL and not is_of_three_kinds(value[:-1]) and not is_phrase(value[:-1]):
        return None
    value = value.rstrip(".)。") if len(value) > 7 else value
    if not _is_told(value):
        return None
    return found.start("value"), found.start("value") + len(value), "password"


def phrase_told_at(text: str, at: int, *, english: bool = False) -> Found | None:
    """The words drawn for a password that its name leads to, in quotes or to the end of the line."""
    found = _PHRASE_TOLD.match(text, at, at + 2 * _REACH)
    if not found or (found["blank"] and not (english or found["open"])):
        return None
    words = found["value"].split()
    quoted = found["open"] is not None
    if len(words) < (_LEAST_QUOTED if quoted else _LEAST_BARE) or len(set(words)) < len(words):
        return None
    return None if any(map(is_said, words)) else (*found.span("value"), "password")


def told_key_at(text: str, at: int) -> Found | None:
    """The key or token that a sentence of another language tells."""
    found = _TOLD.match(text, at, at + _REACH)
    if not found or not is_sure_key(found["value"].rstrip(".")):
        return None
    value = found["value"].rstrip(".")
    return found.start("value"), found.start("value") + len(value), "assigned"


def _is_told(value: str) -> bool:
    if (
        is_phrase(value)
        or _MADE_UP.fullmatch(value)
        or (_THREE_WORDS.fullmatch(value) and stands_by_itself(value))
    ):
        return True
    if (
        is_path(value)
        or is_name_of_thing(value)
        or _SETTING.match(value)
        or not is_password(value, quoted=False)
    ):
        return False
    digits = sum(map(str.isdigit, value))
    plain = is_of_three_kinds(value) or digits >= 2 or is_drawn(value, least=10)
    return any(map(str.isalpha, value)) and plain
