"""How it is looked whether a word that may call something secret does: one function for each kind of word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aish.core.secrets.blocks import manifest_at
from aish.core.secrets.codes import license_at, seed_at
from aish.core.secrets.columns import below
from aish.core.secrets.commands import given_near
from aish.core.secrets.found import Found
from aish.core.secrets.free import decoded, free_key_after, is_text
from aish.core.secrets.headers import authorization_at, cookie_at
from aish.core.secrets.linked import linked_at
from aish.core.secrets.logins import argument_at, inserted_at, pair_at, said_before
from aish.core.secrets.named import is_other_word, named_at, network_key_at, next_line_at
from aish.core.secrets.places import begins_word, line_before
from aish.core.secrets.printed import printed_at
from aish.core.secrets.prose import phrase_told_at, told_at, told_key_at
from aish.core.secrets.randomness import is_drawn, is_hex
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import is_label, is_said_of_one

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
        "publish routing salt otp validation local machine node validator aes des fernet hmac installation registration device feature relay agent network wifi wpa psk tls ssl pgp gpg"
    ).split()
)
_NOT_KEYS = (
    "idempotency",
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
_IN_KEY = re.compile(r"[A-Za-z0-9+/]{12,}$")


def other_password_at(text: str, at: int) -> Found | None:
    """The name of a password in a language that is written in these letters."""
    end = _NAME_END.match(text, at).end()  # type: ignore[union-attr]
    return named_at(text, at) or told_at(text, end) or phrase_told_at(text, end)


def short_password_at(text: str, at: int) -> Found | None:
    """pw, unless it is two letters of something in base64; adminpw is one."""
    if _IN_KEY.search(text, max(0, at - 24), at):
        return None  # the last letters of a sum
    before = text[max(0, at - 3) : at]
    joined = len(before) == 3 and before.isalpha() and before.islower()
    return password_at(text, at) if joined or begins_word(text, at) else None


def password_at(text: str, at: int) -> Found | None:
    if is_other_word(text, at):
        return None
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
        if text.startswith(":", at + 4):
            found = found or phrase_told_at(text, at + 4)
        signed = found and _SIGN.search(text, at, found[0])
        return found if signed and not text[at - 1 : at].isspace() else None
    return (
        linked_at(text, at, strong=True)
        or told_at(text, whole.end(), english=not text.startswith("passe", at))
        or phrase_told_at(text, whole.end(), english=True)
    )


def _row_or_argument(text: str, at: int) -> Found | None:
    line = text[at : at + _LINE]
    if "(" in line and (argument := argument_at(text, at)):
        return argument
    return inserted_at(text, at) if ")" in line or "," in line else None


def token_at(text: str, at: int) -> Found | None:
    """What is assigned to it, or the next drawn word of the line."""
    if _PAGES.search(text, max(0, at - 60), at):
        return None
    return (
        named_at(text, at)
        or seed_at(text, at, at + _LINE)
        or next_line_at(text, at)
        or printed_at(text, at)
        or linked_at(text, at, strong=False)
        or _quoted_phrase_at(text, at)
        or drawn_after(text, at)
    )


def _quoted_phrase_at(text: str, at: int) -> Found | None:
    """secret: "…", with words drawn for it."""
    told = phrase_told_at(text, at + 6) if text.startswith("secret", at) else None
    return told if told and text[told[0] - 1] in "\"'" else None


def told_token_at(text: str, at: int) -> Found | None:
    """A key or token as other languages call it: jeton, chiave."""
    end = _NAME_END.match(text, at).end()  # type: ignore[union-attr]
    return told_key_at(text, end)


def access_token_at(text: str, at: int) -> Found | None:
    """PAT, as makers call a personal access token; patterns and Pats are called so too."""
    return linked_at(text, at, strong=False)


def key_at(text: str, at: int) -> Found | None:
    """A key is secret when the word before it says so, or when it could be nothing else."""
    if not _DRAWN_NEAR.search(text, max(0, at - _LINE), at + _LINE):
        return None
    before = text[max(0, at - 16) : at].rstrip("_-. ").lower()
    if before.endswith(_NOT_KEYS):
        return None
    if before.endswith(_SECRET_KEYS):
        return token_at(text, at)
    if _NETWORK.search(line_before(text, at)) or text[at + 3 : at + 11].lower().startswith(
        (" content", "-string")
    ):
        return network_key_at(text, at)
    if not before[-1:].isalnum() and _PARENT.search(text, max(0, at - 40), at):
        return token_at(text, at)
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


def secure_at(text: str, at: int) -> Found | None:
    return matched(_SECURE, "password")(text, at) or linked_at(text, at, strong=True)


def secrets_of(text: str, at: int) -> Iterator[Found]:
    """Those of a manifest, or those in the column of this name."""
    yield from manifest_at(text, at)
    if text.startswith("#", text.rfind("\n", max(0, at - 80), at) + 1):
        yield from below(text, at)


def nothing_at(text: str, at: int) -> Found | None:
    del text, at
    return None


def salt_at(text: str, at: int) -> Found | None:
    """What is mixed into sums that an application signs with."""
    found = linked_at(text, at, strong=False)
    return found if found and not is_hex(text[found[0] : found[1]]) else None


def basic_at(text: str, at: int) -> Found | None:
    """A name and a password in base64, as a browser sends them."""
    found = _BASIC.match(text, at)
    return (*found.span(1), "bearer") if found and ":" in decoded(found[1]) else None


def any_cookie_at(text: str, at: int) -> Found | None:
    return cookie_at(text, at) or linked_at(text, at, strong=False)


def credentials_at(text: str, at: int) -> Found | None:
    return (
        authorization_at(text, at)
        or pair_at(text, at)
        or call_at(text, at)
        or linked_at(text, at, strong=False)
        or next_line_at(text, at)
    )


def login_at(text: str, at: int) -> Found | None:
    return pair_at(text, at) or call_at(text, at)


def call_at(text: str, at: int) -> Found | None:
    return argument_at(text, at) if "(" in text[at : at + 24] else None


def drawn_after(text: str, at: int) -> Found | None:
    free = free_key_after(text, at)
    return (*free, "assigned") if free else None


def second_factor_at(text: str, at: int) -> Found | None:
    return seed_at(text, at, at + _LINE) or drawn_after(text, at)


def matched(pattern: re.Pattern[str], family: str) -> Look:
    """A look by an expression that needs no further proof, unless it only finds a reference."""

    def look(text: str, at: int) -> Found | None:
        found = pattern.match(text, at)
        if not found or is_reference(found[1]) or is_said_of_one(found[1]) or is_label(found[1]):
            return None
        return (*found.span(1), family)

    return look


EAP = re.compile(r"""(?i:eap|xauth)[ \t]+["']([^"'\n]{4,200})["']""")
APP_KEY = re.compile(r"(?<![;,])base64:([A-Za-z0-9+/]{43}=)")
RESULT = re.compile(
    r"""random_password[\s\S]{0,300}?\bresult["']?[ \t]*[:=][ \t]*["']([^"'\n]{4,200})["']"""
)
RADTEST = re.compile(r"""radtest(?: -\w+)* \S{1,60} ["']?([^\s"']{4,100})["']?""")
SESSION = re.compile(r"_session=([\w%.-]{24,400})")
HASH = re.compile(r"(?i:ntlm|lm)(?:[ \t]*hash)?[ \t]*[:=][ \t]*([0-9a-fA-F]{32})(?![0-9a-fA-F])")
EXPECTED = re.compile(
    r"""(?i)assword[\s\S]{0,60}?\bsend\w*(?:[ \t]+--)?[ \t(]{1,3}["']([^"'\\\n]{4,200})"""
)
RELAY = re.compile(
    r"\]:(?:\d{2,5}|smtps?|submissions?)[ \t]+[^\s:]{1,100}:([^\s:/]{6,200})[ \t]*(?=\r?\n|$)"
)
FERNET = re.compile(r"""(?i:fernet)\(b?["']([\w-]{43}=)""")
FTP = re.compile(r"ftp(?:> | -\w{1,6} [^\n]{1,80}\n)user \S{1,60} (\S{4,100})")
ACCOUNTS = re.compile(r"""accounts["']?[ \t]*:[ \t]*\[\s{0,8}["']((?:0x)?[0-9a-fA-F]{64})["']""")
WIRELESS = re.compile(r"(?i:wifi:)(?:[STH]:[^;\n]{0,64};){0,3}P:([^;\n]{4,64});")
_SECURE = re.compile(
    r"""(?i:securestring)(?:["'][ \t]*[:=][ \t]*|\W{0,2}[ (]|[ ]-String[ ])["']([^"'\n]{4,200})["'](?!\s*:)"""
)
_BASIC = re.compile(r"""(?i:basic) ["']?([A-Za-z0-9+/_-]{8,400}={0,2})(?![\w/+])""")
_NAME_END = re.compile(r"[^\W\d_]{0,20}")
_WORD_ENDS = re.compile(r"(?i)pass(?:wor[dt]|wd|phrase|code)|p(?:wd?|sk)")
_SIGN = re.compile(r"[:=,>]")
# What only says where a list goes on, and the names of secrets kept elsewhere.
_PAGES = re.compile(
    r"(?i)(?:next|page|pagination|continuation|sync|change|starting|forward|backward|sequence|request|idempotency|lock|skip"
    r"|marker|cursor|public[_-]?key)[_-]?$|(?:checksum|hash(?:ed)?)[/_]$|arn:aws\S*$"
)
_DRAWN_NEAR = re.compile(r"\d|[A-Za-z]{16}")  # without either, no key stands there
_PARENT = re.compile(
    r"(?i)(?:crypt\w*|secret\w*|auth|api|cipher|jwt|hmac|sign\w*)[\"']?\s*(?:=>|[:=])\s*[\[({]?\s*[\"'-]*\s*$"
)
_NETWORK = re.compile(r"(?i)wireless|wi-?fi|isakmp|tacacs|radius|wpa|network[ _-]$|^\s*option\s*$")
_ENVIRONMENT_KEY = re.compile(r"[A-Z0-9_]{2,40}_$")
