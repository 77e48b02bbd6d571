"""A name and a password side by side: in prose, in the arguments of a call, in a row of a table."""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.values import (
    IDENTIFIES,
    is_app_password,
    is_label,
    is_name_of_thing,
    is_of_three_kinds,
    is_password,
    is_path,
    is_phrase,
)

_PAIR = re.compile(
    r"(?i:log[ -]?ins?|try|sign[ -]in|cred(?:ential)?s?|accounts?|auth\w{0,10}|zugangsdaten)\b(?i:[ \t](?:with|as|using|for|is|are|details))?"
    r"(?![-.]\w)[^\n\w/]{0,4}(?:[\w.-]{1,20}[ \t])?[ \t]{0,2}[\"'`]?(?P<user>[\w.@+-]{2,60})[\"'`]?"
    r"[ \t]{0,2}(?:/|:|,|\||and|password)[ \t]{0,2}[\"'`]?(?P<value>[^\s\"'`,;<>()]{5,100})"
)
_AS = re.compile(
    r"""(?:^|[\s"'`])([^\s"'`,;()]{6,60})["'`]?[ \t](?:as|als|comme|como|come|jako|som)[ \t](?:(?:the|a|my|your|mot de|das|il|la|el|o)[ \t])?(?:\w+[ \t])?$"""
)
_FIELD = re.compile(r"""value=["']([^"'<>\n]{4,80})["'][^<>\n]{0,40}type=["']?$""")
_MAILBOX = re.compile(r"@[\w-]+(?:\.[\w-]+)+:(?P<value>[^\s:/@|,;\"'`<>]{6,100})(?![/@:\w])")
_FOR_SERVER = re.compile(
    r"""(?:^|[\s"'`=(])(?!(?:mailto|sips?|xmpp|npm|acct|tel|git):)[\w.-]{1,60}:([^\s:@/"'`<>()$]{6,100})$"""
)
_ALONE = re.compile(r"[ \t]*(?:\[?[\w.-]+\]?(?::\d+)?[ \t]+)?[\w.+-]+")
_COPIES = re.compile(r"\b(?:git|scp|rsync|ssh|sftp|clone|remote|sshfs|mount|origin)\b|[$#>❯]")
_TYPED = re.compile(r"LOGIN[ \t](?P<user>[\w.@\"-]{2,60})[ \t]\"?(?P<value>[^\s\"]{5,100})")  # IMAP
_LONGEST_NAME = 30
_NO_PAIR = re.compile(r"(?i)\S*sha\d{1,3} |\S+ (?:\w+=|(?:[\w-]+\.){2,}[a-z]{2,6}$)")
_CALLED = re.compile(r"\w+(?:(?:::|\.|->)\w+)*")
_REACH = 160
_DEFINED = re.compile(r"(?:def|function|fn|func)[ ]\w*$")
_LITERAL = re.compile(r"""(?P<quote>["'`])(?P<value>(?:(?!(?P=quote))[^\n\\]){1,200})(?P=quote)""")
_NAMED = re.compile(r"[\w\]][ \t]*[:=][ \t]*$")
_PLACE = re.compile(
    r"[\w.-]+\.(?:[a-z]{2,6})$|\d{1,3}(?:\.\d{1,3}){3}$|[\w.+-]+@[\w.-]+$|.*://|utf-?8", re.I
)
_COLUMNS = re.compile(r"(?i)\([^()]{0,400}$")
_VALUES = re.compile(r"(?i)[^()]{0,400}\)\s*values\s*\((?P<row>[^()\n]{1,600})")


def said_before(text: str, at: int) -> Found | None:
    """The word before: `try … as password`."""
    before = _AS.search(text, max(0, at - 80), at) or _FIELD.search(text, max(0, at - 120), at)
    if (
        not before
        or not is_password(before[1], quoted=False)
        or not any(map(str.isdigit, before[1]))
    ):
        return None
    return (*before.span(1), "password")


