"""What a program printed whose work is to show or to make a secret: pass show, pwgen, wg genkey."""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.places import line_start
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import is_path

_SHOWS = re.compile(
    r"(?:^|[$#%>❯|;&(] ?|sudo )(?:pass(?: show| -c)|gopass(?: show)?|op read|op item get|bw get password|lpass show"
    r"|secret-tool lookup|security find-[a-z]+-password|keyring get|vault (?:kv get|read|print)|chamber read"
    r"|doppler secrets get|terra(?:form|grunt) output|gcloud secrets versions access|gcloud auth print-[a-z-]+|(?:gh|heroku|flyctl|fly|glab) auth[: ]token"
    r"|az account get-access-token|aws secretsmanager get-secret-value|aws ssm get-parameters?"
    r"|headscale preauthkeys create|[\w:-]+:secret|consul keygen|pwgen|apg|makepasswd|mkpasswd|openssl rand|wg gen(?:key|psk)|age-keygen"
    r"|(?:cat|head|less|more|base64 -d) \S*(?:token|secret|passw|[._-]pass\b|\.key\b)\S*|pass generate|Fernet\.generate_key|kubectl [^\n|]{0,40}get secrets?)\b"
)
_NOTHING_ELSE = re.compile(
    r"(?:pass show|gopass|op read|bw get password|lookup|keyring get|secrets versions access)\b"
)
_BELOW = re.compile(r"[^\n]{0,200}\r?\n[ \t]*\"?(?P<word>[^\s\"'`<>|,]{5,400})\"?[ \t]*(?=\r?\n|$)")
_LINE, _LEAST = 200, 8


def printed_at(text: str, at: int) -> Found | None:
    """The only word of the line below a command that shows a secret, and that names it here."""
    below = _BELOW.match(text, at)
    if not below:
        return None
    begin = line_start(text, at, _LINE)
    shows = _SHOWS.search(text, begin, below.start("word"))
    if not shows or not _is_secret(below["word"], plain=_NOTHING_ELSE.search(shows[0]) is not None):
        return None
    return (*below.span("word"), "password")


def _is_secret(word: str, *, plain: bool = False) -> bool:
    if is_reference(word) or is_path(word) or word.startswith(("-", "$")) or word.endswith(":"):
        return False
    if not plain and len(word) < _LEAST:
        return False
    return plain or any(map(str.isdigit, word)) or not (word.islower() or word.isupper())
