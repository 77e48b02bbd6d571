"""Brace expansion over characters that know whether they were quoted."""

from __future__ import annotations

from itertools import pairwise

Char = tuple[str, int]  # a character and how it came about
Chars = list[Char]

TYPED, QUOTED, EXPANDED, BREAK = range(4)
MOST = 2_000


class TooManyWords(Exception):  # a fact about the command
    """A brace expansion that would fill the memory."""


def expand_braces(chars: Chars) -> list[Chars]:
    """Every word that `{a,b}` and `{1..5}` make of one.

    Raises: TooManyWords.
    """
    if ("{", TYPED) not in chars:
        return [chars]
    done: list[Chars] = []
    pending = [chars]
    while pending:
        word = pending.pop()
        found = _first_group(word)
        if found is None:
            done.append(word)
        else:
            start, end, choices = found
            pending += [word[:start] + choice + word[end:] for choice in reversed(choices)]
        if len(done) + len(pending) > MOST:
            raise TooManyWords
    return done


def _first_group(chars: Chars) -> tuple[int, int, list[Chars]] | None:
    for start, char in enumerate(chars):
        if char != ("{", TYPED) or (start and chars[start - 1][0] == "$"):
            continue
        found = _group_at(chars, start)
        if found is not None:
            return found
    return None


def _group_at(chars: Chars, start: int) -> tuple[int, int, list[Chars]] | None:
    depth, commas, at = 0, [start], start
    for at in range(start, len(chars)):
        if chars[at] == ("{", TYPED):
            depth += 1
        elif chars[at] == ("}", TYPED):
            depth -= 1
            if depth == 0:
                break
        elif chars[at] == (",", TYPED) and depth == 1:
            commas.append(at)
    else:
        return None
    bounds = [*commas, at]
    if len(bounds) > 2:
        pairs = pairwise(bounds)
        return start, at + 1, [chars[a + 1 : b] for a, b in pairs]
    numbers = _sequence("".join(text for text, _ in chars[start + 1 : at]))
    if numbers is None:
        return None
    return start, at + 1, [[(c, TYPED) for c in number] for number in numbers]


def _sequence(text: str) -> list[str] | None:
    ends = text.split("..")
    if len(ends) not in (2, 3) or not all(ends):
        return None
    first, last = ends[0], ends[1]
    if _is_number(first) and _is_number(last):
        if abs(int(last) - int(first)) > MOST:
            raise TooManyWords
        step = 1 if int(last) >= int(first) else -1
        return [str(n) for n in range(int(first), int(last) + step, step)]
    if len(first) == 1 and len(last) == 1:
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)]
    return None


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdigit() and len(digits) < 19
