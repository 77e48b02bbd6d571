"""Secrets that span lines or are known by what is around them: keys, hashes, manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator

Block = tuple[int, int, str]  # start, end, family

_DASHES = "----"
_DASHES_END = re.compile("-*")
_PRIVATE = r"(?:(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1|(?:[A-Z0-9]+ )*(?:SECRET|SHARED|LICEN[SC]E)(?: KEY)?)"
_PEM = re.compile(
    rf"-{{4,5}} ?BEGIN {_PRIVATE} ?-{{4,5}}"
    rf"(?:.{{0,16384}}?-{{4,5}} ?END {_PRIVATE} ?-{{4,5}}|[\sA-Za-z0-9+/=\\:,.-]*)",
    re.DOTALL,
)
_PEM_END = re.compile(rf"-{{4,5}} ?END {_PRIVATE} ?-{{4,5}}")
_PEM_BODY = re.compile(r"MI[A-Za-z0-9+/]{4}|(?=[A-Za-z0-9+/]*[a-z0-9][A-Z])[A-Za-z0-9+/]{6}")
_BODY_LINE = re.compile(r"[ \t>+|\d:]{0,12}[A-Za-z0-9+/=]{16,80}\r?$")
_PUTTY = re.compile(r"(?i:private)-Lines: \d{1,4}((?:\r?\n[ \t]*[A-Za-z0-9+/=]+)+)")
_JWK = re.compile(
    r"""["'](?:d|p|q|dp|dq|qi|k)["']\s{0,4}:\s{0,4}["']([A-Za-z0-9_-]{16,2000})["']"""
)
_JWK_REACH = 4000
_REACH_OF_SIGN = 300
_IDENTITY = re.compile(r"\b[0-9a-f]{10}:0:[0-9a-f]{128}:([0-9a-f]{128})")  # of ZeroTier
_BRAINTREE = re.compile(r"token\$\w{4,12}\$[a-z0-9]{16}\$[0-9a-f]{32}")
_INLINE = re.compile(r"auth-user-pass>\s*\n[^\n]{1,100}\n([^\n]{4,200})\n</auth-user-pass>")
_DUMPED = re.compile(
    r":\d{3,10}:(?:[0-9a-fA-F]{32}|\*|NO PASSWORD\*+):([0-9a-fA-F]{32}):::"
)  # pwdump
_HASHED = re.compile(
    r"\$(?=[^$]{1,12}\$)(?:[156PH]|1c|y|gy|7|2[abxy]|apr1|sha1|md5|argon2\w{1,2}|scrypt|pbkdf2[\w-]*|bcrypt[\w-]*)\$"
    r"[A-Za-z0-9./+=,$-]{20,300}"
)
_SCRAM = re.compile(r"SCRAM-SHA-(?:1|256|512)\$\d{1,7}:[A-Za-z0-9+/=$:]{40,300}")
_MANIFEST = re.compile(r"""["']?kind["']?\s{0,4}:\s{0,4}["']?Secret\b""")
_MANIFEST_VALUES = re.compile(
    r"""(?m:^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*\n)"""
    r"""(?P<lines>(?:(?P=indent)[ \t]+[^\n]+\n?)+)"""
    r"""|["'](?:data|stringData)["']\s{0,4}:\s{0,4}\{(?P<inner>[^{}]*)\}"""
)
_MANIFEST_VALUE = re.compile(r"""["']?[\w.-]+["']?:[ \t]*["']?(?P<value>[^\s"',|>][^\s"',]{3,})""")
_NUMBERS = re.compile(r"\[\s{0,4}(\d{1,3}(?:,\s{0,4}\d{1,3}){31,63})\s{0,4}\]")
_REACH_OF_NUMBERS = 400
_SCRATCH = re.compile(r"(?i)totp_auth[ \t]*\r?\n((?:\d{8}[ \t]*(?:\r?\n|$)){1,20})")
_REACH = 4000
_LONG = b"A" * 100
_ENCODED = bytes(
    ord("A") if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "+/=") else ord(" ")
    for code in range(256)
)
# What a name says of what is in it, up to the value.
_HOLDS_KEYS = re.compile(
    r"(?i)[\w.-]*(?:key|kube_?config|keystore|jks|p12|pfx|p8|credential|secret|token|service_?account|dockerconfig|keytab)[\w.-]*"
    r"[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?$"
)
_HOLDS_NONE = re.compile(
    r"(?i)pub|cert|host_?key|authorized|licen[sc]e|sort|primary|partition|cache|page|cursor|next|continu|sig|hash|keyboard|keyring|token_?(?:id|ize)"
)


