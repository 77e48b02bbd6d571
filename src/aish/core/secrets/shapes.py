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
    Shape("-", re.compile(r"(?<![\d-])(\d{6}(?:-\d{6}){7})(?![\d-])"), "recovery-key"),  # BitLocker
    Shape("==", re.compile(r"(?:[Kk]ey|KEY|[Aa]ccount)[\s\S]{1,160}?(?<![\w+/=-])([A-Za-z0-9+/]{86}==)(?![\w=])"), "assigned"),  # Azure
    Shape("$krb5", re.compile(r"\$krb5\w{2,8}\$\S{20,6000}"), "password-hash"),
    Shape("::", re.compile(r"[\w.$-]{1,64}::[\w.-]{0,64}:[0-9a-fA-F]{16}:([0-9a-fA-F]{32}:[0-9a-fA-F]{20,4000})"), "password-hash"),  # NTLM
    Shape("-hashes ", re.compile(r"-hashes [\"']?[0-9a-fA-F]{0,32}:([0-9a-fA-F]{32})"), "password-hash"),
    Shape("(0x", re.compile(r"\((?:aes|arcfour|des|camellia)[\w-]*\)\s{1,4}\(0x([0-9a-f]{16,64})\)"), "private-key"),  # keytab
    Shape("NTLM", re.compile(r"NTLM[ \t]{0,8}:[ \t]{0,4}[0-9a-f]{32}\s{1,4}\*[ \t]SHA1[ \t]{0,8}:[ \t]{0,4}([0-9a-f]{40})"), "password-hash"),
    Shape("*", re.compile(r"(?<![\w*])\*([0-9A-F]{40})(?![0-9A-Za-z])"), "password-hash"),  # MySQL
    Shape("01000000d08c9ddf", re.compile(r"01000000d08c9ddf0115d1118c7a00c04fc297eb[0-9a-f]{20,6000}"), "password"),  # DPAPI
    Shape("fm2_", re.compile(r"\bfm2_[A-Za-z0-9+/=_-]{40,4000}"), "marked"),
    Shape("@", re.compile(r"(?<![\w/:@.])[\w.-]{2,32}:([^\s:@/\"'<>()$]{4,64})@(?:tcp|unix)\("), "password"),  # Go
    Shape("/p ", re.compile(r"/f \S{1,100}\.pfx /p [\"']?([^\s\"']{4,100})"), "password"),
)  # fmt: skip


def shaped(text: str) -> Iterator[Found]:
    """Every secret in the text that its shape gives away."""
    for shape in SHAPES:
        if shape.needle in text:
            for found in shape.pattern.finditer(text):
                yield (*found.span(1 if found.re.groups else 0), shape.family)
