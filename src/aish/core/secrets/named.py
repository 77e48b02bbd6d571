"""Values that a name before them calls secret: assignments, headers, URLs, options."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log2

# What may stand between the word and its separator: password2, secret_access_key, token_prod.
_SUFFIX = (
    r"(?:[_-]?(?:access[_-]?key(?:[_-]?id)?|access[_-]?token|key[_-]?base|key|value|text|string"
    r"|base64|b64|prod|production|staging|dev|test|live|primary|secondary|old|new"
    r"|root|admin|user|\d{1,3}))?"
)
_LETTERS = bytes(range(ord("a"), ord("z") + 1))
_UNDERSCORE = ord("_")
_SUFFIX_STARTS = b"akvtsbpdlonru0123456789"  # token_count is no token
_QUOTE = r"""\\?["'`]?"""
_SEPARATOR = (
    rf"{_QUOTE}\]?[ \t]{{0,4}}(?::=|=>|={{1,2}}|:)[ \t]{{0,4}}(?:r|b|f|u)?"
    rf"|{_QUOTE},?\s{{0,12}}{_QUOTE}value{_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}"  # name, then value
    r"|[ \t]{1,4}is:?[ \t]{1,4}"
    r"|(?P<tag>>)"
)
_VALUE = (
    r"""(?:(?P<quote>\\?["'`])(?P<quoted>(?:(?!(?P=quote))[^\r\n]){1,400})"""
    r"""|(?P<bare>[^\s"'`,;]{1,400}))"""
)
_PASSWORDS = r"pass(?:w(?:or)?d|phrase|code)?|pwd"

ASSIGNED = re.compile(
    rf"(?i:(?P<strong>{_PASSWORDS})|secret|token|auth|key)(?i:{_SUFFIX})"
    rf"(?:{_SEPARATOR}|(?P<option>[ \t]{{1,4}}))"
    r"(?i:(?:bearer|basic|token|digest)[ \t]+)?" + _VALUE
)
AUTHORIZATION = re.compile(
    r"""(?i:authorization)\\?["']?[ \t]*[:=][ \t]*\\?["']?(?P<scheme>[A-Za-z]{3,12}[ \t]+)?"""
    r"""([^\s"'`,;<>\\]{6,2000})"""
)
BEARER = re.compile(r"""(?i:bearer)[ \t]+([\w.~+/=-]{16,2000})""", re.ASCII)
URL = re.compile(
    r"""://(?:[^\s/:@"'<>]{0,100}:([^\s/"'<>]{1,200})"""
    r"""|(?P<user>[^\s/:@"'<>]{16,200}))@(?=[\w\[.-])"""
)
SIGNATURE = re.compile(r"sig=([A-Za-z0-9%+/_-]{30,200}=?)")
USER_OPTION = re.compile(
    r"""curl\b[^\n|;&]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,80}:([^\s"']{1,200})"""
)
WEBHOOK = re.compile(
    r"hooks?(?:\.slack\.com/services/[\w/]{10,40}?/|\.slack\.com/workflows/[\w/]{10,80}?/"
    r"|s/\d{15,22}/)([\w-]{20,100})",
    re.ASCII,
)
SSHPASS = re.compile(r"""pass[ \t]+-p[ \t]*["']?([^\s"']{1,200})""")

# A key is secret when the word before it says so; primary, cache, public and foreign keys are not.
_SECRET_KEYS = tuple(
    (
        b"api access secret private account auth encryption encrypt signing sign master session "
        b"client app application service license subscription storage deploy shared consumer admin "
        b"stripe openai root jwt hmac crypt cipher ssh bot write read ingest project"
    ).split()
)
_ENVIRONMENT = re.compile(r"[ \t]*(?:export[ \t]+|set[ \t]+|-e[ \t]+)?[\w.-]*$")
_OPTION = re.compile(r"(?:^|\s)(?:--?[\w-]*|(?:ENV|ARG)[ \t]+\w*|login\s+\S+\s+)$")
_TAG = re.compile(r"<[\w:.-]*$")
_WHOLE_WORD = re.compile(r"""[^\s"'`]{1,400}""")
_REFERENCE = re.compile(
    r"\$[A-Za-z_]\w*$|\$[{(]|\[hidden\]|<[^>]*>?$|\{\{|\{[^}]*\}?$|%[({]|\*{3}|x{4,}$|\.{3}|…|(?i:none|null|nil|true|false|undefined|string|str"
    r"|required|optional|redacted|changeme|example|placeholder|your[_-].*|my[_-].*|todo)$",
)
_PATH = re.compile(r"(?:~|\.{0,2})/|[a-zA-Z]:\\|https?://")
_CODE = re.compile(
    r"[A-Za-z_][\w.]*[(\[]"  # a call, an index
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"  # an attribute
    r"|[a-z]+(?:[_./:-]+[a-z]+)*$"  # words, a path of words
    r"|[A-Z]+(?:_[A-Z0-9]+)+$"  # the name of a constant or variable
    r"|--?[a-z]"  # the next option
)
SHORTEST = 4  # a shorter value would be found everywhere
_OTHER_WORDS = ("by", "om", "re")  # bypass, compass, repass


Found = tuple[int, int, str]  # start, end, family


class Name:
    """A word that may call what follows it secret, and how to look whether it does."""

    def __init__(
        self,
        word: bytes,
        look: Callable[[str, int], Found | None],
        letters: bytes = b"",  # which letters may go on after it: passw…, but not passed
        after: tuple[bytes, ...] = (),  # what must stand before it: api_key, but not cache_key
    ) -> None:
        self.word = word
        self.look = look
        self._after = after
        self._wrong_next = frozenset(_LETTERS) - frozenset(letters)
        self._right_before = frozenset(_LETTERS + b"_-. ") if after else frozenset(range(256))

    def may_be(self, lower: bytes, at: int) -> bool:
        """The cheap half of the decision; `lower` ends with two bytes more than the text."""
        end = at + len(self.word)
        follows = lower[end]
        if follows in self._wrong_next or lower[at - 1] not in self._right_before:
            return False
        if follows == _UNDERSCORE and lower[end + 1] not in _SUFFIX_STARTS:
            return False
        before = lower[max(0, at - 14) : at].rstrip(b"_-. ") if self._after else b""
        return not self._after or before.endswith(self._after)


def _assigned(text: str, at: int) -> Found | None:
    found = ASSIGNED.match(text, at)
    if found is None or (found["tag"] and not _is_tag(text, at)):
        return None
    quoted_password = found["strong"] and found["quoted"]
    if found["option"] is not None and not (quoted_password or _is_option(text, at)):
        return None
    weak_is_enough = found["strong"] is not None
    if weak_is_enough and text[max(0, at - 2) : at].lower() in _OTHER_WORDS:
        return None
    span = _value(text, found, weak_is_enough=weak_is_enough)
    return (*span, "password" if weak_is_enough else "assigned") if span else None


def _password(text: str, at: int) -> Found | None:
    return _matched(SSHPASS, "password")(text, at) or _assigned(text, at)


def _authorization(text: str, at: int) -> Found | None:
    found = AUTHORIZATION.match(text, at)
    if found is None:
        return _assigned(text, at)
    value = found[2]
    plausible = not _CODE.match(value) if found["scheme"] else _is_key(value)
    return (*found.span(2), "bearer") if plausible and not _REFERENCE.match(value) else None


def _matched(pattern: re.Pattern[str], family: str) -> Callable[[str, int], Found | None]:
    """A look by an expression that needs no further proof, unless it only finds a reference."""

    def look(text: str, at: int) -> Found | None:
        found = pattern.match(text, at)
        group = found.lastindex if found else None
        if not found or not group or _REFERENCE.match(found[group]):
            return None
        if found.lastgroup == "user" and not _is_key(found["user"]):
            return None
        return (*found.span(group), family)

    return look


NAMES = (
    Name(b"pass", _password, letters=b"wpc"),
    Name(b"pwd", _assigned),
    Name(b"secret", _assigned, letters=b"ka"),
    Name(b"token", _assigned),
    Name(b"key", _assigned, after=_SECRET_KEYS),
    Name(b"auth", _authorization, letters=b"o"),
    Name(b"://", _matched(URL, "url"), letters=_LETTERS),
    Name(b"sig=", _matched(SIGNATURE, "azure"), letters=_LETTERS),
    Name(b"curl", _matched(USER_OPTION, "password")),
)


def _is_tag(text: str, at: int) -> bool:
    """Whether the word is the name of an element: <password>…"""
    return _TAG.search(text, max(0, at - 40), at) is not None


def _is_option(text: str, at: int) -> bool:
    """Whether a space is enough after the word: --password, ENV TOKEN, or a line of .netrc."""
    return _OPTION.search(text, max(0, at - 100), at) is not None


def _value(text: str, found: re.Match[str], *, weak_is_enough: bool) -> tuple[int, int] | None:
    """The span of an assigned value, if it is one that only its owner should know."""
    quoted = found["quoted"] is not None
    start = found.start("quoted" if quoted else "bare")
    value = found["quoted"] if quoted else _bare(text, found)
    value = value.partition("\\n")[0].rstrip("\\")  # where the text is itself inside a string
    if weak_is_enough:
        hidden = _is_password(value, quoted=quoted) or _is_set(text, found, start, value)
    else:
        hidden = _is_key(value)
    return (start, start + len(value)) if hidden else None


def _is_set(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """DB_PASSWORD=word: what is set in an environment is the password, however weak it is."""
    begin = found.start()
    name = text[begin:start].rstrip("\"'`")
    if not name.endswith("=") or not name[:-1].isupper() or len(value) < SHORTEST:
        return False
    return _is_line(text, begin) and not (_REFERENCE.match(value) or _is_path(value))


def _is_line(text: str, at: int) -> bool:
    """Whether nothing but the name stands before this place in its line: export DB_…"""
    begin = max(0, at - 120)  # no name is longer, and a line may be
    return bool(_ENVIRONMENT.match(text[text.rfind("\n", begin, at) + 1 or begin : at]))


def _bare(text: str, found: re.Match[str]) -> str:
    """A value without quotes: in an environment line all of the word, else up to , or ;."""
    whole = _WHOLE_WORD.match(text, found.start("bare")) if _is_line(text, found.start()) else None
    if whole and text[found.start("bare") - 1] == "=":
        return whole[0].rstrip(",;")
    value = _before_next_parameter(found["bare"]).rstrip(".")
    if found["tag"]:
        value = value.partition("<")[0]
    while value and value[-1] in ")]}>" and "([{<"[")]}>".index(value[-1])] not in value:
        value = value[:-1]
    return value


def _before_next_parameter(value: str) -> str:
    """token=abc&next=1 ends before the ampersand; a password may contain one."""
    cut = re.search(r"&[\w.-]{1,40}=", value)
    return value[: cut.start()] if cut else value


def _is_password(value: str, *, quoted: bool) -> bool:
    """Something a person would use as a password: not a word, not a reference, not code."""
    if len(value) < 6 or _REFERENCE.match(value) or _is_path(value) or _CODE.match(value):
        return False
    if " " in value and not quoted:
        return False
    kinds = sum(any(map(test, value)) for test in (str.isupper, str.islower, str.isdigit, _is_sign))
    return kinds >= 2 and entropy(value) >= 2.0


def _is_key(value: str) -> bool:
    """Something only a machine would write: long, mixed, without a pattern."""
    if len(value) < 12 or " " in value or _REFERENCE.match(value) or _is_path(value):
        return False
    if _CODE.match(value) or not any(map(str.isdigit, value)) or value.isdigit():
        return False
    return any(map(str.isalpha, value)) and entropy(value) >= 2.8


def _is_path(value: str) -> bool:
    """A path or address, unless a part of it is as mixed as only a key is."""
    return bool(_PATH.match(value)) and not any(map(_is_mixed, value.split("/")))


def _is_mixed(part: str) -> bool:
    kinds = (str.isupper, str.islower, str.isdigit)
    return len(part) >= 8 and all(any(map(kind, part)) for kind in kinds)


def _is_sign(ch: str) -> bool:
    return not ch.isalnum() and not ch.isspace()


def entropy(value: str) -> float:
    """Bits per character, by how often each one occurs."""
    size = len(value)
    counts = (value.count(ch) for ch in set(value))
    return -sum(n / size * log2(n / size) for n in counts) if size else 0.0
