"""Credentials of makers nobody listed, and in places that say what they are, stay here."""

import random

import pytest

from aish.core.secrets.policies import Policy
from aish.core.secrets.recognise import recognise
from aish.core.secrets.redact import Redactor
from support.unseen_credentials import HARMLESS, UNSEEN

AUTO: Policy = "vault+autodetect"
EACH = 40


def leaks(secret: str, sent: str) -> bool:
    """Whether a third of it, or six characters, went out."""
    size = min(len(secret), max(6, len(secret) // 3))
    return any(secret[at : at + size] in sent for at in range(len(secret) - size + 1))


def missed(family: str) -> list[str]:
    rng = random.Random(f"unseen {family}")
    found = []
    for _ in range(EACH):
        text, secret = UNSEEN[family](rng)
        redactor = Redactor()
        whole = f"before it\n{text}\nafter 17"
        sent = redactor.redact(whole, AUTO)
        assert redactor.restore(sent) == whole
        if leaks(secret, sent):
            found.append(text)
    return found


@pytest.mark.parametrize("family", UNSEEN)
def test_few_values_of_any_family_are_missed(family: str) -> None:
    assert len(missed(family)) <= 0.1 * EACH, missed(family)


def test_at_most_three_in_a_hundred_are_missed_over_all() -> None:
    total = sum(len(missed(family)) for family in UNSEEN)
    assert total <= 0.03 * EACH * len(UNSEEN)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_speaks_of_secrets_is_left_alone(text: str) -> None:
    assert not recognise(text)
    assert not recognise(f"line one\n{text}\nline two")


def test_a_value_once_hidden_is_hidden_however_short_it_returns() -> None:
    redactor = Redactor()
    redactor.redact('{"password": "plum"}', AUTO)
    sent = redactor.redact("is plum the word? plumber, plum.", AUTO)
    assert sent == "is $AISH_SECRET_001 the word? plumber, $AISH_SECRET_001."
    assert redactor.mask("plum") == "[hidden]"


def test_a_value_once_masked_is_hidden_from_then_on() -> None:
    redactor = Redactor()
    redactor.mask("export DB_PASSWORD=sunshine")
    assert redactor.redact("I typed sunshine", AUTO) == "I typed $AISH_SECRET_001"


@pytest.mark.parametrize("spelling", ["a%26b%20c%27d1", "a&b c'\\''d1", "a&b c'd1"])
def test_a_value_is_known_in_its_other_spellings(spelling: str) -> None:
    redactor = Redactor({"odd": "a&b c'd1"})
    sent = redactor.redact(f"x {spelling} y", "vault")
    assert sent == "x $AISH_SECRET_001 y"
    assert redactor.restore(sent) == f"x {spelling} y"


def test_a_value_with_colours_inside_is_the_same_value() -> None:
    redactor = Redactor({"x": "hunter2-and-more"})
    assert redactor.redact("\x1b[1mhunter2\x1b[0m-and-more", "vault").startswith("\x1b[1m$AISH")


def test_a_placeholder_is_no_name_of_what_follows_it() -> None:
    redactor = Redactor()
    sent = redactor.redact("ghp_" + "a1B2" * 9 + " DATABASE_URL=postgres://localhost:5432/x1", AUTO)
    assert redactor.redact(sent, AUTO) == sent
