"""Many known values looked for at once are found where each of them is found by itself."""

from __future__ import annotations

import random
from urllib.parse import quote

import pytest

from aish.core.secrets.needles import Needles
from aish.core.secrets.redact import Redactor
from aish.core.secrets.spellings import Needle

WORDS = ["token", "key", "container", "log", "the", "näme", "x1", "of"]
SIGNS = ["=", "-", " ", "/", "%", "'", '"', "&", "+", "\\", "é"]


def _value(dice: random.Random) -> str:
    parts = [dice.choice(WORDS) for _ in range(dice.randint(1, 5))]
    return dice.choice(["", "", "", "=", "'"]) + "".join(
        part + dice.choice([*SIGNS, "", ""]) for part in parts
    )


def _spelt(value: str, dice: random.Random) -> str:
    way = dice.randrange(6)
    if way == 0:
        return quote(value, safe="")
    if way == 1:
        return value.replace("\\", "\\\\").replace('"', '\\"').replace("/", "\\/")
    if way == 2:
        return "".join(ch if ch.isalnum() and ch.isascii() else f"&#{ord(ch)};" for ch in value)
    if way == 3:
        return value.replace("'", "'\"'\"'").replace("=", "\\u003d").replace(" ", "+")
    return value


@pytest.mark.parametrize("seed", range(20))
def test_many_values_are_found_together_where_each_is_found_alone(seed: int) -> None:
    dice = random.Random(seed)
    needles = [Needle.of(value, "f") for value in {_value(dice) for _ in range(300)} if value]
    words = ["word", " ", "=", "container", "token=", "%3D", "\\", "\n"]
    text = "".join(
        _spelt(dice.choice(needles).value, dice) if dice.random() < 0.3 else dice.choice(words)
        for _ in range(400)
    )
    together = {(needle.value, *span) for needle, *span in Needles(needles).places(text)}
    alone = {(needle.value, *span) for needle in needles for span in needle.places(text)}
    assert together == alone


def test_a_value_that_begins_with_an_escaped_sign_is_found_at_the_beginning_of_a_text() -> None:
    needle = Needle.of("=opensesame/7", "f")
    assert list(needle.places("%3Dopensesame%2F7")) == [(0, 17)]
    assert list(needle.places("opensesame/7=opensesame/7")) == [(12, 25)]


def test_values_that_are_learnt_one_by_one_are_hidden_like_those_known_from_the_beginning() -> None:
    values = [f"Kx{number}vQ8-zPw{number * 7}" for number in range(200)]
    learning = Redactor()
    for value in values:
        learning.mask(f"password={value}")
    text = " and ".join(values)
    assert learning.mask(text) == " and ".join(["[hidden]"] * len(values))
    known = Redactor(dict(zip(values, values, strict=True)))
    assert known.mask(text) == learning.mask(text)
