"""The words that may call what is near them secret, and one search for all of them.

The words that share a letter are looked for together, by that letter: one expression that begins
with a letter is four times as fast as one that begins with any of them, and as each word by itself
costs as much as a letter, six words cost what two did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aish.core.secrets.blocks import (
    braintree_at,
    dumped_at,
    identity_at,
    inline_at,
    key_set_at,
    manifest_at,
    putty_at,
)
from aish.core.secrets.codes import code_at, license_at, phrase_at, seed_at
from aish.core.secrets.columns import below
from aish.core.secrets.commands import given_near, placed_at, row_at
from aish.core.secrets.free import decoded, free_key_after, is_text
from aish.core.secrets.headers import authorization_at, cookie_at
from aish.core.secrets.linked import linked_at
from aish.core.secrets.links import SIGNATURE, address_at
from aish.core.secrets.logins import argument_at, inserted_at, mailbox_at, pair_at, said_before
from aish.core.secrets.named import (
    IDENTIFIED,
    assertion_at,
    community_at,
    named_at,
    network_key_at,
    next_line_at,
)
from aish.core.secrets.places import line_before
from aish.core.secrets.plain import strange
from aish.core.secrets.printed import printed_at
from aish.core.secrets.prose import told_at, told_key_at
from aish.core.secrets.randomness import is_drawn, is_hex
from aish.core.secrets.values import is_reference, is_said_of_one
from aish.core.values import dataclass

Found = tuple[int, int, str]  # start, end, family
Look = Callable[[str, int], Found | None]
Others = Callable[[str, int], Iterator[Found]]

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
        "publish routing salt otp validation local machine node validator aes des fernet hmac installation registration device feature relay agent network wifi wpa psk tls ssl pgp gpg"
    ).split()
)
_NOT_KEYS = (
    "public",
    "pub",
    "publishable",
    "primary",
    "foreign",
    "inchi",
    "cache",
    "sort",
    "partition",
    "host",
    "site",
)


@dataclass(frozen=True, slots=True)
class Name:
    """A word that may speak of a secret, and how to look whether it does."""

    word: str
    look: Look
    letter: str  # by which it is found
    after: str = ""  # what must follow it: an expression
    whole: bool = False  # not the end of a longer word, unless a capital begins it
    others: Others | None = None  # what to look for where nothing follows: a table, a manifest

    @property
    def expression(self) -> str:
        """What follows the letter, which fails at once, and only then what came before it."""
        at = self.word.index(self.letter)
        begun = f"(?<={re.escape(self.word)})" if at else ""
        return f"{re.escape(self.word[at + 1 :])}{begun}{self.after}()"


def spoken_of(text: str, lower: bytes) -> Iterator[Found]:
    """Every value that a word near it calls secret."""
    for search, names in _SEARCHES:
        found = search(lower, 0)
        while found:
            name, offset = names[(found.lastindex or 1) - 1]
            at, end = found.start() - offset, found.end()
            if name.whole and not _begins(text, at):
                found = search(lower, end)
                continue
            if value := name.look(text, at):
                yield value
                end = max(end, value[1])
            elif name.others:
                yield from name.others(text, at)
            found = search(lower, end)
    if not text.isascii():
        yield from _foreign(text)


def _begins(text: str, at: int) -> bool:
    """Whether a word begins here: dbPwd has one, cpwd has none."""
    before = text[at - 1 : at]
    return not before.isalpha() or (text[at].isupper() and before.islower())


def _foreign(text: str) -> Iterator[Found]:
    letters = strange(text)
    for word in (*_FOREIGN, *_FOREIGN_KEYS):
        at = text.find(word) if letters.issuperset(ch for ch in word if not ch.isascii()) else -1
        while at >= 0:
            if found := named_at(text, at) or _told_of(word, text, at + len(word)):
                yield found
            at = text.find(word, at + len(word))


def _told_of(word: str, text: str, end: int) -> Found | None:
    """What is told in another language, whatever the ending of the word."""
    return told_key_at(text, end) if word in _FOREIGN_KEYS else told_at(text, end)


def _other_password(text: str, at: int) -> Found | None:
    """The name of a password in a language that is written in these letters."""
    return named_at(text, at) or told_at(text, _NAME_END.match(text, at).end())  # type: ignore[union-attr]


def _short_password(text: str, at: int) -> Found | None:
    """pw, unless it is two letters of something in base64; adminpw is one."""
    before = text[max(0, at - 3) : at]
    joined = len(before) == 3 and before.isalpha() and before.islower()
    return _password(text, at) if joined or _begins(text, at) else None


def _password(text: str, at: int) -> Found | None:
    return (
        named_at(text, at)
        or given_near(text, at)
        or said_before(text, at)
        or next_line_at(text, at)
        or printed_at(text, at)
        or _row_or_argument(text, at)
        or _led_to(text, at)
    )


def _led_to(text: str, at: int) -> Found | None:
    """What the rest of the line leads to; `pass` alone is a verb, and leads to it by a sign only."""
    whole = _WORD_ENDS.match(text, at)
    if not whole:
        found = linked_at(text, at, strong=True)
        signed = found and _SIGN.search(text, at, found[0])
        return found if signed and not text[at - 1 : at].isspace() else None
    return linked_at(text, at, strong=True) or told_at(text, whole.end(), english=True)


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
    if found := printed_at(text, at):
        return found
    if found := linked_at(text, at, strong=False):
        return found
    free = free_key_after(text, at)
    return (*free, "assigned") if free else None


def _access_token(text: str, at: int) -> Found | None:
    """PAT, as makers call a personal access token; patterns and Pats are called so too."""
    return linked_at(text, at, strong=False)


def _key(text: str, at: int) -> Found | None:
    """A key is secret when the word before it says so, or when it could be nothing else."""
    if not _DRAWN_NEAR.search(text, max(0, at - _LINE), at + _LINE):
        return None
    before = text[max(0, at - 16) : at].rstrip("_-. ").lower()
    if before.endswith(_NOT_KEYS):
        return None
    if before.endswith(_SECRET_KEYS):
        return _token(text, at)
    if _NETWORK.search(line_before(text, at)) or text[at + 3 : at + 11].lower() == " content":
        return network_key_at(text, at)
    if not before[-1:].isalnum() and _PARENT.search(text, max(0, at - 40), at):
        return _token(text, at)
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


def _secure(text: str, at: int) -> Found | None:
    return _matched(_SECURE, "password")(text, at) or linked_at(text, at, strong=True)


def _secrets_of(text: str, at: int) -> Iterator[Found]:
    """Those of a manifest, or those in the column of this name."""
    yield from manifest_at(text, at)
    if text[text.rfind("\n", max(0, at - 80), at) + 1 :][:1] == "#":
        yield from below(text, at)


def _nothing(text: str, at: int) -> Found | None:
    del text, at
    return None


def _salt(text: str, at: int) -> Found | None:
    """What is mixed into sums that an application signs with."""
    found = linked_at(text, at, strong=False)
    return found if found and not is_hex(text[found[0] : found[1]]) else None


def _basic(text: str, at: int) -> Found | None:
    """A name and a password in base64, as a browser sends them."""
    found = _BASIC.match(text, at)
    return (*found.span(1), "bearer") if found and ":" in decoded(found[1]) else None


def _cookie(text: str, at: int) -> Found | None:
    return cookie_at(text, at) or linked_at(text, at, strong=False)


def _credentials(text: str, at: int) -> Found | None:
    return (
        authorization_at(text, at)
        or pair_at(text, at)
        or _argument(text, at)
        or linked_at(text, at, strong=False)
    )


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
_BASIC = re.compile(r"""(?i:basic) ["']?([A-Za-z0-9+/_-]{8,400}={0,2})(?![\w/+])""")
_NAME_END = re.compile(r"[^\W\d_]*")
_WORD_ENDS = re.compile(r"(?i)pass(?:wor[dt]|wd|phrase|code)|p(?:wd?|sk)")
_SIGN = re.compile(r"[:=,>]")
_SUFFIX_STARTS = "akvtsbpdlonruhei0-9"  # token_count is no token
_NO_WORD = rf"(?![a-z])(?!_[^{_SUFFIX_STARTS}])"
NAMES = (
    Name(
        "pass",
        _password,
        "p",
        rf"(?![ \t]*\r?[\n#])(?=w|phrase|code|key|e?s?(?![a-z]))(?!_[^{_SUFFIX_STARTS}])",
        others=below,
    ),
    Name("pwd", _password, "p", _NO_WORD, others=below),
    Name("pw", _short_password, "p", _NO_WORD, others=below),
    Name("pwgen", printed_at, "p"),
    Name("op read", printed_at, "p"),
    Name("op item get", printed_at, "p"),
    Name("openssl rand", printed_at, "p"),
    Name("kv get", printed_at, "k"),
    Name("keygen", printed_at, "k"),
    Name("genkey", printed_at, "k"),
    Name("genpsk", printed_at, "k"),
    Name("psk", named_at, "p", _NO_WORD, whole=True),
    Name("pin", code_at, "p", r"(?![a-bd-z])", whole=True),
    Name("pat", _access_token, "p", r"(?=[\"'`*)\] \t]{0,6}(?:[:=,|>]|[ \t]))", whole=True),
    Name("puk", code_at, "p", r"(?![a-z])", whole=True),
    Name("totp", _second_factor, "p"),
    Name("otp", code_at, "p", r"(?![a-z])", whole=True),
    Name("mdp", named_at, "p", r"(?![a-z])", whole=True),
    Name("parola", _other_password, "p"),
    Name("phrase", phrase_at, "p", whole=True),
    Name("bip39", phrase_at, "p"),
    Name("private-key", _unsealing, "p"),
    Name("private-lines", putty_at, "p"),
    Name("token$", braintree_at, "k"),
    Name("token", _token, "k", _NO_WORD),
    Name("kty", _nothing, "k", others=key_set_at),
    Name("cookie", _cookie, "k", r"(?![a-rt-z])"),
    Name("kennwort", _other_password, "k"),
    Name("wachtwoord", _other_password, "w"),
    Name("words", phrase_at, "w", r"(?=[\"' \t]*[:=(])", whole=True),
    Name("wif", _unsealing, "w", r"(?=[\"' \t]*[:=])", whole=True),
    Name("wifi:", _matched(_WIRELESS, "password"), "w"),
    Name("securestring", _secure, "c"),
    Name("clave", _other_password, "c", whole=True),
    Name("licen", license_at, "c"),
    Name("serial", license_at, "s", r"(?=\W{1,4}[a-z0-9]{4,8}-)"),
    Name(
        "secret",
        _token,
        "c",
        rf"(?![b-hjl-rtuw-z]|i(?!ds?\b))(?!_[^{_SUFFIX_STARTS}])",
        others=_secrets_of,
    ),
    Name("cred", _credentials, "c", r"(?![a-df-rt-z])"),
    Name("code", code_at, "c", r"(?=s?[\"')]?[ \t:=\n\0.,!])"),
    Name("connect", _argument, "c", r"(?=\w{0,16}[ \t]?\()"),
    Name("community", community_at, "c"),
    Name("contrase", _other_password, "c"),
    Name("mnemonic", phrase_at, "c"),
    Name("authenticator", _second_factor, "c"),
    Name("2fa", _second_factor, "f"),
    Name("mfa", _second_factor, "f", whole=True),
    Name("auth-user-pass>", inline_at, "u"),
    Name("auth", _credentials, "u", r"(?![a-np-z]|ors?(?![a-z])|_sock)"),
    Name("unseal", _unsealing, "u"),
    Name("authorize", _unsealing, "u", r"(?=[- ])"),
    Name("nickserv", placed_at, "k"),
    Name("net use ", placed_at, "u"),
    Name("login", _login, "g"),
    Name("sig", _matched(SIGNATURE, "signature"), "g", r"(?![a-mo-z])"),
    Name("@", mailbox_at, "@", r"(?=[a-z0-9-]+(?:\.[a-z0-9-]+)+:[^\s:/@]{6})"),
    Name("://", address_at, ":"),
    Name(":0:", identity_at, ":"),
    Name(":::", dumped_at, ":"),
    Name("oracle:", placed_at, ":", "(?=thin|oci)"),
    Name(":", row_at, ":", r"(?=(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:[^\s:]{4})"),
    Name(
        "{",
        placed_at,
        "{",
        r"(?=(?:plain|clear|cleartext|none)\}|(?<=>.)[a-z0-9+/]{22,400}={0,2}\}<|s?sha\d{0,3}\}|s?md5\}|crypt\}|pbkdf2|argon2|bcrypt\}|scram)",
    ),
    Name("net user ", placed_at, "u"),
    Name("add_user ", placed_at, "u"),
    Name("/user:", placed_at, "u"),
    Name("sqlplus ", placed_at, "p"),
    Name("impdp ", placed_at, "p"),
    Name("expdp ", placed_at, "p"),
    Name("http-basic", placed_at, "p"),
    Name("from-literal", placed_at, "f"),
    Name("identified by", _matched(IDENTIFIED, "password"), "f"),
    Name("samlre", assertion_at, "s"),
    Name("seed", phrase_at, "s", r"(?=[\"' ]*[:=][\"' ]*[a-z]{3,8} [a-z]{3,8} )"),
    Name("lozinka", _other_password, "k"),
    Name("zugangsdaten", pair_at, "g"),
    Name("salasana", _other_password, "s"),
    Name("adgangskode", _other_password, "k"),
    Name("kodeord", _other_password, "k"),
    Name("kata sandi", _other_password, "k"),
    Name("passord", _other_password, "p"),
    Name("geslo", _other_password, "g"),
    Name("palavra-passe", _other_password, "p"),
    Name("salt", _salt, "s", r"(?=[\"'\]]{0,2}[ \t]{0,4}[:=,])"),
    Name("basic ", _basic, "c"),
    Name("/p:", placed_at, "p"),
    Name("/rp ", placed_at, "p"),
    Name("mc alias set", placed_at, "c"),
    Name("heslo", _other_password, "s"),
    Name("senha", _other_password, "s"),
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
    "ароль", "密", "口令", "パスワ", "비밀", "ösenord", "hasł", "Hasł", "şifre", "Şifre", "jelsz",
    "κωδικ", "пін", "सवर्ड", "รหัสผ่าน", "كلمة", "סיסמ", "ật khẩu", "лозинк", "õifr", "slaptažod", "parool",
    "palavra-passe", "mật mã", "şifrə", "рамз", "құпия",
)  # fmt: skip
_FOREIGN_KEYS = (
    "токен", "ключ", "Ключ", "Токен", "密钥", "密鑰", "令牌", "金鑰", "トークン", "キー", "토큰", "키", "chlüssel", "clé", "Clé",
    "llave", "κλειδί", "مفتاح", "מפתח", "कुंजी",
)  # fmt: skip
_DRAWN_NEAR = re.compile(r"\d|[A-Za-z]{16}")  # without either, no key stands there
_PARENT = re.compile(
    r"(?i)(?:crypt\w*|secret\w*|auth|api|cipher|jwt|hmac|sign\w*)[\"']?\s*(?:=>|[:=])\s*[\[({]?\s*[\"'-]*\s*$"
)
_NETWORK = re.compile(r"(?i)wireless|wi-?fi|isakmp|tacacs|radius|wpa|network[ _-]$|^\s*option\s*$")
_ENVIRONMENT_KEY = re.compile(r"[A-Z0-9_]{2,40}_$")


Search = Callable[[bytes, int], re.Match[bytes] | None]


def _searches() -> tuple[tuple[Search, tuple[tuple[Name, int], ...]], ...]:
    """One search for each letter, with the words it finds and where the letter stands in them."""
    groups: dict[str, list[Name]] = {}
    for name in (*NAMES, _KEY):
        groups.setdefault(name.letter, []).append(name)
    return tuple(
        (
            re.compile(
                f"{re.escape(letter)}(?:{'|'.join(name.expression for name in names)})".encode()
            ).search,
            tuple((name, name.word.index(letter)) for name in names),
        )
        for letter, names in groups.items()
    )


_SEARCHES = _searches()
