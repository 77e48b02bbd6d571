"""Headers of requests that carry a credential: Authorization and cookies."""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.named import named_at
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import is_code, is_key, is_password

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
COOKIE = re.compile(r"""(?i:cookie)s?["']?[ \t]*[:= ][ \t]*["']?([^\r\n"']{4,4000})""")
_CRUMB = re.compile(r"(?<![^;\s\"'])[\w.$!*+-]{1,80}=([^;\s,\\]{8,4000})")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_NOT_A_CRUMB = ("path", "domain", "expires", "max-age", "samesite", "version", "priority")


def authorization_at(text: str, at: int) -> Found | None:
    for pattern in (SIGNED, AUTH_PAIR):
        if (pair := pattern.match(text, at)) and is_password(pair[1], quoted=True):
            return (*pair.span(1), "bearer")
    found = AUTHORIZATION.match(text, at)
    if found is None:
        return named_at(text, at)
    value = found[2]
    plausible = not is_code(value) if found["scheme"] else is_key(value)
    plausible = plausible and not (re.match(r"\w+=$", value) and text.startswith('"', found.end(2)))
    return (*found.span(2), "bearer") if plausible and not is_reference(value) else None


def cookie_at(text: str, at: int) -> Found | None:
    """The first crumb that holds more than a setting, to the last one."""
    found = COOKIE.match(text, at)
    if found is None:
        return None
    spans = [
        crumb.span(1)
        for crumb in _CRUMB.finditer(text, *found.span(1))
        if not crumb[0].lstrip("; \t").lower().startswith(_NOT_A_CRUMB)
        and is_key(_ESCAPE.sub("/", crumb[1]))
    ]
    return (spans[0][0], spans[-1][1], "cookie") if spans else None
