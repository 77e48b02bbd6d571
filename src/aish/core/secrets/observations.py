"""What a word and its surroundings say of it: the observations by which it is weighed.

A key, a password, a hash and a name differ in their form, but more in what stands around them.
Neither alone decides, so both are written down as plain observations, and how much each one speaks
for a secret is learnt from examples (`weights.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from aish.core.secrets.randomness import changes, common_pairs, is_camel, is_hex
from aish.core.secrets.values import says_something

_SHAPES = (
    ("uuid", re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")),
    ("const", re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")),
    ("snake", re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)+")),
    ("word", re.compile(r"[A-Za-z]?[a-z]+\d{0,4}")),
    ("groups", re.compile(r"[a-z0-9]{4}(?: [a-z0-9]{4}){3}")),
    ("digits", re.compile(r"\d+")),
    ("phrase", re.compile(r"[a-z]{3,}(?: [a-z]{3,})+")),
    ("call", re.compile(r".*[\w\])]\(.*|.*[{}].*|.*\w\[.*")),
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_QUOTES, _SHUT = "\"'`\\«“", "\"'`\\])}"
_SIGNS = (
    ":=",
    "=>",
    "->",
    "→",
    "<<<",
    "=",
    ":",
    "(",
    ",",
    ">",
    "|",
    "@",
    "/",
    "：",
    "[",
    "{",
    "<",
    "—",
    "–",
)
_OF_A_NAME = frozenset("_.$@/-")
_WORD = re.compile(r"[^\W\d_]{2,20}")
_OPTION = re.compile(r"(?:^|\s)(--?[A-Za-z][\w-]*|/[a-z]{1,8}:?)[ =]?[\"']?$")
_PROGRAM = re.compile(r"(?:^|[|;&]|\$|#|>)\s*(?:sudo\s+)?([A-Za-z][\w.-]{1,20})(?=\s)")
_CALL = re.compile(r"([A-Za-z_][\w.]{1,40})\s?\(([^()]{0,80})$")
_SPEAKER = re.compile(
    r"(?:\[[^\]\n]{1,30}\][ \t]*)?[^\W\d_][\w .-]{0,19}:[ \t]*[\"'`]?"
)  # in a chat
_BLANK = " \t-*>|\"'`$#+"
_NEAR, _ABOVE, _AFTER = 90, 70, 48
REACH = _NEAR + _ABOVE  # how far the surroundings go
_WORDS_BEFORE, _WORDS_AFTER = 8, 4
_TAIL, _RIGHT = 40, 12
_TAILS, _BONES = (2, 3, 4, 5, 6, 8, 10, 12), (2, 3, 4, 5, 6, 7, 9)
# One digit for all, and signs that the file of the weights can hold.
_FLAT = str.maketrans(
    dict.fromkeys("0123456789", "9")
    | dict.fromkeys(" \t\r\n", "␣")
    | {'"': "”", "\\": "⧹", "\x1b": "␛"}
)
_BLANKS, _NINES, _SMALL, _LARGE = (re.compile(form) for form in ("␣+", "9+", "[a-z]+", "[A-Z]+"))
_LONG = 20
_SUMS = (32, 40, 56, 64, 96, 128)  # characters of a hash
# Words that sentences are made of, and rows of drawn words are not.
SAID = frozenset(
    "the and for with not you your our are was were has have had will would must should can cannot may might this that "
    "these those from into onto than then when where which while who what how why all any each every some more most least "
    "one two new old same other use used using only also but its his her their them they she him out off over under after "
    "before again here there now please enter type set get make made take need needs been being does did don user users "
    "der die das und ist nicht ein eine für von mit auf bei sie wird muss les des une est pas pour avec dans vous votre sur "
    "que los las una por para con del como más uma não mais het een van niet voor och att som til ikke jest nie".split()
)
_SPOKEN = ("word", "const", "snake")
_KINDS = (("l", str.islower), ("u", str.isupper), ("d", str.isdigit))
SECRET = re.compile(
    r"\b(?:pass(?:w\w*|phrase|code|key|e)?s?|pwd?|psk|secrets?|tokens?|keys?|cred\w*|auth\w*|logins?|private|priv|pin|otp"
    r"|cookies?|session|bearer|jwt|apikey|\w*passw\w*|\w*token|\w*secret|mdp|kennwort|wachtwoord|senha|contraseña|clave"
    r"|parola|has[łl]o|heslo|jelsz\w*|пароль\w*|lösenord\w*|salasana\w*|adgangskode\w*|passord\w*|şifre\w*|κωδικ\w*"
    r"|ключ|токен|סיסמה|الس\w*|संकेत|पासवर्ड|sandi|unlock|decrypt|encrypt|unseal|passwd)\b"
)
_PUBLIC = re.compile(
    r"\b(?:sha|md|hash|digest|checksum|sums?|integrity|commit|rev\w*|fingerprint|public|pub\w*|ids?|uuid|guid|etag|version"
    r"|cert\w*|trace|request|image|index|serial|size|date|address|addr|ref|tag|build|blob|tree|parent|merge|cursor)\b"
)
PASSWORD = re.compile(
    r"\b(?:pass(?:w\w*|phrase|code|key|e)?s?|pwd?|psk|\w*passw\w*|pin|mdp|kennwort|wachtwoord|senha|contraseña|clave|parola"
    r"|has[łl]o|heslo|jelsz\w*|пароль\w*|lösenord\w*|salasana\w*|adgangskode\w*|passord\w*|şifre\w*|κωδικ\w*|secret|community)\b"
)
_SIDES = {
    (False, False): "none",
    (True, False): "secret",
    (False, True): "public",
    (True, True): "both",
}


def observe(text: str, start: int, end: int) -> Iterator[str]:
    """The observations of the word that stands there."""
    value = text[start:end]
    form = form_of(value)
    yield "any"
    yield f"form={form}"
    yield from _of_value(value)
    if form in _SPOKEN:
        yield f"value={value.lower()}"
    if form == "phrase":
        yield f"said={min(3, sum(word in SAID for word in value.split()))}"
    begin = _begin_of_view(text, start)
    right = text[end : end + _AFTER].partition("\n")[0]
    yield from _of_surroundings(text[begin:start], right, form)
    yield from _of_ends(text[max(begin, start - _TAIL) : start], value, right)
    above = text[max(0, begin - _ABOVE) : max(0, begin - 1)].rpartition("\n")[2]
    lines = _words(above)[-_WORDS_BEFORE:]
    left = text[begin:start]
    alone = not left.strip(_BLANK) or _SPEAKER.fullmatch(left) is not None
    yield f"above:{_side(lines)}:{alone}"
    if alone:
        yield from {f"above={word}" for word in lines}


def is_named_in_view(text: str, start: int) -> bool:
    """Whether the words before it, as far as they are observed, speak of a secret."""
    return any(map(_speaks_of_secret, _words(text[_begin_of_view(text, start) : start])))


def _begin_of_view(text: str, start: int) -> int:
    return text.rfind("\n", max(0, start - _NEAR), start) + 1 or max(0, start - _NEAR)


def is_said(word: str) -> bool:
    """Whether sentences, or talk of passwords, are made of such words."""
    return (
        word in SAID
        or _speaks_of_secret(word)
        or _speaks_of_public(word)
        or not says_something(word)
    )


def form_of(value: str) -> str:
    """What it looks like, in one word."""
    for name, shape in _SHAPES:
        if shape.fullmatch(value):
            return name
    if is_hex(value.replace("-", "").removeprefix("0x")):
        return "hex"
    return "camel" if is_camel(value) else "mixed"


def _of_value(value: str) -> Iterator[str]:
    size = len(value)
    kinds = "".join(kind for kind, test in _KINDS if any(map(test, value)))
    signs = sum(not ch.isalnum() for ch in value)
    hard = sum(not (ch.isalnum() or ch in "-_./:=+") for ch in value)
    letters = "".join(filter(str.isalpha, value))
    turns = changes("".join(filter(str.isalnum, value)))
    yield f"size={min(size // 4, 12)}"
    yield f"kinds={kinds}{'s' * (signs > 0)}{'h' * (hard > 0)}"
    yield f"hard={min(hard, 3)}"
    yield f"signs={min(signs, 4)}"
    yield f"pairs={int(common_pairs(letters) * 6) if len(letters) > 4 else 'few'}"
    yield f"changes={int(turns * 8)}"
    yield f"digits={int(sum(map(str.isdigit, value)) * 6 / size)}"
    if size >= _LONG:
        yield f"long={kinds}{int(turns * 4)}"
    if size in _SUMS and is_hex(value):
        yield f"sum={size}"


def _of_surroundings(left: str, right: str, form: str) -> Iterator[str]:
    name, sign, opened = linked(left)
    yield f"sign={sign}"
    yield f"open={opened}"
    option = _OPTION.search(left)
    if option:
        yield f"option={option[1] if option[1][1] != '-' else '--'}"
    parts = _parts(name) if sign or opened else _parts(option[1]) if option else []
    yield from _of_place(left)
    yield from {f"name={part}" for part in parts}
    if parts:
        yield f"last={parts[-1]}"
    words = _words(left[: left.rindex(name)] if parts and name else left)[-_WORDS_BEFORE:]
    if not parts and words:
        yield f"before={words[-1]}"
    yield from {f"near={word}" for word in words}
    after = _words(right)[:_WORDS_AFTER]
    yield from {f"after={word}" for word in after}
    yield f"ends={_end(right)}"
    yield f"shut={_end(right.lstrip(_SHUT))}"
    kind = _kind(parts or words[-2:])
    yield f"{kind}{'=' if parts else '~'}{sign or bool(option)}{opened}/{form}"
    yield f"{kind}{'=' if parts else '~'}{form}/{_end(right.lstrip(_SHUT))}"
    side = _side([*parts, *words])
    yield f"{side}/{form}"
    yield f"{_side(parts or words[-3:])}/{sign}"
    yield f"{side}|{_side(after)}"


def _of_ends(left: str, value: str, right: str) -> Iterator[str]:
    """The last letters before it as they are, and the forms of what stands before and after it."""
    before = left.lower().translate(_FLAT)
    tail = _BLANKS.sub("␣", f"^{before}" if len(left) < _TAIL else before)
    yield from (f"tail={tail[-size:]}" for size in _TAILS if size <= len(tail))
    bones = _form(tail)
    yield from (f"pre={bones[-size:]}" for size in _BONES if size <= len(bones))
    own = _form(value.translate(_FLAT))
    yield f"own={own[:8]}"
    yield f"own{min(len(value) // 3, 10)}={own[:3]}"
    after = _form(right[:_RIGHT].translate(_FLAT))
    yield from (f"post={after[:size]}" for size in range(1, 5) if size <= len(after))


def _form(text: str) -> str:
    """Each row of letters or digits as one of them."""
    return _SMALL.sub("a", _LARGE.sub("A", _NINES.sub("9", text)))


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _PART.findall(name)][-4:]


def _of_place(left: str) -> Iterator[str]:
    """The program of a command line, and the call and the place among its arguments."""
    if program := _PROGRAM.search(left):
        yield f"program={program[1].lower()}"
    if call := _CALL.search(left):
        yield f"argument={min(call[2].count(','), 4)}"
        yield from {f"call={part}" for part in _parts(call[1])}


def linked(left: str) -> tuple[str, str, str]:
    """The name, the sign and the quote that lead to what comes next."""
    rest = left.rstrip()
    bare = rest.rstrip(_QUOTES)
    opened, rest = rest[len(bare) :][-1:], bare.rstrip()
    sign = next((sign for sign in _SIGNS if rest.endswith(sign)), "")
    rest = rest[: len(rest) - len(sign)].rstrip().rstrip(_SHUT)
    at = len(rest)
    while at and (rest[at - 1].isalnum() or rest[at - 1] in _OF_A_NAME):
        at -= 1
    return rest[at:], sign, opened


def _end(right: str) -> str:
    if not right.strip():
        return "line"
    return right[0] if right[0] in ".,;:)]}>/@(|&=" else "on"


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _kind(words: list[str]) -> str:
    """What the words right before it speak of."""
    if any(map(_speaks_of_password, words)):
        return "password"
    return _side(words)


def _side(words: list[str]) -> str:
    """Whether words speak of a secret, of what everybody may see, of both or of neither."""
    return _SIDES[any(map(_speaks_of_secret, words)), any(map(_speaks_of_public, words))]


@lru_cache(2048)
def _speaks_of_password(word: str) -> bool:
    return PASSWORD.search(word) is not None


@lru_cache(2048)
def _speaks_of_secret(word: str) -> bool:
    return SECRET.search(word) is not None


@lru_cache(2048)
def _speaks_of_public(word: str) -> bool:
    return _PUBLIC.search(word) is not None
