"""The words that may call what is near them secret, and one search for all of them.

The words that share a letter are looked for together, by that letter: one expression that begins
with a letter is four times as fast as one that begins with any of them, and as each word by itself
costs as much as a letter, six words cost what two did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aish.core.secrets.codes import code_at, license_at, phrase_at, seed_at
from aish.core.secrets.columns import below
from aish.core.secrets.commands import given_near, placed_at, row_at
from aish.core.secrets.free import free_key_after, is_text
from aish.core.secrets.headers import authorization_at, cookie_at
from aish.core.secrets.links import SIGNATURE, address_at
from aish.core.secrets.logins import argument_at, inserted_at, pair_at, said_before
from aish.core.secrets.named import (
    IDENTIFIED,
    assertion_at,
    community_at,
    named_at,
    network_key_at,
    next_line_at,
)
from aish.core.secrets.places import line_before
from aish.core.secrets.randomness import is_drawn, is_hex
from aish.core.secrets.values import is_reference, is_said_of_one
from aish.core.values import dataclass

Found = tuple[int, int, str]  # start, end, family
Look = Callable[[str, int], Found | None]

_LINE = 80  # how far a word speaks
# A key is secret when the word before it says so; primary, cache, public and foreign keys are not.
_SECRET_KEYS = tuple(
    (
        "api access secret private account auth encryption encrypt signing sign master session "
        "client app application service license licence subscription storage deploy shared "
        "consumer admin stripe openai root jwt hmac crypt cipher ssh bot write read ingest project "
        "priv wallet preshared webhook decryption integration server rest unseal recovery unlock "
        "backup product activation serial provisioning pairing escrow bitlocker enrollment join "
        "setup user host-only team org tenant merchant partner publishable-secret vendor sdk "
        "sending mail smtp sms push notification payment gateway my your this license-file "
        "node validator aes des fernet hmac installation registration device feature relay agent network wifi wpa psk tls ssl pgp gpg"
    ).split()
)
_NOT_KEYS = ("public", "publishable", "primary", "foreign", "cache", "sort", "partition", "host")


@dataclass(frozen=True, slots=True)
class Name:
    """A word that may speak of a secret, and how to look whether it does."""

    word: str
    look: Look
    letter: str  # by which it is found
    after: str = ""  # what must follow it: an expression
    whole: bool = False  # not the end of a longer word, unless a capital begins it

    @property
    def offset(self) -> int:
        return self.word.index(self.letter)

    @property
    def expression(self) -> str:
        at = self.offset
        begun = f"(?<={re.escape(self.word[: at + 1])})" if at else ""
        return f"{begun}{re.escape(self.word[at + 1 :])}{self.after}()"


def spoken_of(text: str, lower: bytes) -> Iterator[Found]:
    """Every value that a word near it calls secret."""
    for search, names in _SEARCHES:
        found = search(lower, 0)
        while found:
            name = names[(found.lastindex or 1) - 1]
            at, end = found.start() - name.offset, found.end()
            if name.whole and not _begins(text, at):
                found = search(lower, end)
                continue
            if value := name.look(text, at):
                yield value
                end = max(end, value[1])
            elif name.look is _password:
                yield from below(text, at)
            found = search(lower, end)
    if not text.isascii():
        yield from _foreign(text)


def _begins(text: str, at: int) -> bool:
    """Whether a word begins here: dbPwd has one, cpwd has none."""
    before = text[at - 1 : at]
    return not before.isalpha() or (text[at].isupper() and before.islower())


def _foreign(text: str) -> Iterator[Found]:
    for word in _FOREIGN:
        at = text.find(word)
        while at >= 0:
            if found := named_at(text, at):
                yield found
            at = text.find(word, at + len(word))


def _password(text: str, at: int) -> Found | None:
    return (
        named_at(text, at)
        or given_near(text, at)
        or said_before(text, at)
        or next_line_at(text, at)
        or _row_or_argument(text, at)
    )


def _row_or_argument(text: str, at: int) -> Found | None:
    line = text[at : at + _LINE]
    if "(" in line and (argument := argument_at(text, at)):
        return argument
    return inserted_at(text, at) if ")" in line or "," in line else None


def _token(text: str, at: int) -> Found | None:
    """What is assigned to it, or the next drawn word of the line."""
    if _PAGES.search(text, max(0, at - 60), at):
        return None
    if found := named_at(text, at):
        return found
    if found := seed_at(text, at, at + _LINE) or next_line_at(text, at):
        return found
    free = free_key_after(text, at)
    return (*free, "assigned") if free else None


def _key(text: str, at: int) -> Found | None:
    """A key is secret when the word before it says so, or when it could be nothing else."""
    before = text[max(0, at - 16) : at].rstrip("_-. ").lower()
    if before.endswith(_NOT_KEYS):
        return None
    if before.endswith(_SECRET_KEYS):
        return _token(text, at)
    if _NETWORK.search(line_before(text, at)):
        return network_key_at(text, at)
    return seed_at(text, at, at + _LINE) or license_at(text, at) or _other_key(text, at)


def _other_key(text: str, at: int) -> Found | None:
    found = named_at(text, at)
    if not found:
        return None
    variable = text[at].isupper() and _ENVIRONMENT_KEY.search(text, max(0, at - 40), at)
    return found if variable or _is_drawn_key(text[found[0] : found[1]]) else None


def _is_drawn_key(value: str) -> bool:
    body = value.removeprefix("base64:")
    if (
        any(is_hex(part) and len(part) >= 16 for part in body.split("-"))
        or is_text(body)
        or body.startswith(("AAAA", "MII", "ssh-"))
        or "/" in body[:2]
    ):
        return False
    return is_drawn(body, least=24) and not body.islower()


def _credentials(text: str, at: int) -> Found | None:
    return authorization_at(text, at) or pair_at(text, at) or _argument(text, at)


def _login(text: str, at: int) -> Found | None:
    return pair_at(text, at) or _argument(text, at)


def _argument(text: str, at: int) -> Found | None:
    return argument_at(text, at) if "(" in text[at : at + 24] else None


def _unsealing(text: str, at: int) -> Found | None:
    free = free_key_after(text, at)
    return (*free, "assigned") if free else None


def _second_factor(text: str, at: int) -> Found | None:
    return seed_at(text, at, at + _LINE) or _unsealing(text, at)


def _matched(pattern: re.Pattern[str], family: str) -> Look:
    """A look by an expression that needs no further proof, unless it only finds a reference."""

    def look(text: str, at: int) -> Found | None:
        found = pattern.match(text, at)
        if not found or is_reference(found[1]) or is_said_of_one(found[1]):
            return None
        return (*found.span(1), family)

    return look


_WIRELESS = re.compile(r"(?i:wifi:)(?:[STH]:[^;\n]{0,64};){0,3}P:([^;\n]{4,64});")
_SECURE = re.compile(r"""(?i:securestring)\W{1,4}(?:-String[ ])?["']([^"'\n]{4,200})["']""")
_SUFFIX_STARTS = "akvtsbpdlonruhei0-9"  # token_count is no token
_NO_WORD = rf"(?![a-z])(?!_[^{_SUFFIX_STARTS}])"
_NAMES = (
    Name("pass", _password, "p", rf"(?![abdf-jl-oq-vx-z])(?!_[^{_SUFFIX_STARTS}])"),
    Name("pwd", _password, "p", _NO_WORD),
    Name("pw", _password, "p", _NO_WORD),
    Name("psk", named_at, "p", _NO_WORD, whole=True),
    Name("pin", code_at, "p", r"(?![a-bd-z])", whole=True),
    Name("puk", code_at, "p", r"(?![a-z])", whole=True),
    Name("totp", _second_factor, "p"),
    Name("otp", code_at, "p", r"(?![a-z])", whole=True),
    Name("mdp", named_at, "p", r"(?![a-z])", whole=True),
    Name("parola", named_at, "p", _NO_WORD),
    Name("phrase", phrase_at, "p", whole=True),
    Name("bip39", phrase_at, "p"),
    Name("private-key", _unsealing, "p"),
    Name("token", _token, "k", _NO_WORD),
    Name("cookie", cookie_at, "k", r"(?![a-rt-z])"),
    Name("kennwort", named_at, "k"),
    Name("wachtwoord", named_at, "w"),
    Name("words", phrase_at, "w", r"(?=[\"' \t]*[:=(])", whole=True),
    Name("wif", _unsealing, "w", r"(?=[\"' \t]*[:=])", whole=True),
    Name("wifi:", _matched(_WIRELESS, "password"), "w"),
    Name("securestring", _matched(_SECURE, "password"), "c"),
    Name("clave", named_at, "c", _NO_WORD, whole=True),
    Name("licen", license_at, "c"),
    Name("serial", license_at, "i", r"(?=\W{1,4}[a-z0-9]{4,8}-)"),
    Name("secret", _token, "c", rf"(?![b-jl-rtuw-z])(?!_[^{_SUFFIX_STARTS}])"),
    Name("cred", _credentials, "c", r"(?![a-df-rt-z])"),
    Name("code", code_at, "c", r"(?=s?[\"')]?[ \t:=\n])"),
    Name("connect", _argument, "c", r"(?=\w{0,16}[ \t]?\()"),
    Name("community", community_at, "c"),
    Name("contrase", named_at, "c"),
    Name("mnemonic", phrase_at, "c"),
    Name("authenticator", _second_factor, "c"),
    Name("2fa", _second_factor, "2"),
    Name("mfa", _second_factor, "f", whole=True),
    Name("auth", _credentials, "u", r"(?![a-np-z])"),
    Name("unseal", _unsealing, "u"),
    Name("login", _login, "g"),
    Name("sig", _matched(SIGNATURE, "signature"), "g", r"(?![a-mo-z])"),
    Name("://", address_at, ":"),
    Name("oracle:", placed_at, ":", "(?=thin|oci)"),
    Name(":", row_at, ":", r"(?=(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:[^\s:]{4})"),
    Name("{", placed_at, "{", r"(?=s?sha\d{0,3}\}|s?md5\}|crypt\}|pbkdf2|argon2|bcrypt\}|scram)"),
    Name("net user ", placed_at, "u"),
    Name("add_user ", placed_at, "u"),
    Name("/user:", placed_at, "u"),
    Name("sqlplus ", placed_at, "q"),
    Name("impdp ", placed_at, "p"),
    Name("expdp ", placed_at, "p"),
    Name("http-basic", placed_at, "p"),
    Name("from-literal", placed_at, "f"),
    Name("identified by", _matched(IDENTIFIED, "password"), "y"),
    Name("samlre", assertion_at, "m"),
    Name("seed", phrase_at, "d", r"(?=[\"' ]*[:=][\"' ]*[a-z]{3,8} [a-z]{3,8} )"),
    Name("lozinka", named_at, "z"),
    Name("zugangsdaten", pair_at, "z"),
    Name("heslo", named_at, "h"),
    Name("senha", named_at, "h"),
)
_KEY = Name(
    "key",
    _key,
    "k",
    r"(?:(?<=[a-z_\-. ]key)(?![ac-rt-z])(?!_[^bvtdi0-9])|(?<![a-z]key)(?=[\"']?\]?[ \t]{0,3}[:=]>?[ \t]{0,3}[\"'][\w+/=:.-]{24}))",
)
# What only says where a list goes on, and the names of secrets kept elsewhere.
_PAGES = re.compile(
    r"(?i)(?:next|page|pagination|continuation|sync|change|public[_-]?key)[_-]?$|arn:aws\S*$"
)
_FOREIGN = (
    "ароль", "密", "口令", "パスワ", "비밀", "lösenord", "hasło", "Hasło", "şifre", "Şifre", "jelszó",
    "κωδικός", "пін", "सवर्ड", "รหัสผ่าน", "كلمة", "סיסמ",
)  # fmt: skip
_NETWORK = re.compile(r"(?i)wireless|wi-?fi|isakmp|tacacs|radius|wpa|network[ _-]$|^\s*option\s*$")
_ENVIRONMENT_KEY = re.compile(r"[A-Z0-9_]{2,40}_$")


def _searches() -> tuple[
    tuple[Callable[[bytes, int], re.Match[bytes] | None], tuple[Name, ...]], ...
]:
    groups: dict[str, list[Name]] = {}
    for name in (*_NAMES, _KEY):
        groups.setdefault(name.letter, []).append(name)
    return tuple(
        (
            re.compile(
                f"{re.escape(letter)}(?:{'|'.join(name.expression for name in names)})".encode()
            ).search,
            tuple(names),
        )
        for letter, names in groups.items()
    )


_SEARCHES = _searches()
