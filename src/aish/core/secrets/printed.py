"""What a program printed whose work is to show or to make a secret: pass show, pwgen, wg genkey."""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.values import is_path, is_reference

_SHOWS = re.compile(
    r"(?:^|[$#%>❯|;&(] ?|sudo )(?:pass(?: show| -c)|gopass(?: show)?|op read|op item get|bw get password|lpass show"
    r"|secret-tool lookup|security find-[a-z]+-password|keyring get|vault (?:kv get|read|print)|chamber read"
    r"|doppler secrets get|gcloud auth print-[a-z-]+|(?:gh|heroku|flyctl|fly|glab) auth[: ]token"
    r"|az account get-access-token|aws secretsmanager get-secret-value|aws ssm get-parameters?"
    r"|pwgen|apg|makepasswd|mkpasswd|openssl rand|wg gen(?:key|psk)|age-keygen"
    r"|(?:cat|head|less|more|base64 -d) \S*(?:token|secret|passw|[._-]pass\b|\.key\b)\S*|pass generate|Fernet\.generate_key|kubectl [^\n|]{0,40}get secrets?)\b"
)
_BELOW = re.compile(r"[^\n]{0,200}\r?\n[ \t]*(?P<word>[^\s\"'`<>|,]{8,400})[ \t]*(?=\r?\n|$)")
_LINE = 200


def printed_at(text: str, at: int) -> Found | None:
    """The only word of the line below a command that shows a secret, and that names it here."""
    below = _BELOW.match(text, at)
    if not below or not _is_secret(below["word"]):
        return None
    begin = text.rfind("\n", max(0, at - _LINE), at) + 1
    if not _SHOWS.search(text, begin, below.start("word")):
        return None
    return (*below.span("word"), "password")


def _is_secret(word: str) -> bool:
    if is_reference(word) or is_path(word) or word.startswith(("-", "$")) or word.endswith(":"):
        return False
    return any(map(str.isdigit, word)) or not (word.islower() or word.isupper())
