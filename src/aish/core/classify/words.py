"""A typed line cut into words, each with the shape that tells prose from command."""

from __future__ import annotations

import re
from dataclasses import replace

from aish.core.values import dataclass

# Enough to decide, and a bound on the work per keystroke whatever is pasted.
LOOKED_AT = 1200
MOST_WORDS = 90

# A quote after a letter or digit is an apostrophe ("doesn't", "users'"), not an opening quote.
_WORD = re.compile(
    r"""\n|(?:[^\s"'`]|"(?:[^"\\]|\\.)*"|(?<![\w])'[^']*'|`[^`]*`|["'`])+""", re.DOTALL
)

_SHAPES = re.compile(
    r"""
    (?P<letter>[B-HJ-Zb-hj-z]$)
  | (?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*$)
  | (?P<option>-[A-Za-z?]$|-[A-Za-z]\w*$|--[A-Za-z][\w-]*(?:=.*)?$|-[A-Za-z].*$)
  | (?P<number>[+-]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th|%)?$)
  | (?P<amount>[+-]?\d+(?:[.,]\d+)?[A-Za-z]{1,3}$)
  | (?P<sum>[(]*[\d.]+(?:[-+*/^x%]+[(]*[\d.]+[)]*)+[=?]*$)
  | (?P<pipe>\|\|?$|&&$|\|&$)
  | (?P<semi>;;?$|&$|\\;$|\\$|\{\}$)
  | (?P<redirect>\d*(?:<<<?-?|>>|>\||[<>]&?|&>>?)(?:&?[\d-]|/dev/\w+)?$)
  | (?P<assign>[^\W\d]\w*(?:\[[^]]*\])?\+?=)
  | (?P<variable>["']?\$[A-Za-z_{(0-9?!@\#*$'"-])
  | (?P<string>"(?:[^"\\]|\\.)*"$|'[^']*'$)
  | (?P<code>`[^`]*`$)
  | (?P<redirected>\d*[<>]|&>)
  | (?P<bracket>[(){}\[\]!]+$|\(\(|\[\[)
  | (?P<glued>[^\s"'`]*(?:;|\|\|?|&&)[^\s;|&])
  | (?P<url>[a-z][a-z0-9+.-]*://)
  | (?P<path>(?:~|\.{0,2}/|[\w.@%+:-]+/)[^\s*?\[\]]*$|~$|\.\.?$)
  | (?P<glob>[^\s()]*[*?\[\]][^\s()]*$)
  | (?P<file>[\w.-]*\.[A-Za-z]\w{0,9}$)
  | (?P<ident>[A-Za-z]\w*(?:[_:.@=,+-]\w+)+$)
  | (?P<mark>[-–—=.…+*/]$|[-–—=.…]+$)
    """,
    re.VERBOSE | re.DOTALL,
)

_ASSIGNED = re.compile(r"[^\W\d]\w*(?:\[[^]]*\])?\+?=")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'""")
_TAIL = re.compile(r"[,.;:?!…。？！、，؟।)]+$")
# A closing mark after one of these belongs to the prose around it: "main.py," or "/etc?".
_TRIMMED = frozenset(("string", "code", "path", "file", "word", "number", "amount", "url", "ident"))


@dataclass(frozen=True, slots=True)
class LineWord:
    """One word: its text without closing punctuation, that punctuation, and its shape."""

    text: str
    tail: str
    shape: str
    start: int
    end: int


def shape_of(text: str) -> str:
    """The name of the first shape that fits, or `other`."""
    found = _SHAPES.match(text)
    return found.lastgroup or "other" if found else "other"


def words_of(line: str) -> list[LineWord]:
    """The words at the beginning of a line; what lies past `LOOKED_AT` is not looked at."""
    words = []
    for found in _WORD.finditer(line[:LOOKED_AT]):
        text = found.group()
        if text[0] == "#" and not text[1:2].isdigit():
            # A comment: its prose says nothing about the command before it.
            words.append(LineWord("#", "", "comment", found.start(), len(line)))
            break
        if text == "\n" and words and _opens_here_document(words):
            break
        words.append(_word(text, found.start(), found.end()))
        if len(words) == MOST_WORDS:
            break
    return _with_last_letter(words)


def _with_last_letter(words: list[LineWord]) -> list[LineWord]:
    """No sentence ends in an article: a last `a` behind other words is a name, as in `cat a`."""
    if len(words) > 1 and words[-1].text == "a" and not words[-1].tail:
        words[-1] = replace(words[-1], shape="letter")
    return words


def _opens_here_document(words: list[LineWord]) -> bool:
    """What follows is the text of a here-document, not part of the command."""
    return any(word.shape in ("redirect", "redirected") and "<<" in word.text for word in words)


def is_other_letter(char: str) -> bool:
    """A character past Latin and its punctuation, pictures among them."""
    return "\u0370" <= char < "\u2000" or char >= "\u2e80"


def _is_other_script(text: str) -> bool:
    """Letters past Latin in a word that is neither quoted nor a path, a file name or assigned."""
    if text[0] in "\"'`$-./~<>&" or "/" in text or _ASSIGNED.match(text):
        return False
    text = _QUOTED.sub("", text)
    return any(map(is_other_letter, text))


def _word(text: str, start: int, end: int) -> LineWord:
    if text == "\n":
        return LineWord(text, "", "newline", start, end)
    if text.isalpha():
        shape = "word" if len(text) > 1 or text in "aAiI" or not text.isascii() else "letter"
        return LineWord(text, "", shape, start, end)
    if not text.isascii() and _is_other_script(text):
        bare = _TAIL.sub("", text)
        return LineWord(bare or text, text[len(bare) :] if bare else "", "script", start, end)
    tail = _TAIL.search(text)
    if tail and tail.start():
        bare = text[: tail.start()]
        shape = shape_of(bare)
        if shape in _TRIMMED:
            return LineWord(bare, tail.group(), shape, start, end)
    return LineWord(text, "", shape_of(text), start, end)
