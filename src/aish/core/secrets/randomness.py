"""Whether only a machine would write a run of characters: drawn at random, or made of words."""

from __future__ import annotations

import re
from math import log2
from operator import add, ne

# The pairs that most words are made of. Two in three pairs of a word are among them, one in five
# of letters drawn at random.
_PAIRS = frozenset(
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io "
    "le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho "
    "pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt "
    "po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry "
    "mp fe bl ab gh ty op wo sa ay ke ag up da ck ga do go ba bo bu cl cr cu fa fu gr ho ki "
    "mu oo ov oi rd rm sp sw te va ap ep ip ok ub ue ui um ow lu ru nu vo ob sc sk fl dr br "
    "gl hu ja jo js ks ws".split()
)
_HEX = re.compile(r"[0-9a-f]+$|[0-9A-F]+$")
_LONG_WORDS = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}")
# Words with a number in them, as engineers write them.
_TERMS = re.compile(
    r"(?i)x?chacha20|poly1305|x?sha(?:1|224|256|384|512)|(?:ed|curve|x)25519|base(?:16|32|36|58|62|64)|utf(?:8|16|32)|ipv[46]|oauth[12]"
    r"|rfc\d{4}|aes(?:128|192|256)|pbkdf2|bcrypt|md5|[hrep]s(?:256|384|512)|u?int(?:8|16|32|64)|float(?:32|64)|keccak\d{3}|secp256[kr]1|k8s|hotspot20"
)
_MAY_BE_TERM = re.compile(r"[0-9]|(?i:bcrypt)")  # one of them stands in each
_CONSTANT = re.compile(
    r"_?(?:[A-Z]{2,14}\d{0,4}[A-Z]{0,6}|\d{1,4}[A-Z]{0,4}|[A-Z]\d?)(?:_(?:[A-Z]{1,14}\d{0,4}[A-Z]{0,6}|\d{1,4}[A-Z]{0,4}))+"
)
_KINDS = bytes(
    ord("d" if chr(at).isdigit() else "u" if chr(at).isupper() else "l") for at in range(128)
).ljust(256)
_NOT_ALNUM = re.compile(r"[^A-Za-z0-9]+")


def entropy(value: str) -> float:
    """Bits per character, by how often each one occurs."""
    size = len(value)
    counts = (value.count(ch) for ch in set(value))
    return -sum(n / size * log2(n / size) for n in counts) if size else 0.0


def is_hex(value: str) -> bool:
    return bool(_HEX.match(value))


def is_gibberish(letters: str) -> bool:
    """Letters that make no words in any spelling we know."""
    return len(letters) >= 8 and common_pairs(letters) < 0.45


def common_pairs(letters: str) -> float:
    """How many of its pairs of letters are those of words: two thirds in a word, a fifth in none."""
    lower = letters.lower()
    common = sum(map(_PAIRS.__contains__, map(add, lower, lower[1:])))
    return common / max(1, len(lower) - 1)


def is_camel(run: str) -> bool:
    """Whether most of it is words written together: bigIntAndBufferInt64Check."""
    words = (word for word in _LONG_WORDS.findall(run) if common_pairs(word) >= 0.5)
    return sum(map(len, words)) >= 0.55 * len(run)


def is_constant(run: str) -> bool:
    """Whether it is written as constants are: AUTH0_SECRET, WINDOWS_SERVER_2003_R2."""
    return _CONSTANT.fullmatch(run) is not None


def is_drawn(value: str, *, least: int) -> bool:
    """Letters and digits (at least so many) whose kinds change as often as in a draw."""
    run = _NOT_ALNUM.sub("", value)
    if _MAY_BE_TERM.search(run):
        run = _TERMS.sub("", run)
    digits = sum(map(str.isdigit, run))
    if len(run) < least or not 0 < digits < len(run) or len(set(run)) < 8:
        return bool(len(run) >= least and not digits and _is_letters_drawn(run))
    share = changes(run)
    if run.islower() or run.isupper():
        return share >= 0.18 and digits >= 0.08 * len(run)
    if is_camel(run):
        return False
    letters = "".join(filter(str.isalpha, run))
    return share >= 0.4 or (share >= 0.28 and is_gibberish(letters))


def _is_letters_drawn(run: str) -> bool:
    if run.islower() or run.isupper():
        return len(run) >= 16 and len(set(run)) >= 6 and is_gibberish(run)
    return len(set(run)) >= 8 and is_gibberish(run) and changes(run) >= 0.3


def changes(run: str) -> float:
    """How many neighbours are of different kinds: lower case, upper case, digit."""
    if run.isascii():
        kinds = run.encode().translate(_KINDS).decode()
    else:
        kinds = "".join("d" if ch.isdigit() else "u" if ch.isupper() else "l" for ch in run)
    return float(sum(map(ne, kinds, kinds[1:]))) / max(1, len(run) - 1)
