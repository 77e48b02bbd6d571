"""How many tokens a text probably is, from its letters alone, whatever the model."""

from __future__ import annotations

import re
from collections import Counter
from math import ceil
from operator import mul

from aish.core.context.common_words import COMMON_WORDS
from aish.core.values import dataclass

# A word is one token where vocabularies have it and several where they do not; so words are
# looked up. Everything else is counted by classes of bytes with `bytes.count`, which walks a
# megabyte in well under a millisecond.
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LONG = 12  # letters; longer words that nobody knows are names or noise
_RULES = (b"----", b"====", b"****", b"####", b"....", b"____", b"~~~~", b"++++")
# The first bytes of characters, by script.
_SCRIPTS: tuple[tuple[str, int, int], ...] = (
    ("latin", 0xC3, 0xC5),  # with accents
    ("more_latin", 0xC6, 0xCD),
    ("greek", 0xCE, 0xCF),
    ("cyrillic", 0xD0, 0xD4),
    ("hebrew", 0xD5, 0xD7),
    ("arabic", 0xD8, 0xDF),
    ("indic", 0xE0, 0xE0),  # and Thai
    ("georgian", 0xE1, 0xE1),  # and Vietnamese, Khmer, Ethiopic
    ("symbols", 0xE2, 0xE2),
    ("kana", 0xE3, 0xE3),
    ("han", 0xE4, 0xE9),
    ("hangul", 0xEA, 0xED),
    ("wide", 0xEE, 0xEF),
    ("four", 0xF0, 0xFF),  # emoji, rare ideographs
)
FEATURES = (
    "known",  # common words
    "unknown",  # other words
    "letters",  # of those
    "long",  # letters beyond the twelfth
    "capitals",  # runs of capitals
    "capital_letters",
    "digits",
    "numbers",  # runs of digits
    "marks",
    "mark_runs",
    "noise",  # four marks in a row that are no ruled line
    "spaces",  # pairs of spaces: indentation
    "lines",
    *(name for name, _, _ in _SCRIPTS),
)
_FIRST = 0x41  # the class letters of the scripts are capitals


def _class_table() -> bytes:
    table = bytearray(b"p" * 256)  # what is left is punctuation and control bytes
    ascii_classes = (
        (b"l", range(0x61, 0x7B)),
        (b"l", range(0x41, 0x5B)),
        (b"d", range(0x30, 0x3A)),
        (b"s", b" "),
        (b"n", b"\n\r\t\v\f"),
        (b"c", range(0x80, 0xC0)),
    )
    for letter, members in ascii_classes:
        for byte in members:
            table[byte] = letter[0]
    for number, (_, first, last) in enumerate(_SCRIPTS):
        for byte in range(first, last + 1):
            table[byte] = _FIRST + number
    return bytes(table)


_TABLE = _class_table()
_MARKS = bytes(byte if byte == ord("p") else 0x20 for byte in range(256))
_DIGITS = bytes(byte if byte == ord("d") else 0x20 for byte in range(256))


def features(text: str) -> tuple[int, ...]:
    """What the estimate looks at, in the order of `FEATURES`."""
    raw = text.encode("utf-8", "surrogatepass")
    kinds = raw.translate(_TABLE)
    count = kinds.count
    marks, digits = kinds.translate(_MARKS), kinds.translate(_DIGITS)
    ruled = sum(raw.count(rule) for rule in _RULES)
    return (
        *_words(text),
        count(b"d"),
        digits.count(b" d") + digits.startswith(b"d"),
        count(b"p"),
        marks.count(b" p") + marks.startswith(b"p"),
        max(0, marks.count(b"pppp") - ruled),
        count(b"ss"),
        count(b"n"),
        *(count(bytes((_FIRST + number,))) for number in range(len(_SCRIPTS))),
    )


def _words(text: str) -> tuple[int, ...]:
    known = unknown = letters = long = capitals = capital_letters = 0
    for piece, many in Counter(_PIECE.findall(text)).items():
        size = len(piece)
        if size > 1 and piece.isupper():
            capitals += many
            capital_letters += many * size
        elif size == 1 or piece.lower() in COMMON_WORDS:
            known += many
        else:
            unknown += many
            letters += many * size
            long += many * max(0, size - _LONG)
    return known, unknown, letters, long, capitals, capital_letters


