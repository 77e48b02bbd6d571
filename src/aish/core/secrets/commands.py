"""Passwords that programs take as short options or as plain words: mysql -p…, redis-cli -a …"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from aish.core.secrets.places import line_before
from aish.core.secrets.randomness import is_drawn
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import (
    SHORTEST,
    is_name_of_thing,
    is_of_three_kinds,
    is_password,
    is_path,
    is_phrase,
    is_said_of_one,
    is_weak_password,
    stands_for_one,
)

Given = tuple[int, int, str]  # start, end, family

_WORD = re.compile(
    r"""(?:'(?P<single>[^'\n]{1,200})'|"(?P<double>[^"\n]{1,200})"|(?P<bare>[^\s"'|;&<>]{1,200}))"""
)
# Which letter takes a password, by program.
_APART: dict[str, str] = {  # -p WORD
    "p": r"sshpass|[\w./-]+\s+(?:registry\s+|auth\s+)?login|certutil|pk12util|mongo\w*|rdesktop|vncdo|cqlsh|svn|mcrcon|rcon\S*|hdbsql|isql",
    "P": r"zip|unzip|sqlcmd|bcp|mosquitto_\w+|tsql|isql|kafkacat|smbget|mcelog|ipmitool|zipcloak",
    "a": r"redis-cli|keydb-cli|valkey-cli|redis-benchmark",
    "w": r"ldap\w+|dsconf|realm|smbpasswd",
    "c": r"[\w-]*snmp\w*|onesixtyone|lnms",
    "A": r"[\w-]*snmp\w*|trapsess|lnms",
    "X": r"[\w-]*snmp\w*|trapsess|lnms",
    "N": r"ssh-keygen",
    "k": r"openssl\s+enc",
    "K": r"openssl\s+enc",
}
_JOINED = r"[\w./-]+\s+login|mysql\w*|mariadb\w*|mycli|7z[arz]?|rar|unrar|sshpass|mongo\w*|xtrabackup|percona\S*"
_JOINED_LARGE = r"sqlcmd|bcp|tsql|unzip|zip|osql"  # -P…
_ASKERS = r"psql|pg_\w+|createdb|dropdb|vacuumdb|ldap\w+"  # -W: ask for one
_LOGINS = r"curl|wget|https?|xh|lftp|smbclient|rpcclient|smbget|net|crackmapexec|nxc|rclone|ncftp"
_OF_FIND = ("-print", "-prune", "-path", "-perm")
_LEVELS = r"journalctl|logger|dmesg"  # -p: how bad it is
_ANYBODY = ("user", "username", "name", "key", "login")
_PROGRAM = r"(?:^|[\s|;&(/`'\"])(?:{})(?=\s)(?:[^\n|;&]|\\\n)*$"
_COOKIE = re.compile(r"""(?:-b|--cookie)[ =]?["']?[\w.-]+=(?P<word>[^\s"';]{8,400})""")
_LOGIN = re.compile(
    r"""(?:-u|-U|-a|--(?:[a-z]+-)?user(?:name)?|--auth|-E|--cert)[ =]?["']?(?P<user>(?:[\w.-]+/)?[^\s:%,"'/-][^\s:%,"'/]{0,80})[:%,]["']?(?P<word>[^\s"']{0,200})"""
)
_PASS_COLON = re.compile(r"-pass(?:in|out)?[ =]pass:(?P<word>[^\s\"'<>`]{1,200})")
_SPEAKS = re.compile(
    r"(?:ht|ch)passwd|wpa_passphrase|password-stdin|passphrase-fd|passwd --stdin|_password[ ]|pass(?:in|out)?[ :=]"
)
_PLAIN = (  # the word itself is the password
    _PASS_COLON,
    re.compile(
        r"""(?m)^[^\n]*?\bhtpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)*\S+[ \t]+\S+[ \t]+["']?(?P<word>[^\s"']{1,200})"""
    ),
    re.compile(
        r"""\becho[ \t]+(?:-n[ \t]+)?["']?[\w.-]{1,40}:(?P<word>[^\s"'|]{1,200})["']?[ \t]*\|[^\n]*chpasswd"""
    ),
    re.compile(
        r"""\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?P<word>[^\s"'|$]{4,200})["']?[ \t]*\|[^\n]*(?:--password-stdin|--passphrase-fd|passwd --stdin)"""
    ),
    re.compile(r"""\bchange_password[ \t]+\S+[ \t]+["']?(?P<word>[^\s"']{4,200})"""),
    re.compile(r"""\bwpa_passphrase[ \t]+("[^"\n]+"|\S+)[ \t]+["']?(?P<word>[^\s"']{8,64})"""),
)
_PIPED = re.compile(
    r"""\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?(?P<word>[^\s"'|$]{4,200})["']?[ \t]*\|[ \t]*sudo[ \t]$"""
)
_PGPASS = re.compile(
    r""":(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<word>[^\s:"']{4,200})(?:[\n"']|$)"""
)
_WINDOWS_USER = re.compile(r"(?i)/r?u[: ]")
_LEAST_IN_ROW = 6
_PGHOST = re.compile(r"(?:^|[\n\"'])[ \t]*(?:[\w.-]*[A-Za-z*][\w.*-]*|\*|\d+\.\d+\.\d+\.\d+)$")
_PLACED = (
    re.compile(r"""from-literal[= ]["']?[\w.-]{1,80}=["']?(?P<word>[^\s"'\]]{4,400})"""),
    re.compile(  # what stands after the name of a user
        r"""(?:net user|add_user|/user:)[ ]?[\w.@\\-]{1,60}[ ]["']?(?P<word>[^\s"'/-][^\s"']{3,100})"""
    ),
    re.compile(
        r"""(?:sqlplus|impdp|expdp)[ ](?:-\w+[ ])*[\w$.-]{1,30}/(?P<word>[^\s@"'/]{4,100})"""
    ),
    re.compile(r"""http-basic[. ]\S{1,100}[ ][\w.@-]{1,60}[ ]["']?(?P<word>[^\s"']{4,200})"""),
    re.compile(r"""oracle:(?:thin|oci):[^\s/:@"']{1,60}/(?P<word>[^\s@"']{1,200})@"""),
    re.compile(r"""(?<=\s)(?i:/p:|/rp +)["']?(?P<word>[^\s"'=]{6,200})(?!=)"""),
    re.compile(r"""mc alias set +\S+ +\S+ +\S+ +["']?(?P<word>[^\s"']{8,200})"""),
    re.compile(r"""net use (?:\w:|\*) +\S+ +(?!/)(?P<word>[^\s"']{4,200})"""),
    re.compile(r"""(?i:nickserv:? identify) (?:\w+ )?(?P<word>[^\s"']{6,200})"""),
    re.compile(r"\{(?P<word>[A-Za-z0-9+/]{22,400}={0,2})\}<"),  # of Maven
    re.compile(r"\{(?i:plain|clear|cleartext|none)\}(?P<word>[^\s:]{4,200})"),
    re.compile(r"\{[\w-]{3,20}\}(?P<word>[\w+/=$.,-]{16,300})"),  # of a directory: {SSHA}…
)


_LISTED = re.compile(r'\[\s{0,20}"|"\s{0,20},\s{0,20}"|"\s{0,20}\]')  # a command as its words
_AHEAD = 600  # characters from a word to what it speaks of; a line has no end that is sure to come
_SNMP = re.compile(
    r"""createuser[ ](?:-e[ ]\S+[ ])?\S{1,60}[ ](?:MD5|SHA[\w-]*)[ ]["']?(?P<auth>[^\s"']{4,100})["']?"""
    r"""(?:[ ](?:DES|3DES|AES[\w-]*)(?:[ ]["']?(?P<priv>[^\s"']{4,100}))?)?""",
    re.IGNORECASE,
)


def given(text: str, lower: bytes) -> Iterator[Given]:
    """Every password that a short option, or one of a login, gives away."""
    yield from _options(text, lower)
    if b', "-' in lower or b',"-' in lower:  # an option among the words of a list
        plain = _LISTED.sub(lambda found: " " * len(found[0]), text)
        yield from _options(plain, plain.encode("latin-1", "replace").lower() + b"\0\0")


def _options(text: str, lower: bytes) -> Iterator[Given]:
    at = lower.find(b" -")
    while at >= 0:
        if _may_take_one(lower, at + 2) and (span := _option(text, at + 1)):
            yield span
        at = lower.find(b" -", at + 2)


def given_near(text: str, at: int) -> Given | None:
    """What a program whose name or option speaks of passwords takes as a plain word."""
    if not _SPEAKS.search(text, max(0, at - 4), at + 16):
        return None
    begin = text.rfind("\n", max(0, at - 300), at) + 1 or max(0, at - 300)
    end = text.find("\n", at, at + _AHEAD)
    for pattern in _PLAIN:
        for span in _all(pattern, text, begin, end if end >= 0 else at + _AHEAD):
            return span
    return None


def placed_at(text: str, at: int) -> Given | None:
    """What a program takes after its name or after that of a user: net user bob …"""
    if text[at : at + 3] in ("/p:", "/rp") and not _WINDOWS_USER.search(line_before(text, at)):
        return None
    for pattern in _PLACED:
        if found := pattern.match(text, at):
            return _judged(found, "word")
    return None


def users_of_snmp(text: str, at: int) -> Iterator[Given]:
    """Both passwords of createUser bob SHA … AES …"""
    found = _SNMP.match(text, at)
    for group in ("auth", "priv") if found else ():
        if found and found[group]:
            yield (*found.span(group), "password")


def row_at(text: str, at: int) -> Given | None:
    """The password of a line of .pgpass, whose second colon stands here."""
    found = _PGPASS.match(text, at)
    if not found or not _PGHOST.search(text, max(0, at - 100), at):
        return None
    long = len(found["word"]) >= _LEAST_IN_ROW
    return (*found.span("word"), "password") if long and not is_path(found["word"]) else None


def _may_take_one(lower: bytes, at: int) -> bool:
    """The cheap half of the decision, by the letters of the option."""
    if lower[at] == _DASH:
        return b"user" in lower[at : at + 16] or lower[at + 1 : at + 5] in (
            b"auth",
            b"cook",
            b"cert",
        )
    return lower[at] in _LETTERS


_LETTERS = b"puawcbxnstkhe"
_TOKEN = re.compile(  # -t, -k and a UUID are no name of a machine
    r"""-[tkKH][ =]?["']?(?P<word>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-H )[0-9a-f]{32})(?![\w-])"""
)
_DASH = ord("-")


def _all(pattern: re.Pattern[str], text: str, begin: int = 0, end: int = 2**60) -> Iterator[Given]:
    for found in pattern.finditer(text, begin, min(end, len(text))):
        word = found["word"]
        if not is_reference(word) and len(word) >= SHORTEST and not stands_for_one(word):
            yield (*found.span("word"), "password")


def _option(text: str, at: int) -> Given | None:
    before = text[_begin_of_command(text, at) : at]
    letter = text[at + 1 : at + 2]
    if login := _LOGIN.match(text, at):
        return _login(login, before)
    if (crumb := _COOKIE.match(text, at)) and _runs(_LOGINS, before):
        return _judged(crumb, "word")
    if letter == "S" and (piped := _PIPED.search(before)):
        start = at - len(before) + piped.start("word")
        return start, start + len(piped["word"]), "password"
    if letter in "tkKH" and (token := _TOKEN.match(text, at)):
        return _judged(token, "word")
    return _word_of(text, at, letter, before)


def _begin_of_command(text: str, at: int) -> int:
    """Where the line begins, and the lines that go on in it."""
    floor = max(0, at - 300)
    begin = text.rfind("\n", floor, at)
    while begin > floor and text[begin - 1] == "\\":
        begin = text.rfind("\n", floor, begin)
    return max(begin + 1, floor)


def _login(login: re.Match[str], before: str) -> Given | None:
    """The password of name:password, or all of KEY:x, as many services take a key."""
    if not _runs(_LOGINS, before) and not _is_made_up(login["word"]):
        return None
    if login["user"].lower() in _ANYBODY and is_said_of_one(login["word"]):
        return None  # in a manual
    if is_drawn(login["user"], least=16):
        return login.start("user"), login.end("word"), "password"
    return _judged(login, "word")


def _is_made_up(word: str) -> bool:
    """Whether no group of users and no tag is called so."""
    mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return mixed and is_password(word, quoted=False) and not is_name_of_thing(word)


def _word_of(text: str, at: int, letter: str, before: str) -> Given | None:
    """The word that a short option takes, apart from it or joined to it."""
    apart = text[at + 2 : at + 3] in (" ", "\t")
    if text.startswith("-hp", at) and _runs("rar", before):
        word = _WORD.match(text, at + 3)
        return _judged(word, word.lastgroup or "bare") if word else None
    if not apart and letter not in "pP":
        return None
    place = at + 2
    while text[place : place + 1] in (" ", "\t"):
        place += 1
    if text.startswith(_OF_FIND, at):
        return None
    joined = _JOINED if letter == "p" else _JOINED_LARGE
    programs = _APART.get(letter) if apart else joined
    word = _WORD.match(text, place)
    if not word:
        return None
    if (programs and _runs(programs, before)) or (apart and _is_users(letter, before, word)):
        return _judged(word, word.lastgroup or "bare")
    return None


def _is_users(letter: str, before: str, word: re.Match[str]) -> bool:
    """Whether it follows the name of a user, whatever the program: -u bob -p …"""
    value = word[word.lastgroup or "bare"]
    if letter not in "pPwW" or "/" in value or _PORTS.fullmatch(value) or _FILE.search(value):
        return False
    if _runs(_ASKERS if letter == "W" else _LEVELS, before):
        return False
    users = _USER.search(before) is not None
    if not is_password(value, quoted=True):  # mysql -u bob -p shop asks for one
        return users and letter in "pP" and is_weak_password(value) and not _runs(_JOINED, before)
    return (
        users
        or is_phrase(value)
        or (is_of_three_kinds(value) and not is_name_of_thing(value) and not _OTHERS.search(before))
    )


_USER = re.compile(
    r"[ \t](?:-[uUl]|--user(?:name)?|--login)[ =]?[\"']?[A-Za-z][\w.@\\-]*[\"']?[ \t]"
)
_OTHERS = re.compile(
    r"\b(?:mkdir|cp|git|rsync|cargo|ssh|scp|run|nc|nmap|p?grep|ps|patch|install|tar|pip)\b"
)
_PORTS = re.compile(r"[\d.:\[\]-]+(?:/\w+)?")
_FILE = re.compile(r"\.(?:json|ya?ml|toml|conf|cfg|ini|xml|js|ts|py|txt|log|pem|key)$")
_LIST = re.compile(
    r"[\w:.-]{1,30}(?:,[\w:.-]{1,30})+,?(?:\.\.\.)?|[\w.]+:\d{2,5}(?::\w+)?"
)  # ports and hosts


def _judged(found: re.Match[str], group: str) -> Given | None:
    value = found[group]
    if is_reference(value) or is_path(value) or value.startswith("-") or len(value) < 4:
        return None
    if stands_for_one(value) or _LIST.fullmatch(value):
        return None
    return (*found.span(group), "password")


def _runs(programs: str, before: str) -> bool:
    return _program(programs).search(before) is not None


@cache
def _program(programs: str) -> re.Pattern[str]:
    return re.compile(_PROGRAM.format(programs))
