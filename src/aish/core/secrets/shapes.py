"""Secrets that one shape gives away, wherever they stand: each with the letters that are looked for first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.found import Found
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """An expression whose group, or whole, is the secret."""

    needle: str  # stands in every text that it fits
    pattern: re.Pattern[str]
    family: str


SHAPES = (
    Shape("UGFzc3dvcmQ6", re.compile(r"UGFzc3dvcmQ6\s{1,3}(?:[A-Z>]: ?|> ?)?([A-Za-z0-9+/]{4,200}={0,2})"), "password"),  # SMTP
    Shape("$krb5", re.compile(r"\$krb5\w{2,8}\$\S{20,6000}"), "password-hash"),
    Shape("::", re.compile(r"::[\w.-]{0,64}:[0-9a-fA-F]{16}:([0-9a-fA-F]{32}:[0-9a-fA-F]{20,4000})"), "password-hash"),  # NTLM
    Shape("-hashes ", re.compile(r"-hashes [\"']?[0-9a-fA-F]{0,32}:([0-9a-fA-F]{32})"), "password-hash"),
    Shape("(0x", re.compile(r"\((?:aes|arcfour|des|camellia)[\w-]*\)\s{1,4}\(0x([0-9a-f]{16,64})\)"), "private-key"),  # keytab
    Shape("NTLM", re.compile(r"NTLM[ \t]{0,8}:[ \t]{0,4}[0-9a-f]{32}\s{1,4}\*[ \t]SHA1[ \t]{0,8}:[ \t]{0,4}([0-9a-f]{40})"), "password-hash"),
    Shape("01000000d08c9ddf", re.compile(r"01000000d08c9ddf0115d1118c7a00c04fc297eb[0-9a-f]{20,6000}"), "password"),  # DPAPI
    Shape("0x", re.compile(r"(?i:key|psk|secret)[^\n=\[{]{0,60}[=:]\s{0,4}(?:new \w{1,30})?[\[{]\s{0,4}((?:0x[0-9a-fA-F]{2},?\s{0,4}){16,64})"), "private-key"),
    Shape("_key: [", re.compile(r"_key: \[\s{0,4}(\d{1,3}(?:,\s{0,4}\d{1,3}){15,63})\s{0,4}\]"), "private-key"),
    Shape("fm2_", re.compile(r"\bfm2_[A-Za-z0-9+/=_-]{40,4000}"), "marked"),
    Shape("@tcp(", re.compile(r"(?<![\w/:@.])[\w.-]{2,32}:([^\s:@/\"'<>()$]{4,64})@(?:tcp|unix)\("), "password"),  # Go
    Shape("SETUSER", re.compile(r"(?i:setuser) \S{1,60} [^\n]{0,80}?>(\S{4,200})"), "password"),  # Redis
    Shape("masterauth", re.compile(r"masterauth[ \t]+[\"']?([^\s\"'$<]{4,200})"), "password"),
    Shape("sess", re.compile(r"(?i)[;?&](?:jsessionid|phpsessid|asp\.net_sessionid)=([\w.!-]{16,200})"), "cookie"),
    Shape("4/0A", re.compile(r"\b4/0A[\w-]{30,200}"), "code"),  # Google's, for a token
    Shape("--token", re.compile(r"--token[ =]([a-z0-9]{6}\.[a-z0-9]{16})(?!\w)"), "assigned"),  # kubeadm
    Shape(".toCharArray()", re.compile(r"(?i:load|key|passw\w*|store\w*)[^\n;]{0,80}?\"([^\"\n]{4,100})\"\.toCharArray\(\)"), "password"),
    Shape("AuthInfo:", re.compile(r"AuthInfo:[^\n]{0,200}\"P:([^\"\n]{4,100})\""), "password"),
    Shape("<keyMaterial>", re.compile(r"<keyMaterial>([^<>\n]{4,100})<"), "password"),
    Shape("/p ", re.compile(r"/f \S{1,100}\.pfx /p [\"']?([^\s\"']{4,100})"), "password"),
)  # fmt: skip


_DIGITS = bytes(ord("9") if chr(code).isdigit() and code < 128 else code for code in range(256))
_GROUPS = re.compile(r"(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])")  # BitLocker
_ACCOUNT = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/]{86}==(?![\w=])")  # Azure
_ACCOUNT_NAME = re.compile(r"(?i)(?<!dns)key|account")
_ACCOUNT_SIZE, _REACH = 88, 160


def shaped(text: str, flat: bytes) -> Iterator[Found]:
    """Every secret in the text that its shape gives away; `flat` is the text, a byte a character."""
    if b"999999-999999-" in flat.translate(_DIGITS):
        yield from ((*found.span(), "recovery-key") for found in _GROUPS.finditer(text))
    at = text.find("==")
    while at >= 0:
        begin = at - _ACCOUNT_SIZE + 2
        named = begin >= 0 and _ACCOUNT.match(text, begin)
        if named and _ACCOUNT_NAME.search(text, max(0, begin - _REACH), begin):
            yield begin, at + 2, "assigned"
        at = text.find("==", at + 2)
    for shape in SHAPES:
        if shape.needle in text:
            for found in shape.pattern.finditer(text):
                yield (*found.span(1 if found.re.groups else 0), shape.family)
