"""The words of a text that are worth weighing: mixed ones, and plain ones that stand where values do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.compounds import said_after_names
from aish.core.secrets.free import decoded
from aish.core.secrets.observations import SECRET
from aish.core.secrets.others import is_other
from aish.core.secrets.places import is_table
from aish.core.secrets.randomness import is_camel
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import is_fingerprint, is_path, says_something, stands_by_itself

LEAST, SURE, MOST = 6, 8, 300
_MIXED = re.compile(r"[0-9!@#%^*+~?$&]|[a-z][A-Z]\S*?[A-Z]{2}")
_BLANKS = re.compile(r"(?:\s|\\[nr](?![\w.-]*\\))+")  # in a string too; C:\new\report is a path
_LETTER = re.compile(r"[A-Za-z]")
_QUOTED = re.compile(r"""(?P<quote>["'`])(?P<value>(?:(?!(?P=quote)).){6,}?)\\?(?P=quote)""")
_INNER = re.compile(r"\[CDATA\[(?P<data>[^\]]{4,})\]|>(?P<text>[^<>]{6,})</")
_LOGIN = re.compile(r"[\w.-]{1,60}:(?P<value>[^\s/@:]{6,})@")
_NAMED = re.compile(
    r"""[\W_]*[A-Za-z_][\w./$@\[\]-]*?["'`\]\\]*(?:=>|:=|->|=|:(?!//))["'`(\[{<\\]*(?P<value>.+)"""
)
_SENTENCE = re.compile(r"\S \S|://|^[A-Z][a-z]+:?$")  # in base64
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
_WRITTEN = re.compile("[぀-ヿ一-鿿가-힣]")  # without blanks; nobody types a password so
_PURE = re.compile(r"[A-Za-z]+(?:'s)?")
_NEXT = re.compile(r"""[&;,]["']?[A-Za-z][\w.-]*["']?[=:]""")
_ESCAPED_END = re.compile(r"(?:\\[rnt])+$")
# Where plain words are values: in quotes, after a sign, an option, or a word that leads to one.
SLOT = re.compile(
    r"""(?:(?P<open>["'`«“„])|(?<![:=])[=:>：→|,—–][ \t]{0,12}|<<<[ ]?|[\s("'](?:--?[A-Za-z][\w-]*|/[a-z]{1,8})[ =:]"""
    r"""|(?<![\w$./])(?P<lead>[^\W\d]{1,24})[)\]]{0,2}[ \t]{1,3}|\n[ \t]*|[\w.@-]:|[ ]/[ ]|[ ]-[ ])"""
    r"""(?P<value>[A-Za-z]?[a-z]{4,29}(?:[-_.+][A-Za-z]?[a-z]{2,14}){0,7}\d{0,4}|[a-z]{3,12}(?:[ ][a-z]{3,12}){2,24}"""
    r"""|[a-z0-9]{4}(?:[ ][a-z0-9]{4}){3}|\d{4,24})(?=["'`»”\s,;!?)<}\]|/#。]|\.(?!\w)|$)"""
)
OPENS_SLOT = re.compile(r"[\s\"'`«“„=:>：→|,<—–]")  # one of them is in every slot
_PARTS = re.compile(r"[\s\\]")
_BEFORE = re.compile(
    r"""(?:[=:>(|,;/"'`\n]|(?:^|\s)--?\w[\w-]*|\b(?i:is|are|to|ist|lautet|est|es|pw|p?wd|pass\w*|secret|with|user))[ \t]{0,3}["'`]?$"""
)
_FILE = re.compile(r"[\w-]+\.[a-z]{1,4}")
_PATH_GOES_ON = re.compile(r"/[\w.-]+/")
_SHORT_SUM = re.compile(r"(?=[a-f]*\d)[0-9a-f]{6,12}")
_GOES_ON = re.compile(r"[ ][^\W\d_]")  # a sentence
_QUOTES = frozenset("\"'`»”")
_LEADS = frozenset(
    "is are its was be to now use with it ist lautet est es é è are jest heißt теперь again set new on er är je era "
    "naar com con como mit avec met med za code codice código kod kode combination".split()
)
_NORDIC, _NORDIC_ENDS = ("er", "är"), ("t", "ig", "ad", "sk")
_OPENED, _CLOSED = "([{<\"'`*_«“„", ")]}>\"'`,.;:*\\»”。"
_SURE_ENDS = "!?"  # of a sentence, and of a password


def candidates(text: str, begin: int, end: int, *, plain: bool = True) -> Iterator[tuple[int, int]]:
    """Where they stand between these places; plain words only where a secret is named outright."""
    yield from _mixed(text, begin, end)
    if plain and OPENS_SLOT.search(text, begin, end):
        yield from _plain(text, begin, end)


def _plain(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Words and phrases without a digit or a sign, where a value may stand."""
    at = begin
    while found := SLOT.search(text, at, end):
        value, lead = found["value"], found["lead"]
        at = found.end("lead") if lead else found.start("value")  # what is none may lead to one
        if text[found.start()] == "|" and not is_table(text, found.start()):
            continue
        if _FILE.fullmatch(value) or _SHORT_SUM.fullmatch(value):
            continue
        if value.isdigit() and text[found.start("value") - 1] == ":":
            continue  # a port, a time
        if _PATH_GOES_ON.match(text, found.end()):
            continue
        if lead and (not _leads_to(lead.lower(), value) or _is_in_path(text, found.start("lead"))):
            continue
        if found["open"] and text[found.end() : found.end() + 1] not in _QUOTES:
            continue  # the first word of a sentence
        if not found["open"] and value[0].isupper() and _GOES_ON.match(text, found.end()):
            continue
        if " " in value and not (found["open"] or _ends_line(text, found.end())):
            continue
        if value.count(" ") == 2 and not found["open"]:
            continue  # three words say something, mostly
        assigned = text[found.start()] in "=:"
        if not (stands_by_itself(value) if assigned else says_something(value)):
            continue
        at = found.end()
        yield found.span("value")


def _is_in_path(text: str, at: int) -> bool:
    """Whether the word that stands here is a part of a file's name."""
    begin = max(0, at - 60)
    return (
        "/"
        in text[max(text.rfind(" ", begin, at), text.rfind("\n", begin, at), begin - 1) + 1 : at]
    )


def _leads_to(word: str, value: str) -> bool:
    """Whether a value may come after the word and a blank, and none that is only said of one.

    passwd is a program, and takes a user.
    """
    if word == "passwd" or not (word in _LEADS or SECRET.search(word)):
        return False
    said = word in _NORDIC and value.endswith(_NORDIC_ENDS)
    return not said and value.lower() not in said_after_names()


def _ends_line(text: str, end: int) -> bool:
    return text[end : end + 2].strip(" .") in ("", "\n")


def _mixed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    if end - begin > MOST and not _PARTS.search(text, begin, end):
        return  # it is too long, whatever it is
    at = begin
    # A long run without a blank is cut somewhere: what touches the cut is half of a word.
    half_before = begin if begin and not text[begin - 1].isspace() else -1
    half_after = end if end < len(text) and not text[end].isspace() else -1
    for chunk in _BLANKS.split(text[begin:end]):
        if not LEAST <= len(chunk) <= MOST or not _MIXED.search(chunk):
            continue
        at = text.index(chunk, at)
        for start, stop in _values(chunk):
            if not _is_long_enough(text, at + start, at + stop):
                continue
            if at + start == half_before or at + stop == half_after:
                continue
            if may_be_one(chunk[start:stop]):
                yield at + start, at + stop
        at += len(chunk)


def _is_long_enough(text: str, start: int, end: int) -> bool:
    """A short word counts where values stand: `press return2` has none."""
    if end - start >= SURE:
        return True
    return end - start >= LEAST and _BEFORE.search(text, max(0, start - 24), start) is not None


def may_be_one(value: str) -> bool:
    """Whether it is not plainly something else: a reference, a path, a date, code."""
    if is_reference(value) or is_other(value) or is_path(value) or is_fingerprint(value):
        return False
    if value[-1:] == "?" and value[:-1].isalpha():
        return False  # what a question ends with
    if _WRITTEN.search(value) or (_PURE.fullmatch(value) and is_camel(value)):
        return False
    if _BASE64.fullmatch(value) and len(value) % 4 == 0 and _SENTENCE.search(decoded(value)):
        return False
    return _MIXED.search(value) is not None and _LETTER.search(value) is not None


def _values(chunk: str) -> Iterator[tuple[int, int]]:
    inner = [found.span("value") for found in _QUOTED.finditer(chunk)]
    inner += [found.span(found.lastgroup or 0) for found in _INNER.finditer(chunk)]
    for start, stop in inner or [_bare(chunk)]:
        login = _LOGIN.match(chunk, start, stop)
        yield login.span("value") if login else _trimmed(chunk, start, stop)


def _bare(chunk: str) -> tuple[int, int]:
    """What a chunk without quotes says of the name before its sign, up to the next name."""
    named = _NAMED.fullmatch(chunk)
    start = named.start("value") if named else 0
    cut = _NEXT.search(chunk, start + 1)
    return start, cut.start() if cut else len(chunk)


def _trimmed(chunk: str, start: int, stop: int) -> tuple[int, int]:
    value = chunk[start:stop]
    value = _ESCAPED_END.sub("", value)
    bare = value.lstrip(_OPENED)
    start += len(value) - len(bare)
    return start, start + len(bare.rstrip(_CLOSED))
