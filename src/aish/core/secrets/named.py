"""Values that a name before them calls secret: assignments, headers, URLs, options."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable

from aish.core.secrets.commands import given_near
from aish.core.secrets.places import (
    is_environment,
    is_option,
    is_pair,
    is_setting,
    is_tag,
)
from aish.core.secrets.values import (
    SHORTEST,
    is_code,
    is_key,
    is_password,
    is_path,
    is_reference,
    is_said_of_one,
    is_weak_password,
)

# What may stand between the word and its separator: password2, secret_access_key, token_prod.
_SUFFIX = (
    r"(?:[_-]?(?:access[_-]?key(?:[_-]?id)?|access[_-]?token|key[_-]?base|key|value|text|str(?:ing)?"
    r"|base64|b64|prod|production|staging|dev|test|live|primary|secondary|old|new|data|hash"
    r"|root|admin|user|\d{1,3}))?"
)
_LETTERS = bytes(range(ord("a"), ord("z") + 1))
_UNDERSCORE = ord("_")
_SUFFIX_STARTS = b"akvtsbpdlonruh0123456789"  # token_count is no token
_QUOTE = r"""\\?["'`]?"""
_EQUALS = r"(?::=|=>|={1,2}|:|：|%3[Dd]|%3[Aa]|\\u003[dD]|\\x3[dD])"
_SEPARATOR = (
    r"[ \t]{0,4}:[ \t]{0,4}&?[A-Za-z][\w.<>\[\]| ]{0,30}?=[ \t]{0,4}(?=[\"'`])"  # with its type
    rf"|{_QUOTE}\]?[ \t]{{0,20}}{_EQUALS}[ \t]{{0,20}}(?:[rbfu](?=[\"']))?"
    rf"|{_QUOTE},?\s{{0,12}}{_QUOTE}(?:value|content){_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}"
    rf"|{_QUOTE}\s{{0,4}}\{{\s{{1,12}}default\s{{1,12}}=[ \t]{{1,4}}"  # variable "db_password"
    r"|[ \t]for[ \t][^\n:=\"']{1,40}:[ \t]{1,4}(?=\S)"
    r"|\([ \t]{0,4}(?=[\"'`])"  # setPassword("…")
    r"|(?P<said>[ \t]{1,4}is:?[ \t]{1,4})"
    r"|(?P<tag>[\"']?>)"
    r"|(?P<column>[ \t]{0,20}(?:\||\t|  | - )[ \t|]{0,20}|[\"'],[ \t]{0,4}(?=[\"']))"
)
_VALUE = (
    r"""(?:(?P<quote>\\?["'`])(?P<quoted>(?:(?!(?P=quote))[^\r\n]){1,400})"""
    r"""|(?P<bare>[^\s"'`,;]{1,400}))"""
)
_PASSWORDS = (
    r"pass(?:w(?:or[dt]|d)|phrase|code|key|e)?|pwd?|psk|kennwort|wachtwoord|senha|contrase(?:ñ|n)a"
    r"|ароль|密码|密碼|パスワード|비밀번호"
)
_SECRETS = r"secret|token|auth|key|cred(?:ential)?s?"
ASSIGNED = re.compile(
    rf"(?i:(?P<strong>{_PASSWORDS})|(?P<weak>{_SECRETS}))(?i:{_SUFFIX})"
    rf"(?:{_SEPARATOR}|(?P<option>[ \t]{{1,4}}))"
    r"(?i:(?:bearer|basic|token|digest)[ \t]+)?" + _VALUE
)
AUTHORIZATION = re.compile(
    r"""(?i:authorization)\\?["']?[ \t]*[:=][ \t]*\\?["']?(?P<scheme>[A-Za-z]{3,12}[ \t]+)?"""
    r"""([^\s"'`,;<>\\]{6,2000})"""
)
SIGNED = re.compile(
    r"""(?i:authorization)\\?["']?[ \t]*[:=][^\n]{0,900}?(?:[Ss]ignature|response|oauth_token)="""
    r""""?([\w%+/=-]{16,400})"""
)
AUTH_PAIR = re.compile(
    r"""(?i:auth|cred)\w{0,12}\s{0,4}[=(]{1,2}\s{0,4}\(?\s{0,4}["'][^"']{1,80}["'],\s{0,4}"""
    r"""["']([^"'\n]{4,200})"""
)
BEARER = re.compile(r"""(?i:bearer)[ \t]+([\w.~+/=-]{16,2000})""", re.ASCII)
URL = re.compile(
    r"""://(?:[^\s/:@"'<>]{0,100}:([^\s/"'<>]{1,200})"""
    r"""|(?P<user>[^\s/:@"'<>]{16,200}))@(?=[\w\[.-])"""
)
BARE_URL = re.compile(r"""[a-z]+://\d{6,20}:([\w-]{20,80})(?![\w@:/-])""")  # cloudinary://id:key
SIGNATURE = re.compile(r"""sig(?i:nature)?(?:=|%3[Dd])((?:[A-Za-z0-9%+/_-]){30,1200}=?)""", re.I)
QUERY = re.compile(r"[?&](?:app_?id|key|code|auth|sid|k)=([\w%.~+/-]{16,400})", re.IGNORECASE)
COOKIE = re.compile(r"""(?i:cookie)s?["']?[ \t]*[:= ][ \t]*["']?([^\r\n"']{4,4000})""")
_CRUMB = re.compile(r"(?<![^;\s\"'])[\w.$!*+-]{1,80}=([^;\s,\\]{8,4000})")
_NOT_A_CRUMB = ("path", "domain", "expires", "max-age", "samesite", "version", "priority")
WEBHOOK = re.compile(
    r"hooks?(?:\.slack\.com/(?:services|workflows|triggers)/[\w/]{4,80}?/"
    r"|/\d{15,22}/|/catch/\d+/|b2/)([\w@-]{20,200}(?:/[\w/-]{20,200})?)",
    re.ASCII,
)
PHRASE = re.compile(
    r"""(?i:mnemonic|(?:seed|recovery|secret|backup)[ _-]?phrase)\w{0,4}["']?[ \t]*(?:[:=]|is)[ \t:]*["']?"""
    r"""([a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})"""
)
IDENTIFIED = re.compile(r"""(?i:identified\s+by)\s+(?i:password\s+)?["']([^"'\n]{1,200})""")

# A key is secret when the word before it says so; primary, cache, public and foreign keys are not.
_SECRET_KEYS = tuple(
    (
        b"api access secret private account auth encryption encrypt signing sign master session "
        b"client app application service license subscription storage deploy shared consumer admin "
        b"stripe openai root jwt hmac crypt cipher ssh bot write read ingest project priv wallet "
        b"preshared webhook decryption integration server rest license"
    ).split()
)
_WHOLE_WORD = re.compile(r"""[^\s"'`]{1,400}""")
_OTHER_WORDS = re.compile(r"(?i)(?<![a-z])(?:by|com|tres|im|sur|over|under|re|en|tres)$")
_RESULTS = re.compile(r"(?i)(?<![a-z_])pass[ \t]*[:=|]")  # pass: 12, fail: 3


_EXAMPLES = ("pass", "password", "passwd", "pwd", "pw", "secret", "token", "xyz", "xxx", "b")
Found = tuple[int, int, str]  # start, end, family


class Name:
    """A word that may call what follows it secret, and how to look whether it does."""

    def __init__(
        self,
        word: bytes,
        look: Callable[[str, int], Found | None],
        letters: bytes = b"",  # which letters may go on after it: passw…, but not passed
        after: tuple[bytes, ...] = (),  # what must stand before it: api_key, but not cache_key
        *,
        alone: bool = False,  # not the end of a longer word
    ) -> None:
        self.word = word
        self.look = look
        self._after = after
        self._wrong_next = frozenset(_LETTERS) - frozenset(letters)
        self._right_before = frozenset(range(256))
        if after:
            self._right_before = frozenset(_LETTERS + b"_-. ")
        elif alone:
            self._right_before = frozenset(range(256)) - frozenset(_LETTERS)

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


def named_at(text: str, at: int) -> Found | None:
    """What the name at this place calls secret."""
    found = None if text[max(0, at - 5) : at] == "AISH_" else ASSIGNED.match(text, at)
    if found is None or (found["tag"] and not is_tag(text, at)):
        return None
    if found["strong"] and _OTHER_WORDS.search(text, max(0, at - 6), at):
        return None
    start, value = _value(text, found)
    if len(value) < SHORTEST:
        return None
    judge = _is_password_here if found["strong"] else _is_key_here
    if not judge(text, found, start, value):
        return None
    return start, start + len(value), "password" if found["strong"] else "assigned"


def _is_password_here(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether a password's name is followed by one."""
    quoted = found["quoted"] is not None
    if found["column"] is not None:
        if text[found.start() : found.end("weak" if found["weak"] else "strong")].isupper():
            return is_password(value, quoted=False) or is_weak_password(value)
        return is_password(value, quoted=False) and any(map(str.isdigit, value))
    if found["option"] is not None:
        return _is_password_after_blank(text, found, value)
    if is_password(value, quoted=quoted) or _is_set(text, found, start, value):
        return True
    return is_weak_password(value) and _is_literal(text, found, start, value)


def _is_password_after_blank(text: str, found: re.Match[str], value: str) -> bool:
    """--password X, and `password X` where X is nothing but one; to pass something on is a verb."""
    quoted = found["quoted"] is not None
    option = is_option(text, found.start())
    if (found["strong"] or "").lower() == "pass" and not _is_command_option(text, found.start()):
        return False
    if is_password(value, quoted=quoted):
        return quoted or option or any(map(str.isdigit, value))
    return (quoted or option) and is_weak_password(value)


def _is_literal(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether a plain word stands here as itself and not as the name of something."""
    end = start + len(value)
    if value.isdigit() and _RESULTS.match(text, found.start()) and not found["quoted"]:
        return False
    if found["said"]:
        ends = text[end : end + 1] in ("", "\n", "\r", ".", ",", "'", '"')
        return ends and not is_said_of_one(value)
    if found["quoted"]:
        return not (value[:1].isupper() and value[1:].islower() and " " not in value)
    if found["tag"] or value.isdigit():
        return True
    if _is_command_option(text, found.start()) or is_pair(text, found.start(), end):
        return True
    return is_setting(text, found.start(), end)


def _is_command_option(text: str, at: int) -> bool:
    return re.search(r"(?:^|\s)--?[\w.-]*$", text[max(0, at - 60) : at]) is not None


def _is_key_here(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether the name of a key, a token or a secret is followed by one."""
    if found["option"] is not None or found["column"] is not None:
        return is_key(value) and (len(value) >= 16 or is_option(text, found.start()))
    if is_key(value) or _is_login(value):
        return True
    says_secret = (found["weak"] or "").lower() == "secret"
    return says_secret and _is_set(text, found, start, value)


def _is_login(value: str) -> bool:
    """Whether it is a name and a password in base64, as in ~/.docker/config.json."""
    if len(value) < 8 or len(value) % 4:
        return False
    try:
        plain = b64decode(value, validate=True).decode()
    except (Error, ValueError):
        return False
    return plain.isprintable() and plain.count(":") == 1 and plain[-1] != ":"


def _authorization(text: str, at: int) -> Found | None:
    for pattern in (SIGNED, AUTH_PAIR):
        if (pair := pattern.match(text, at)) and is_password(pair[1], quoted=True):
            return (*pair.span(1), "bearer")
    found = AUTHORIZATION.match(text, at)
    if found is None:
        return named_at(text, at)
    value = found[2]
    plausible = not is_code(value) if found["scheme"] else is_key(value)
    plausible = plausible and not re.match(r"\w+=$", value)
    return (*found.span(2), "bearer") if plausible and not is_reference(value) else None


def _matched(pattern: re.Pattern[str], family: str) -> Callable[[str, int], Found | None]:
    """A look by an expression that needs no further proof, unless it only finds a reference."""

    def look(text: str, at: int) -> Found | None:
        found = pattern.match(text, at)
        group = found.lastindex if found else None
        if not found or not group or is_reference(found[group]):
            return None
        if found.lastgroup == "user" and not is_key(found["user"]):
            return None
        if found[group].lower() in _EXAMPLES:
            return None
        return (*found.span(group), family)

    return look


def _url(text: str, at: int) -> Found | None:
    if found := _matched(URL, "url")(text, at):
        return found
    begin = at
    while begin > max(0, at - 16) and text[begin - 1].isalpha():
        begin -= 1
    return _matched(BARE_URL, "url")(text, begin)


def _cookie(text: str, at: int) -> Found | None:
    """The first crumb that holds more than a setting, to the last one."""
    found = COOKIE.match(text, at)
    if found is None:
        return None
    spans = [
        crumb.span(1)
        for crumb in _CRUMB.finditer(text, *found.span(1))
        if not crumb[0].lstrip("; \t").lower().startswith(_NOT_A_CRUMB) and is_key(crumb[1])
    ]
    return (spans[0][0], spans[-1][1], "cookie") if spans else None


def _phrase(text: str, at: int) -> Found | None:
    found = PHRASE.search(text, max(0, at - 9), at + 300)
    return (*found.span(1), "seed") if found and found.start() <= at else None


NAMES = (
    Name(b"pass", lambda text, at: named_at(text, at) or given_near(text, at), letters=b"wpcke"),
    Name(b"pw", named_at, letters=b"d", alone=True),
    Name(b"psk", named_at, alone=True),
    Name(b"secret", named_at, letters=b"kavs"),
    Name(b"token", named_at),
    Name(b"key", named_at, after=_SECRET_KEYS, letters=b"b"),
    Name(b"cred", _authorization, letters=b"es"),
    Name(b"auth", _authorization, letters=b"o"),
    Name(b"cookie", _cookie, letters=b"s"),
    Name(b"://", _url, letters=_LETTERS),
    Name(b"sig", _matched(SIGNATURE, "signature"), letters=b"n"),
    Name(b"phrase", _phrase, alone=True),
    Name(b"mnemonic", _matched(PHRASE, "seed")),
    Name(b"identified by", _matched(IDENTIFIED, "password")),
    Name(b"kennwort", named_at),
    Name(b"wachtwoord", named_at),
    Name(b"contrase", named_at, letters=b"n"),
    Name(b"senha", named_at),
)
FOREIGN = ("ароль", "密", "パスワ", "비밀")  # what is rare and finds them soon


def _value(text: str, found: re.Match[str]) -> tuple[int, str]:
    """Where the value stands, and the value."""
    quoted = found["quoted"] is not None
    start = found.start("quoted" if quoted else "bare")
    value = found["quoted"] if quoted else _bare(text, found)
    return start, value.partition("\\n")[0].rstrip("\\")  # the text may be inside a string itself


def _is_set(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """DB_PASSWORD=word: what is set in an environment is the password, however weak it is."""
    begin = found.start()
    name = text[begin:start].rstrip("\"'`")
    if not name.endswith("=") or len(value) < SHORTEST:
        return False
    exported = text[max(0, begin - 60) : begin].rpartition("\n")[2].lstrip().startswith("export ")
    if not (name[:-1].isupper() or exported):
        return False
    return is_environment(text, begin) and not (is_reference(value) or is_path(value))


def _bare(text: str, found: re.Match[str]) -> str:
    """A value without quotes: in an environment line all of the word, else up to , or ;."""
    at = found.start("bare")
    whole = _WHOLE_WORD.match(text, at) if is_environment(text, found.start()) else None
    if whole and text[at - 1] == "=":
        return whole[0].rstrip(",;")
    value = _before_next_parameter(found["bare"]).rstrip(".")
    if found["tag"]:
        value = value.partition("<")[0]
    while value and value[-1] in ")]}>" and "([{<"[")]}>".index(value[-1])] not in value:
        value = value[:-1]
    return value


def _before_next_parameter(value: str) -> str:
    """token=abc&next=1 ends before the ampersand; a password may contain one."""
    cut = re.search(r"&[\w.-]{1,40}=|%26|%22|&(?:quot|lt|gt|amp|#39)\b|</", value)
    return value[: cut.start()] if cut else value
