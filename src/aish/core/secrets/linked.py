"""Values that stand a few empty words from their name, on either side of it.

Between the name of a secret and its value there is an equals sign, mostly, and that is looked for
elsewhere. Every language and program has its own words to put there instead: `As String =`,
`NVARCHAR(200) =`, `--type SecureString --value`, a `|` and a new line. They say nothing, so
they are skipped, whichever they are, and what comes next is judged by its form alone.
"""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.places import is_table
from aish.core.secrets.randomness import is_drawn, is_hex
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import (
    AT_HOST,
    IDENTIFIES,
    is_fingerprint,
    is_key,
    is_name_of_thing,
    is_noise,
    is_of_three_kinds,
    is_password,
    is_path,
    is_phrase,
)

_NAME = re.compile(r"[\w-]{0,80}")
# What a name may end with and still be that of a password; a password-reset-domain is a domain.
_SAME = frozenset(
    "password passwords passwort passwd passphrase passcode pass pwd pw word phrase code secret secrets key keys token tokens value values "
    "val str string text data plain plaintext raw new old current prod production dev test testing staging stage live root "
    "admin user default main primary secondary master base64 b64 env enc encrypted hash db again confirm confirmation s e".split()
)
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EMPTY_WORDS = (
    r"as|string|str|text|n?varchar2?|char|const|get|set|init|private|public|is|was|to|value|values|val|body|data"
    r"|content|default|type|parametervalue|secret-string|secret-value|stringvalue|string_value|plaintext|defaultvalue"
    r"|new|now|secure|securestring|reg_sz|t|sensitive|true|false|b|v|d|s|p|for|the|of|prod|production|dev|staging"
)
_LINK = re.compile(
    rf"(?i)(?:\(\d+\)|[ \t\"'`*)\]}}>:=<,|({{\[;？：-]|\\[\"']|/(?=[dtv] )|\r?\n(?!\s*\n)|(?<![\w])(?:{_EMPTY_WORDS})(?![\w]))*"
)
_VALUE = re.compile(
    r"""(?P<quoted>(?<=")[^"\n\\]{8,400}(?=\\?")|(?<=')[^'\n\\]{8,400}(?=\\?')|(?<=`)[^`\n]{8,400}(?=`))"""
    r"""|(?P<bare>[^\s"'`,;|<>()\[\]{}\\]{10,400})"""
)
_FILE = re.compile(r"\.[A-Za-z]{1,5}(?::\d+)*$")
# An argument with its name, a sum, and names of things that speak of keys themselves.
_OTHER = re.compile(
    r"^[A-Z]{2,10}-\d{1,6}$|^bqjob_|^_?[a-z]+(?:[A-Z][a-z]*)+\d?$|^[A-Za-z_][\w.-]*(?:=|:!)|(?i:^sha\d+\W)|[a-z](?:Keys?|Token|Secret|Passw|Public|Private|Auth|Cred\w*)(?![a-z])|[\w)]\(|/(?:passw|pwd|secret|token)"
)
_JOINED = re.compile(r"[^\W\d_]+(?:[_-][^\W\d_]+)*")
_BAR = re.compile(r"\|[ \t\"']*$")
_REACH = 100
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SENT_BEFORE = re.compile(
    r"""\b(?:echo|printf|print)[ \t]+(?:-\w+[ \t]+)*["']?(?P<value>[^\s"'|<>$]{8,400})["']?[ \t]*(?:\||>{1,2})[^\n|]{0,60}$"""
)
_CALLED_AFTER = re.compile(
    r"""(?:^|[\s"'`(])(?P<value>[^\s"'`,;()]{8,400})["'`]?[ \t](?:as|is|for|=|was)[ \t](?:(?:the|a|an|my|your|our|its)[ \t])?(?:[\w-]+[ \t_-]){0,2}[\w-]*$"""
)
_FIELD_BEFORE = re.compile(
    r"""(?:value|content)["']?[ \t]{0,2}[:=][ \t]{0,2}["'](?P<value>[^"'\n]{8,400})["'],?\s{1,12}["']?(?:name|key|id)["']?[ \t]{0,2}[:=][ \t]{0,2}["']?[\w.-]*$""",
    re.I,
)


def linked_at(text: str, at: int, *, strong: bool) -> Found | None:
    """What the name at this place leads to over nothing but empty words, or what led to it."""
    return _after(text, at, strong=strong) or _before(text, at, strong=strong)


def _after(text: str, at: int, *, strong: bool) -> Found | None:
    name = _NAME.match(text, at)
    link = _LINK.match(text, name.end() if name else at, at + _REACH)
    if not link or not link[0] or link[0].count("\n") > 1 + ("Default" in link[0]):
        return None  # a parameter of a template has its type in between
    if _BAR.search(link[0]) and not is_table(text, at):
        return None  # auth0|…
    value = _VALUE.match(text, link.end())
    by_blank = not link[0].strip()
    same = _is_same(name[0] if name else "")
    if value and strong and not same and _UUID.fullmatch(value[0]):
        return None  # what a password_mail is called by
    strong = strong and same
    return (
        _judged(value, value.lastgroup or "bare", strong=strong and not by_blank) if value else None
    )


def _is_same(name: str) -> bool:
    """Whether the last word of the name is one of a password, or says nothing."""
    parts = _PARTS.findall(name)
    return not parts or parts[-1].lower() in _SAME


def _before(text: str, at: int, *, strong: bool) -> Found | None:
    begin = text.rfind("\n", max(0, at - 300), at) + 1 or max(0, at - 300)
    for pattern in (_SENT_BEFORE, _CALLED_AFTER, _FIELD_BEFORE):
        if found := pattern.search(text, begin, at):
            return _judged(found, "value", strong=strong)
    return None


def _judged(found: re.Match[str], group: str, *, strong: bool) -> Found | None:
    value = found[group].rstrip(".:")
    if IDENTIFIES.search(found.string, max(0, found.start(group) - 48), found.start(group)):
        return None
    if not _UUID.fullmatch(value) and _is_other(value):
        return None
    quoted = group == "quoted"
    sure = is_sure_key(value) or (quoted and is_noise(value))
    sure = sure or (strong and _is_sure_password(value, quoted=quoted))
    return (found.start(group), found.start(group) + len(value), "assigned") if sure else None


def _is_other(value: str) -> bool:
    """Whether it is plainly something else: a reference, a path, a file and a line, a name."""
    if is_reference(value) or is_path(value) or is_name_of_thing(value) or is_fingerprint(value):
        return True
    if AT_HOST.fullmatch(value):
        return True
    return value[0] in ".@" or _FILE.search(value) is not None or _OTHER.search(value) is not None


def is_sure_key(value: str) -> bool:
    """Whether nothing but a machine wrote it: hex, a UUID, or drawn letters and digits."""
    if _UUID.fullmatch(value):
        return True
    if is_hex(value):
        return len(value) >= 24 and not value.isdigit()
    return is_key(value) and is_drawn(value, least=16)


def _is_sure_password(value: str, *, quoted: bool) -> bool:
    if is_phrase(value):
        return True
    if " " in value or not is_password(value, quoted=quoted) or not any(map(str.isalpha, value)):
        return False
    if is_of_three_kinds(value):
        return (quoted and not _JOINED.fullmatch(value)) or any(map(str.isdigit, value))
    return quoted and any(map(str.isdigit, value))
