"""Addresses that carry a secret: a password, a signature, or a path that is the key itself."""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.randomness import is_drawn, is_hex
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import is_key, is_name_of_thing

_USERINFO = re.compile(
    r"""://(?:[^\s/:@"'<>]{0,100}(?:@[\w-]+(?:\.[\w-]+)*(?!:\d{2,5},))?:([^\s/"'<>]{1,200})"""
    r"""|(?P<user>[^\s/:@"'<>]{16,200}))@(?=[\w\[.-])"""
)
_BARE = re.compile(r"""[a-z]+://\d{6,20}:([\w-]{20,80})(?![\w@:/-])""")  # cloudinary://id:key
SIGNATURE = re.compile(
    r"""sig(?i:nature)?(?:value)?(?:=|%3[Dd]|>)((?:[A-Za-z0-9%+/_-]){24,1200}=?)""", re.I
)
QUERY = re.compile(
    r"[?&](?:app_?id|key|code|auth|sid|k|t|tk|ticket|st|jwt|share|invite)=([\w%.~+/-]{16,400})",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"[A-Z]+(?:_[A-Z]+)*_?(?:PASS|PASSWORD|PASSWD|PWD|PW|SECRET|TOKEN|KEY)")
_EXAMPLES = ("pass", "password", "passwd", "pwd", "pw", "secret", "token", "xyz", "xxx", "b")
# Who has such an address may do what it is for; the parts after the word are the key.
_CAPABLE = re.compile(r"""://[^\s"'<>/]{1,100}(?P<path>/[^\s"'<>?#:]{8,400})""")
_OPENS = re.compile(
    r"(?i)(?:hooks?|ping|heartbeats?|health-?checks?|ntfy)[\w.-]*/|/(?:key|token|secret|integrations?|invite|magic|reset|trigger|apikey|feeds?"
    r"|verify|confirm|activate|share|download|join|s)/|/private-"
)
_FRAGMENT = re.compile(
    r"""://[^\s"'<>#:]{3,200}#(?!sha\d|GUID-|[A-Za-z]+-[0-9a-f]{32,})([\w-]{20,100})(?![\w./=-])""",
    re.ASCII,
)
_KEY_AS_PATH = re.compile(r"/(?:v\d+|api|inputs|rpc|ws)/([\w-]{32,64})(?![\w.-])", re.ASCII)
_LAST = re.compile(r"(?<=/)(?=[a-z]*\d|[A-Z]*\d)[A-Za-z0-9]{6,}/?(?![\w/])")
_CALLED = ("http", "https", "ws", "wss")  # what is stored elsewhere has sums in its name
_SOURCES = re.compile(r"/(?:commits?|blob|tree|raw|compare|blame)/")  # of a repository
_MASKED = re.compile(r"X{8}|x{8}|0{8}")
LONG = 16
_PART = re.compile(r"[\w@:.~-]{8,400}", re.ASCII)


def address_at(text: str, at: int) -> Found | None:
    """What an address whose :// stands here gives away."""
    if found := _userinfo(text, at):
        return found
    begin = at
    while begin > max(0, at - 16) and text[begin - 1].isalpha():
        begin -= 1
    bare = _BARE.match(text, begin)
    if bare:
        return (*bare.span(1), "url")
    return _fragment(text, at) or _capability(text, at)


def _fragment(text: str, at: int) -> Found | None:
    """The part after # never reaches the server: it is the key of what is shared."""
    found = _FRAGMENT.match(text, at)
    if not found or found[1].islower() or not is_drawn(found[1], least=20):
        return None
    return (*found.span(1), "url")


def _userinfo(text: str, at: int) -> Found | None:
    found = _USERINFO.match(text, at)
    if not found:
        return None
    group: int | str = "user" if found["user"] else 1
    value = found[group]
    if is_reference(value) or value.strip("[]<>{}").lower() in _EXAMPLES:
        return None
    if _PLACEHOLDER.fullmatch(value):
        return None
    if found["user"] and not is_key(value):
        return None
    start, end = found.span(group)
    name = text[at + 3 : start - 1]  # https://TOKEN:x-oauth-basic@…
    if not found["user"] and len(name) >= LONG and is_drawn(name, least=LONG):
        start = at + 3
    return start, end, "url"


def _capability(text: str, at: int) -> Found | None:
    """The path of a webhook, from its first drawn part to its last."""
    found = _CAPABLE.match(text, at)
    called = text.endswith(_CALLED, 0, at)
    if found and called and (key := _KEY_AS_PATH.match(text, found.start("path"))):
        return (*key.span(1), "url") if _is_path_key(key[1]) else None
    opens = _OPENS.search(text, at + 3, found.end()) if found else None
    if (
        not found
        or not opens
        or _SOURCES.search(text, at, found.end())
        or _MASKED.search(text, opens.end(), found.end())
    ):
        return None
    if text.startswith("hooks.", at + 3) and (last := _LAST.search(text, opens.end(), found.end())):
        return opens.end(), last.end(), "webhook"
    spans = [
        part.span()
        for part in _PART.finditer(text, max(opens.end(), found.start("path")), found.end())
        if _is_secret_part(part[0])
    ]
    return (spans[0][0], spans[-1][1], "webhook") if spans else None


def _is_path_key(part: str) -> bool:
    """Whether all that an address of an interface names is the caller."""
    bare = part.replace("-", "")
    return is_hex(bare) or (is_drawn(part, least=24) and not part.islower())


def _is_secret_part(part: str) -> bool:
    if not any(map(str.isdigit, part)) or part.isdigit() or "." in part:
        return False
    if is_hex(part.replace("-", "")):
        return len(part) >= 16
    if len(part) >= LONG and not is_name_of_thing(part):
        return True
    return part.isupper() and part.isalnum()
