"""Keys of makers nobody listed: a short mark, a separator, and a body drawn at random.

That is how nearly every maker of keys writes them today (`nvapi-…`, `rzp_live_…`, `lsv2_pt_…`).
Identifiers look alike (`req_…`, `chatcmpl-…`); what their mark calls a thing is no key.
"""

from __future__ import annotations

import re

from aish.core.secrets.randomness import is_drawn, is_gibberish, is_hex

_SEPARATOR = re.compile(r"[_-]")
_DIGIT = re.compile(r"[0-9]")
_FIRST = re.compile(r"[a-z]{1,4}\d[a-z]{1,4}$")  # e2b, and not the letters of a hash
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]{0,11}(?:_[A-Z0-9]{1,12})+")
_NEAT = re.compile(r"[a-z]{1,12}\d{0,3}$|[A-Z]{1,12}\d{0,3}$")
_LEAST_MARK = 2  # letters; base64 may have a sign after its first one
_WORD = re.compile(r"[A-Za-z]?[a-z]{2,}\d{0,5}|[A-Z]{2,}|v?\d{1,4}")
_SHORT = 3
_STAGES = ("test", "prod", "dev", "live", "sandbox")  # beside a maker's mark
_NAMES_KEY = re.compile(r"key|token|secret|seck|passw")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SUMS = (40, 64)
_LONGEST_MARK = 28
_LONGEST_WORD = 12  # of lower case; what is longer is no row of words
_SAYS_KEY = frozenset(
    "sk rk ak pat key keys apikey tok tkn token secret sec pw pass auth oauth live access "
    "refresh priv private cred admin api sdk whsec bot rw pt jwt sid".split()
)
_SAYS_THING = frozenset(
    "id agent env plugin bqjob ctag gpu uid gid uuid guid ref hash sha sha1 sha2 sha224 sha256 sha384 sha512 md5 crc etag "
    "digest checksum commit rev tag blob tree layer image img icon logo font asset chunk "
    "vendor vendors main index app bundle style styles script page pages component module "
    "lib file folder dir path cache build job task run step stage pipeline deploy dpl "
    "deployment release version node pod container svc service cluster host vm instance "
    "volume vol snap snapshot subnet vpc sg eni ami igw rtb acl eip vol disk db table row "
    "col record item items object obj entry event evt msg message chat chatcmpl cmpl resp "
    "response req request call toolu tool thread asst assistant batch ft gen generation "
    "trace span session sess user usr customer cus account acct org team group project proj "
    "order ord invoice in inv payment pi pm ch charge price prod product sub subscription si "
    "seti setatt card txn we py po pl plan ii il ich ic iauth ipi dp cn tr trr tu qt rp sku sli poa btok txi txcd fee rcpt topup acc tx transfer refund re2 coupon promo cs src ba video vid audio track doc "
    "document note comment post thread reply draft mail email thread test case suite fixture "
    "mock sample demo example fp fingerprint nonce salt iv seed part block data base64 utf8 "
    "pub public tmp temp var uri url css js html svg png jpg device session lock queue topic "
    "channel chan room conn client server thread pid proc log guid name label class kind "
    "type model weights checkpoint ckpt epoch dataset split".split()
)


def body_of(run: str) -> int:
    """Where the body of a marked key begins in a run of token characters; 0, if it is none."""
    if "_" not in run and "-" not in run:
        return 0
    if run.islower() and not _DIGIT.search(run):
        return 0  # most long names in code
    if _CONSTANT.fullmatch(run) or is_hex(run.replace("-", "")):
        return 0
    parts = _SEPARATOR.split(run)
    place = 0
    marks: list[str] = []
    for part in parts:
        if not (_NEAT.match(part) or (not marks and _FIRST.match(part))):
            break
        marks.append(part.lower())
        place += len(part) + 1
    if not marks or len(marks[0]) < _LEAST_MARK:
        return 0
    if place > _LONGEST_MARK or place >= len(run):
        return 0
    return place if _is_key(marks, run[place:]) else 0


def says_key(run: str) -> bool:
    """Whether its mark calls it a key."""
    marks = _SEPARATOR.split(run.lower(), maxsplit=3)[:3]
    return any(mark in _SAYS_KEY or _NAMES_KEY.search(mark) for mark in marks)


def is_called_thing(run: str) -> bool:
    """Whether its mark says what it identifies: chatcmpl-…"""
    mark = _SEPARATOR.split(run, maxsplit=1)[0].lower()
    return len(mark) < len(run) and mark in _SAYS_THING


def is_row_of_words(run: str) -> bool:
    """Whether it is a title of words and numbers: 0002-Fix-a-regex-used-to-check, sk-ssh-ed25519-cert-v01."""
    parts = _SEPARATOR.split(run)
    words = sum(len(part) for part in parts if _WORD.fullmatch(part) or len(part) < _SHORT)
    return (
        len(parts) > _SHORT
        and words * 10 >= 8 * sum(map(len, parts))
        and max(map(len, parts)) <= _LONGEST_WORD
    )


def _is_row_of_words(body: str) -> bool:
    """aead_chacha20poly1305_decrypt: no part is long, or the letters make words."""
    parts = _SEPARATOR.split(body)
    if max(map(len, parts)) <= _LONGEST_WORD:
        return True
    return len(parts) > 1 and not is_gibberish("".join(filter(str.isalpha, body)))


def _is_sum(marks: list[str], body: str) -> bool:
    """Whether hex after marks is the sum of a file, or the identifier of a device."""
    if _UUID.fullmatch(body):
        return "api" not in marks[0]
    return len(body) == max(_SUMS) or (len(marks) > 1 and len(body) in _SUMS)


def _is_shown(marks: list[str], body: str) -> bool:
    """Whether it is made to be shown: a publishable key, or the name of a refund (re_ and two parts are a key)."""
    if marks[0] == "pk" and marks[1:2] in (["test"], ["live"]):
        return True
    return marks == ["re"] and "_" not in body


def _is_key(marks: list[str], body: str) -> bool:
    if _is_shown(marks, body):
        return False
    stages = _STAGES if len(marks) > 1 else ()
    says_key = any(mark in _SAYS_KEY or _NAMES_KEY.search(mark) for mark in marks)
    if not says_key and any(mark in _SAYS_THING for mark in marks if mark not in stages):
        return False
    if is_hex(body.replace("-", "").removeprefix("0x")):
        if not says_key and (_is_sum(marks, body) or body.startswith("0x")):
            return False
        short = (2 <= len(marks[0]) <= 5 or len(marks) > 1) and "-" not in body
        return (says_key or short) and is_drawn(body, least=20)
    if body.islower() and _is_row_of_words(body):
        return False
    return is_drawn(body, least=14 if says_key else 18)
