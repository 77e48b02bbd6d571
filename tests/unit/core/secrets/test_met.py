"""Credentials in the surroundings in which people meet them stay here, and other lines whole."""

import random
from pathlib import Path

import pytest

from aish.core.secrets.glance import may_hold_one
from aish.core.secrets.policies import Policy
from aish.core.secrets.recognise import recognise
from aish.core.secrets.redact import Redactor
from support.met_credentials import FIRST, SECOND, THIRD, Family

AUTO: Policy = "vault+autodetect"
LINES = Path(__file__).parents[3] / "support" / "harmless_lines.txt"


def leaks(secret: str, sent: str) -> bool:
    """Whether a third of it, or six characters, went out."""
    size = min(len(secret), max(6, len(secret) // 3))
    return any(secret[at : at + size] in sent for at in range(len(secret) - size + 1))


def missed(families: dict[str, Family]) -> tuple[list[str], int]:
    found, total = [], 0
    for name, (value, places) in families.items():
        for number, place in enumerate(places):
            secret = value(random.Random(f"{name} {number}"))
            text = f"before it\n{place.replace('{}', secret)}\nafter 17"
            redactor = Redactor()
            sent = redactor.redact(text, AUTO)
            assert redactor.restore(sent) == text
            total += 1
            if leaks(secret, sent):
                found.append(text)
    return found, total


@pytest.mark.parametrize("families", [FIRST, SECOND, THIRD], ids=["first", "second", "third"])
def test_at_most_six_in_a_hundred_values_are_missed(families: dict[str, Family]) -> None:
    found, total = missed(families)
    assert total >= 200
    assert len(found) <= 0.06 * total, found


def test_at_most_three_in_a_hundred_are_missed_over_all_sets() -> None:
    found, total = missed(FIRST | SECOND | THIRD)
    assert len(found) <= 0.03 * total, found


def test_no_line_that_holds_none_is_disturbed() -> None:
    lines = LINES.read_text().splitlines()
    assert len(lines) >= 400
    assert not [line for line in lines if recognise(line)]
    assert not recognise("\n".join(lines[:40]))


def test_the_cheap_look_before_a_log_misses_nothing_that_the_recogniser_finds() -> None:
    for name, (value, places) in (FIRST | SECOND | THIRD).items():
        for place in places:
            text = place.replace("{}", value(random.Random(name)))
            assert may_hold_one(text) or not recognise(text), text


@pytest.mark.parametrize(
    "piece",
    [
        "key: ", "login(", "connect('a', ", "pin ", "code ", "recovery code ", "user,password\n",
        "2fa ", "{ssha}", ":*:a:b:", "password to ", "secret is ", "abcd 2efg ", "words: ",
        "https://hooks.a.b/", "(password) values (", " -p Ab1", "aB3" * 12 + " ", "net user a ",
    ],
)  # fmt: skip
def test_text_made_to_be_slow_is_read_in_linear_work(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    redactor = Redactor()
    assert redactor.restore(redactor.redact(text, AUTO)) == text