@dataclass(frozen=True, slots=True)
class Estimate:
    """A tokenizer that needs no vocabulary; too high rather than too low."""

    name: str
    weights: tuple[float, ...]
    knows_all: bool = False  # it has a token for whatever few others have one for

    def count(self, text: str) -> int:
        if not text:
            return 0
        tokens: float = sum(map(mul, features(text), self.weights))
        if not (self.knows_all or text.isascii()):
            tokens += _rare(text, self.weights[-1])
        return max(1, ceil(tokens))


# Characters that hardly any text of the fit has, so that its weights say nothing of them. Whoever
# has no token for one takes a token for each of its bytes: icons of a terminal's font, marks piled
# on letters, phonetic letters, presentation forms. As measured with four vocabularies.
_MARKED, _FORM, _ICON, _FAR_ICON, _BRAILLE = 2.0, 1.7, 3.0, 4.0, 1.9
_FORMS = (b"\xef\xbc", b"\xef\xbd", b"\xef\xbe", b"\xef\xbf")  # full width, and no character
_GRAPHS = (
    b"\xe2\xa0",
    b"\xe2\xa1",
    b"\xe2\xa2",
    b"\xe2\xa3",
)  # drawn with Braille: more than signs
_FAR = tuple(bytes((first,)) for first in range(0xF1, 0xF5))


def _rare(text: str, four: float) -> float:
    """Tokens of the characters that the weights leave out; `four` is theirs for the farthest."""
    raw = text.encode("utf-8", "surrogatepass")
    marked = sum(raw.count(bytes((first,))) for first in range(0xC6, 0xCE))
    forms = sum(map(raw.count, _FORMS))
    icons = raw.count(b"\xee") + raw.count(b"\xef") - forms
    more = sum(map(raw.count, _FAR)) * max(0.0, _FAR_ICON - four)
    more += sum(map(raw.count, _GRAPHS)) * _BRAILLE
    return marked * _MARKED + forms * _FORM + icons * _ICON + more


