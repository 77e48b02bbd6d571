"""How many tokens a text probably is, from its UTF-8 bytes alone, whatever the model."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from operator import mul

# Each byte becomes the letter of its class; runs and changes of class are then counted with
# `bytes.count`, which walks a megabyte in well under a millisecond. A regular expression would
# be fifty times slower on the outputs that matter most: the big ones.
_CLASSES: tuple[tuple[bytes, bytes], ...] = (
    (b"l", bytes(range(0x61, 0x7B))),  # a-z
    (b"U", bytes(range(0x41, 0x5B))),  # A-Z
    (b"d", bytes(range(0x30, 0x3A))),  # 0-9
    (b"s", b" "),
    (b"n", b"\n\r\t\v\f"),
    (b"c", bytes(range(0x80, 0xC0))),  # a continuation byte
    (b"x", bytes(range(0xC0, 0xE0))),  # two bytes: Latin with accents, Cyrillic, Arabic...
    (b"t", b"\xe0\xe1\xe2\xee\xef"),  # three bytes: Indic, Thai, box drawing, symbols
    (b"e", bytes(range(0xE3, 0xEE))),  # three bytes: Chinese, Japanese, Korean
    (b"f", bytes(range(0xF0, 0x100))),  # four bytes: emoji, rare ideographs
)


def _class_table() -> bytes:
    table = bytearray(b"p" * 256)  # what is left is punctuation and control bytes
    for letter, members in _CLASSES:
        for byte in members:
            table[byte] = letter[0]
    return bytes(table)


_TABLE = _class_table()


def _only(kept: bytes, shown: bytes) -> bytes:
    """A table that shows `kept` classes as one letter and everything else as a space."""
    return bytes(shown[0] if byte in kept else 0x20 for byte in range(256))


_WORDS, _DIGITS, _MARKS = _only(b"lU", b"a"), _only(b"d", b"d"), _only(b"p", b"p")
# Everything but the letters that are rare in words and common in encoded data.
_NOT_RARE = bytes(byte for byte in range(256) if byte not in b"jqxzJQXZKVWY")
_RULES = (b"----", b"====", b"****", b"####", b"....", b"____", b"~~~~", b"++++")
_LONG = b"a" * 16

FEATURES = (
    "words",  # runs of letters
    "letters",
    "long",  # stretches of sixteen letters: names nobody speaks, noise
    "rare",
    "case",  # changes of case within a word
    "digits",
    "numbers",  # runs of digits
    "marks",
    "mark_runs",
    "noise",  # four marks in a row that are no ruled line
    "spaces",  # pairs of spaces: indentation
    "lines",
    "two",
    "three",
    "cjk",
    "four",
)


def features(text: str) -> tuple[int, ...]:
    """What the estimate looks at, in the order of `FEATURES`."""
    raw = text.encode("utf-8", "surrogatepass")
    kinds = raw.translate(_TABLE)
    count = kinds.count
    words, digits, marks = (kinds.translate(table) for table in (_WORDS, _DIGITS, _MARKS))
    ruled = sum(raw.count(rule) for rule in _RULES)
    return (
        words.count(b" a") + words.startswith(b"a"),
        words.count(b"a"),
        words.count(_LONG),
        len(raw.translate(None, _NOT_RARE)),
        count(b"lU"),
        count(b"d"),
        digits.count(b" d") + digits.startswith(b"d"),
        count(b"p"),
        marks.count(b" p") + marks.startswith(b"p"),
        max(0, marks.count(b"pppp") - ruled),
        count(b"ss"),
        count(b"n"),
        count(b"x"),
        count(b"t"),
        count(b"e"),
        count(b"f"),
    )


@dataclass(frozen=True, slots=True)
class Estimate:
    """A tokenizer that needs no vocabulary; too high rather than too low."""

    name: str
    weights: tuple[float, ...]

    def count(self, text: str) -> int:
        if not text:
            return 0
        tokens: float = sum(map(mul, features(text), self.weights))
        return ceil(tokens)


# Fitted by bench/context/fit_estimate.py. ANY follows the neediest of three tokenizers (small
# vocabularies, one token per digit), because too high costs a little room and too low costs a
# rejected request; the others follow one family each.
ANY = Estimate(
    "estimate",
    (
        0.644,
        0.079,
        2.961,
        1.43,
        0.42,
        1.065,
        0.797,
        0.03,
        1.08,
        2.886,
        0.05,
        0.838,
        1.3,
        1.763,
        1.7,
        3.14,
    ),
)
GPT = Estimate(
    "estimate-gpt",
    (
        0.885,
        0.032,
        1.715,
        1.246,
        0.605,
        0.341,
        1.159,
        0.03,
        0.6,
        2.425,
        0.152,
        0.786,
        0.6,
        1.371,
        1.0,
        2.94,
    ),
)
CLAUDE = Estimate(
    "estimate-claude",
    (
        0.675,
        0.066,
        0.3,
        1.468,
        0.504,
        0.419,
        0.852,
        0.03,
        1.0,
        2.564,
        0.063,
        0.792,
        0.6,
        1.371,
        1.0,
        2.7,
    ),
)

FAMILIES: dict[str, Estimate] = {
    "gpt": GPT,
    "chatgpt": GPT,
    "o1": GPT,
    "o3": GPT,
    "o4": GPT,
    "claude": CLAUDE,
}