def blocks(text: str) -> Iterator[Block]:
    """The keys that stand between dashes, and the hashes of passwords."""
    if _DASHES in text and ("BEGIN" in text or "END" in text):
        yield from _pem(text)
    if "SCRAM-SHA-" in text:
        for scram in _SCRAM.finditer(text):
            yield (*scram.span(), "password-hash")
    if "$" in text:
        for found in _HASHED.finditer(text):
            yield (*found.span(), "password-hash")


def putty_at(text: str, at: int) -> Block | None:
    """The private lines of a key of PuTTY, whose number is named here."""
    found = _PUTTY.match(text, at)
    return (*found.span(1), "private-key") if found else None


def identity_at(text: str, at: int) -> Block | None:
    """The secret half of an identity of ZeroTier; its :0: stands here."""
    found = _IDENTITY.search(text, max(0, at - 10), at + _REACH_OF_SIGN)
    return (*found.span(1), "private-key") if found else None


def dumped_at(text: str, at: int) -> Block | None:
    """The hash of a password as pwdump writes it; its line ends with the ::: here."""
    found = _DUMPED.search(text, max(0, at - 80), at + 3)
    return (*found.span(1), "password-hash") if found else None


def inline_at(text: str, at: int) -> Block | None:
    """The password between the tags of OpenVPN."""
    found = _INLINE.match(text, at)
    return (*found.span(1), "password") if found else None


def braintree_at(text: str, at: int) -> Block | None:
    found = _BRAINTREE.match(text, at)
    return (*found.span(), "assigned") if found else None


def _pem(text: str) -> Iterator[Block]:
    at, done = text.find(_DASHES), 0
    while at >= 0:
        if whole := _PEM.match(text, at):
            if _PEM_BODY.search(text, *whole.span()):
                yield (*whole.span(), "private-key")
            done = whole.end()
        elif tail := _PEM_END.match(text, at):
            start = _begin_of_tail(text, at, done)
            if start < at:
                yield (start, tail.end(), "private-key")
            done = tail.end()
        else:
            done = max(at + 1, _DASHES_END.match(text, at).end() - 5)  # type: ignore[union-attr]
        at = text.find(_DASHES, done)


def _begin_of_tail(text: str, end: int, floor: int) -> int:
    """Where the lines of a key begin whose head is not in the text: tail -5 id_rsa."""
    start = end
    while start > floor:
        line = text.rfind("\n", floor, start - 1) + 1 or floor
        if not _BODY_LINE.match(text[line : start - 1]):
            break
        start = line
    return start


def key_set_at(text: str, at: int) -> Iterator[Block]:
    """The secret numbers of a JSON web key, whose kty is here."""
    if text[at - 1 : at] not in ('"', "'"):
        return
    end = at + _JWK_REACH
    opened = text.rfind("{", max(0, at - _JWK_REACH), at)
    closed = text.find("}", at, end)
    for found in _JWK.finditer(text, max(0, opened), closed if closed >= 0 else end):
        yield (*found.span(1), "private-key")


def encoded(text: str, flat: bytes) -> Iterator[Block]:
    """Long base64 whose name says that a key, or a file with keys, is in it; `flat` is the text, a byte a character."""
    marks = flat.translate(_ENCODED)
    start = marks.find(_LONG)
    while start >= 0:
        end = marks.find(b" ", start)
        end = len(text) if end < 0 else end
        line = text.rfind("\n", max(0, start - _REACH_OF_SIGN), start) + 1
        named = _HOLDS_KEYS.search(text, line or max(0, start - _REACH_OF_SIGN), start)
        if named and not _HOLDS_NONE.search(named[0]):
            yield start, end, "private-key"
        start = marks.find(_LONG, end)


def numbers_near(text: str, at: int) -> Iterator[Block]:
    """The bytes of a key as a list of numbers, as wallets keep it."""
    for found in _NUMBERS.finditer(text, at, at + _REACH_OF_NUMBERS):
        yield (*found.span(1), "private-key")


def codes_below(text: str, at: int) -> Iterator[Block]:
    """The scratch codes in the file of a second factor."""
    found = _SCRATCH.match(text, at)
    if found:
        yield (*found.span(1), "code")


def manifest_at(text: str, at: int) -> Iterator[Block]:
    """The values of a Kubernetes Secret, whatever their names, if its kind is said here."""
    kind = _MANIFEST.search(text, max(0, at - 24), at + 8)
    if not kind:
        return
    begin, end = max(0, kind.start() - _REACH), kind.end() + _REACH
    above = text.rfind("\n---", begin, kind.start())
    below = text.find("\n---", kind.end(), end)
    begin = above if above >= 0 else begin
    for values in _MANIFEST_VALUES.finditer(text, begin, below if below >= 0 else end):
        inside = values.span("lines" if values["lines"] else "inner")
        for found in _MANIFEST_VALUE.finditer(text, *inside):
            yield (*found.span("value"), "assigned")