# Fitted by bench/context/fit_estimate.py: the least weights that are not low on any kind of text,
# because too high costs a little room and too low costs a rejected request.
ANY = Estimate(  # the neediest of ten vocabularies, for a model nobody knows
    "estimate",
    (
        1.0,
        0.804,
        0.371,
        0.228,
        0.0,
        0.693,
        1.011,
        0.681,
        0.049,
        0.949,
        3.058,
        0.256,
        1.3,
        4.277,
        0.0,
        1.344,
        1.0,
        1.453,
        1.289,
        2.328,
        2.299,
        1.787,
        1.853,
        2.018,
        3.083,
        0.0,
        4.26,
    ),
)
GPT = Estimate(  # cl100k and o200k
    "estimate-gpt",
    (
        1.0,
        1.576,
        0.2,
        0.356,
        0.0,
        0.602,
        0.337,
        1.192,
        0.02,
        0.925,
        2.638,
        0.05,
        0.868,
        4.322,
        0.0,
        1.68,
        0.732,
        1.3,
        0.962,
        1.609,
        2.3,
        1.4,
        0.994,
        1.596,
        1.35,
        0.0,
        2.952,
    ),
)
CLAUDE = Estimate(
    "estimate-claude",
    (
        1.0,
        1.763,
        0.2,
        0.34,
        0.0,
        0.602,
        0.422,
        0.571,
        0.02,
        1.06,
        2.642,
        0.05,
        0.5,
        3.093,
        0.0,
        2.766,
        0.785,
        1.194,
        1.263,
        2.238,
        1.408,
        1.417,
        0.908,
        1.545,
        1.508,
        0.0,
        2.652,
    ),
)
LLAMA = Estimate(  # from the third generation on
    "estimate-llama",
    (
        1.0,
        1.576,
        0.2,
        0.355,
        0.0,
        0.598,
        0.337,
        1.193,
        0.02,
        0.925,
        2.547,
        0.05,
        0.868,
        4.322,
        0.0,
        0.463,
        0.478,
        1.3,
        0.516,
        1.609,
        2.3,
        1.469,
        0.614,
        1.012,
        0.815,
        0.0,
        2.94,
    ),
)
QWEN = Estimate(
    "estimate-qwen",
    (
        1.0,
        1.957,
        0.2,
        0.356,
        0.0,
        0.602,
        1.01,
        0.688,
        0.02,
        0.977,
        2.557,
        0.05,
        0.771,
        0.196,
        0.0,
        1.974,
        0.604,
        0.496,
        0.747,
        1.34,
        1.229,
        1.027,
        0.598,
        0.793,
        0.862,
        0.0,
        1.142,
    ),
)
MISTRAL = Estimate(  # tekken
    "estimate-mistral",
    (
        1.0,
        1.634,
        0.2,
        0.383,
        0.0,
        0.66,
        1.011,
        0.731,
        0.02,
        1.101,
        2.717,
        0.05,
        0.5,
        0.063,
        0.0,
        0.46,
        0.448,
        0.544,
        0.423,
        0.57,
        0.488,
        1.808,
        0.628,
        1.148,
        0.712,
        0.0,
        4.256,
    ),
)
GEMMA = Estimate(
    "estimate-gemma",
    (
        1.0,
        0.3,
        0.443,
        0.072,
        0.0,
        0.554,
        1.01,
        0.664,
        0.062,
        1.12,
        2.351,
        0.05,
        1.3,
        0.0,
        0.0,
        0.472,
        0.419,
        0.584,
        0.477,
        0.673,
        0.796,
        1.232,
        0.465,
        0.855,
        0.921,
        0.0,
        0.971,
    ),
)
DEEPSEEK = Estimate(
    "estimate-deepseek",
    (
        1.0,
        0.3,
        0.466,
        0.088,
        0.0,
        0.594,
        0.335,
        1.191,
        0.02,
        0.954,
        2.739,
        0.05,
        0.825,
        0.781,
        0.0,
        0.579,
        0.477,
        0.538,
        0.482,
        0.636,
        0.849,
        1.492,
        0.591,
        0.766,
        0.895,
        0.0,
        1.936,
    ),
)
SMALL = Estimate(  # vocabularies of 32,000 pieces: Llama 2 and its kin
    "estimate-small",
    (
        1.0,
        0.442,
        0.421,
        0.185,
        0.0,
        0.701,
        1.011,
        0.7,
        0.055,
        1.12,
        2.911,
        0.05,
        1.3,
        7.319,
        0.0,
        4.667,
        0.529,
        1.294,
        1.356,
        1.399,
        1.249,
        1.17,
        1.093,
        1.316,
        1.424,
        0.0,
        2.846,
    ),
)

FAMILIES: dict[str, Estimate] = {
    "gpt": GPT,
    "chatgpt": GPT,
    "o1": GPT,
    "o3": GPT,
    "o4": GPT,
    "phi-4": GPT,
    "claude": CLAUDE,
    "llama": LLAMA,
    "meta-llama": LLAMA,
    "llama-2": SMALL,
    "llama2": SMALL,
    "codellama": SMALL,
    "tinyllama": SMALL,
    "vicuna": SMALL,
    "phi-3": SMALL,
    "mistral": MISTRAL,
    "ministral": MISTRAL,
    "magistral": MISTRAL,
    "devstral": MISTRAL,
    "pixtral": MISTRAL,
    "codestral": MISTRAL,
    "mistral-7b": SMALL,
    "mixtral": SMALL,
    "qwen": QWEN,
    "qwq": QWEN,
    "gemma": GEMMA,
    "gemini": GEMMA,
    "deepseek": DEEPSEEK,
}


def _fewest() -> tuple[float, ...]:
    """The least weights of all families; of lines and signs, vocabularies have whole runs."""
    least = map(min, *(family.weights for family in FAMILIES.values()))
    named = zip(FEATURES, least, strict=True)
    return tuple(0.0 if name in ("lines", "symbols") else weight for name, weight in named)


# The best of every vocabulary: no model reads a text as far fewer tokens than this.
FEWEST = Estimate("fewest", _fewest(), knows_all=True)