def pair_at(text: str, at: int) -> Found | None:
    """The password of `login with bob / …`, `credentials: admin / …`."""
    found = _PAIR.match(text, at) or _TYPED.match(text, at)
    if not found or IDENTIFIES.search(text, at, found.start("value")):
        return None
    value = found["value"].rstrip(".)]}")
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    mixed = mixed or is_phrase(value)
    if not mixed or is_path(value) or _NO_PAIR.match(f"{found['user']} {value}"):
        return None
    if not is_password(value, quoted=False) or re.match(r"[\d.:]+$|\d+[a-z]{1,2}$", value):
        return None
    return found.start("value"), found.start("value") + len(value), "password"


def mailbox_at(text: str, at: int) -> Found | None:
    """The password after an address: a line of Postfix or of a list, name@host:…"""
    found = _MAILBOX.match(text, at)
    begin = max(0, at - 120)
    before = text[text.rfind("\n", begin, at) + 1 or begin : at]
    if not found or _COPIES.search(before):
        return None
    value = found["value"]
    if is_name_of_thing(value) or not is_password(value, quoted=False):
        return None
    alone = _ALONE.fullmatch(before) and text[found.end() : found.end() + 1] in ("", "\n", "\r")
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if not (is_of_three_kinds(value) or (alone and mixed)):
        return None
    return (*found.span("value"), "password")


def server_at(text: str, at: int) -> Found | None:
    """The password before a server, in an address without its scheme: bob:…@localhost:3306"""
    found = _FOR_SERVER.search(text, max(0, at - 180), at)
    if not found or not is_password(found[1], quoted=False) or is_name_of_thing(found[1]):
        return None
    mixed = any(map(str.isdigit, found[1])) and any(map(str.isalpha, found[1]))
    return (*found.span(1), "password") if mixed else None


def argument_at(text: str, at: int) -> Found | None:
    """The password among the words given to a call that logs in: login('bob', '…')."""
    opened = text.find("(", at, at + _LONGEST_NAME)
    if (
        opened < 0
        or not _CALLED.fullmatch(text[at:opened].rstrip())
        or _DEFINED.search(text[max(0, at - 40) : at])
    ):
        return None
    closed = text.find("\n", opened, opened + _REACH)
    offset = opened + 1
    arguments = text[offset : closed if closed >= 0 else opened + _REACH]
    literals = list(_LITERAL.finditer(arguments))
    for literal in literals[1:] or literals[-1:]:
        before = arguments[: literal.start()]
        if "," not in before or _NAMED.search(before):
            continue
        if _is_password(literal["value"]):
            return offset + literal.start("value"), offset + literal.end("value"), "password"
    return None


def _is_password(value: str) -> bool:
    if _PLACE.match(value) or is_label(value) or not is_password(value, quoted=True):
        return False
    if is_app_password(value):
        return True
    if " " in value or re.fullmatch(r"[a-z]+[_-]?\d{1,3}|[\w.-]+:\d+|[\da-fA-F:.%]+", value):
        return False
    return any(map(str.isdigit, value))


def inserted_at(text: str, at: int) -> Found | None:
    """The password in a row: INSERT INTO users (name, password) VALUES ('bob', '…')."""
    columns = _COLUMNS.search(text[max(0, at - 400) : at])
    row = _VALUES.match(text, at) if columns else None
    if not row or not columns:
        return None
    index = columns[0].count(",")
    place = row.start("row")
    for number, part in enumerate(_parts(row["row"])):
        value = part.strip().strip("'\"")
        if number == index and len(value) >= 4 and part.strip()[:1] in ("'", '"'):
            start = text.index(value, place)
            return start, start + len(value), "password"
        place += len(part) + 1
    return None


def _parts(row: str) -> list[str]:
    """The values of a row; a comma inside quotes parts nothing."""
    return re.findall(r"""(?:'(?:[^'\\]|\\.|'')*'|"[^"]*"|[^,'"])+""", row)
