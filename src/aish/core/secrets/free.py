"""Keys that nothing names: a word drawn at random that stands by itself, or after a telling word.

A hash, an identifier, a public key and a picture are drawn at random too. They are told by their
letters (a hash is hex), by what is said before them (`sha256:`, `etag`, `request id`), by how they
begin, and by not standing free: a part of a path, of an address, of a name of a file.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error

from aish.core.secrets.marked import is_called_thing
from aish.core.secrets.randomness import is_constant, is_drawn, is_gibberish, is_hex
from aish.core.secrets.values import IDENTIFIES

LEAST = 30  # identifiers are shorter: 20 of a row, 22 of a cluster, 27 of an event
MOST = 100
_LEAST_UPPER = 32
_VARIOUS = 12  # different characters
_LONGEST = 202  # of what is looked at as a whole
_FEW = 6  # of a mask
_BEFORE = frozenset(" \t\n\r\"'`=:([<>{,;|")
_AFTER = frozenset(" \t\n\r\"'`)]<>},;|&")
_LOOK_BACK = 48
_SAYS_HARMLESS = re.compile(
    r"(?i)sha-?\d|md5|hash|digest|integrity|checksum|sums?\b|fingerprint|etag|-match\b|\bh1:|uuid|guid"
    r"|(?:^|[^a-z])ids?(?![a-z])|[a-z]Id\b|-id|rev(?:ision)?\b|commit|ssh-|ecdsa-|base64|data:|pub"
    r"|cert|nonce|\bcid\b|ipfs|trace|request|cursor|address|addr\b|host ?key|x509|serial"
    r"|[?&](?:list|v)=$|object|version|query|mappings|thumbprint|\bref\b|\bkid\b|modulus|srcset|page|cursor|continuation|inchi|boundary|challenge|(?:next|starting)[_-]?token|[a-z]Name\b|\b25[67] 3 \d{1,2} $|\bTXT\b|(?-i:\bIN[ \t]+[A-Z][A-Z0-9]{1,9}[ \t])|(?:site|domain)[-_]\w{3,20}=$|site-verification|\"[xyne]\": ?\"$"
)
_SAYS_PUBLIC = re.compile(r"(?i)public|\bTXT\b|DNSKEY")  # in the line above
_PUBLIC = re.compile(  # how keys, certificates, pictures, archives and symbols begin
    r"I[0-9a-f]{40}$|U1NIU0lH|AAAA|MII|iVBOR|R0lG|/9j/|UklGR|PHN2|PD94|JVBER|UEsD|H4sI|Qm[0-9A-Za-z]{44}$|_?_Z|bc1|T1RU|d09G"
    r"|[13][1-9A-HJ-NP-Za-km-z]{25,33}$|6L[\w-]{38}$|0x|AQAB|AAEAAA|12D3KooW|B[A-P][\w-]{85}$|--|(?!SK)[A-Z]{2}[0-9a-f]{32}$|S[0-9][0-9A-F]+$|RW[\w+/]{50,56}$"
)
_FREE = re.compile(r"(?<![\w/+.@#\\%-])[A-Za-z0-9][\w+/.~-]{14,199}={0,2}(?![\w/+@])", re.ASCII)
_DRAWING = re.compile(
    r"(?i)-?[mlhvcsqtaz]?-?\d+(?:[mlhvcsqtaz-]{1,3}\d+)*[mlhvcsqtaz]?"
)  # in a picture
_DEVICE = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PARTS = re.compile(r"[/._-]")
_BASE32 = re.compile(r"[A-Z2-7]{16,}")
_ENDS_OF_LINES = dict.fromkeys(map(ord, "\t\r\n"), " ")
_ID_COLUMN = re.compile(
    r"(?m)^[^\n:=]*\b(?:uuid|UUID|digest|DIGEST|IMAGE ID)\b[^\n:=]*\n(?:[^\n]*\n){0,3}[^\n:=]*$"
)
_INNER = re.compile(r"[\w+/-]{20,}")
_LEAST_WRAPPED = 60
_MOST_WRAPPED = 2000
_WORD = re.compile(r"[a-z]{4,}$|[A-Z]?[a-z]{3,}$")


def is_free_key(text: str, start: int, end: int) -> bool:
    """Whether the run of token characters is a key that stands by itself."""
    size = end - start
    if not LEAST <= size <= MOST:
        return False
    if start and text[start - 1] not in _BEFORE:
        return False
    if end < len(text) and text[end] not in _AFTER and not _ends_sentence(text, end):
        return False
    run = text[start:end]
    if run.islower() or _DRAWING.fullmatch(run) or is_constant(run):
        return False
    if _PUBLIC.match(run) or is_called_thing(run) or not _is_drawn_of_kinds(run) or is_text(run):
        return False
    return not is_called_harmless(text, start) and not is_in_block(text, start, end)


def free_key_after(text: str, at: int, most: int = 90) -> tuple[int, int] | None:
    """The first key that stands by itself in the rest of the line after a telling word."""
    end = text.find("\n", at, at + most + _LONGEST)
    for found in _FREE.finditer(text, at, end if end >= 0 else at + most + _LONGEST):
        if found.start() >= at + most:
            break
        value = found[0].rstrip(".-")
        begin = found.start()
        if IDENTIFIES.search(text, max(0, begin - 48), begin):
            continue
        if _is_key(value) and not says_hash(text, begin):
            return found.start(), found.start() + len(value)
    return None


def is_wrapped(text: str, start: int, end: int) -> bool:
    """Whether it is an object in base64 that holds a drawn word: a token of its own kind."""
    if not text.startswith("eyJ", start) or end - start < _LEAST_WRAPPED:
        return False
    if is_called_harmless(text, start):
        return False
    inner = decoded(text[start : min(end, start + _MOST_WRAPPED)])
    return any(is_drawn(word, least=20) for word in _INNER.findall(inner))


def decoded(value: str) -> str:
    """The readable text that is written in base64; nothing, if it is none."""
    body = value.rstrip("=")
    try:
        plain = urlsafe_b64decode(body[: len(body) // 4 * 4])
    except (Error, ValueError):
        return ""
    return plain.decode("ascii") if plain.isascii() else ""


def is_text(value: str) -> bool:
    """Whether it is readable text in base64."""
    try:
        plain = urlsafe_b64decode(value + "=" * (-len(value) % 4))
    except (Error, ValueError):
        return False
    return plain.isascii() and plain.decode("ascii").translate(_ENDS_OF_LINES).isprintable()


def _is_key(value: str) -> bool:
    if (
        is_hex(value.replace("-", ""))
        or _PUBLIC.match(value)
        or any(map(_WORD.match, _PARTS.split(value)))
    ):
        return False
    if _BASE32.fullmatch(value):
        return is_gibberish(value) and len(set(value)) > _FEW
    return is_drawn(value, least=16) and (not value.islower() or "." in value or len(value) >= 24)


def _is_drawn_of_kinds(run: str) -> bool:
    """Letters of both cases and digits, as often changed as in a draw; capitals must be many."""
    if run.isupper():
        bare = run.replace("-", "")
        various = len(set(bare)) >= _VARIOUS and any(map(str.isdigit, bare))
        return various and not is_hex(bare) and is_drawn(bare, least=_LEAST_UPPER)
    if run.islower() or not any(map(str.isdigit, run)):
        return False
    parts = _PARTS.split(run)
    words = sum(len(part) for part in parts if _WORD.match(part))
    if 3 * words > len(run) or max(map(len, parts)) < 8:
        return False
    if any(is_hex(part) and len(part) >= 16 for part in parts) or _DEVICE.search(run):
        return False
    return is_drawn(run, least=LEAST)


def is_in_id_column(text: str, start: int) -> bool:
    """Whether the head of the table says that what stands here identifies something."""
    return _ID_COLUMN.search(text, max(0, start - 400), start) is not None


def _ends_sentence(text: str, end: int) -> bool:
    return text[end] in ".!?:" and text[end + 1 : end + 2] in ("", " ", "\n", "\r")


def is_called_harmless(text: str, start: int) -> bool:
    """Whether what stands before it in its line, or above it, says that everybody may see it."""
    if is_in_id_column(text, start):
        return True
    begin = max(0, start - _LOOK_BACK)
    begin = text.rfind("\n", begin, start) + 1 or begin
    if not text[begin:start].strip(" \t\"'") and _SAYS_PUBLIC.search(
        text, max(0, start - 60), start
    ):
        return True
    if text.endswith(("][", "] ["), begin, start):
        return True  # a field of a log
    return _SAYS_HARMLESS.search(text, begin, start) is not None


def says_hash(text: str, start: int) -> bool:
    """Whether what begins here is called a sum of something: sha256=…"""
    return _HASH_BEFORE.search(text, max(0, start - 16), start) is not None


_WIDTHS = (64, 76)  # of the lines in which certificates and pictures are written
_HASH_BEFORE = re.compile(
    r"(?i)(?:sha\d{0,3}|md5|hash|public\w*|verification)\W{0,2}$|(?:etag|-match)\W{1,3}(?:W/)?\"?$|(?<!\w)[\"']?[xyne][\"']?[ ]*(?:=>|:) ?[\"']$"
)
_DATA_LINE = re.compile(r"[ \t>b]*[\"']?[A-Za-z0-9+/_-]{40,}(?:={1,2}\w{0,4})?[\"']?,?\r?$")


def is_in_block(text: str, start: int, end: int) -> bool:
    """Whether the lines around are of the same kind: a picture, a certificate."""
    begin, close = text.rfind("\n", max(0, start - 90), start), text.find("\n", end, end + 4)
    if (begin < 0 and start > 90) or (close < 0 and end != len(text)):
        return False
    if text[begin + 1 : start].strip(" \t\"'b>"):
        return False
    if end - start in _WIDTHS:
        return True
    above_begins = text.rfind("\n", max(0, begin - 90), max(0, begin)) + 1
    above = text[above_begins : max(0, begin)] if above_begins or begin <= 90 else ""
    stop = text.find("\n", close + 1, close + 2000) if close >= 0 else -1
    below = text[close + 1 : stop if stop >= 0 else close + 100] if close >= 0 else ""
    return bool(_DATA_LINE.match(above) or _DATA_LINE.match(below))
