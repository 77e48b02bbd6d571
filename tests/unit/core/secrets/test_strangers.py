"""Sets of credentials and of harmless texts by people who saw no rule."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from aish.core.secrets.redact import Redactor
from support.wide_credentials import filled, places

FOLDER = Path(__file__).parents[3] / "data/credentials"
AUTHORS = sorted(path.stem for path in FOLDER.glob("*.txt") if not path.stem.endswith("-none"))


def test_the_sets_are_there() -> None:
    assert len(AUTHORS) >= 4


@pytest.mark.parametrize("author", AUTHORS)
def test_of_a_strangers_values_few_are_left(author: str) -> None:
    rng = random.Random(author)
    left, total = [], 0
    for _, place in places((FOLDER / f"{author}.txt").read_text("utf-8")):
        text, secrets = filled(place, rng)
        redactor = Redactor()
        sent = redactor.redact(text, "vault+autodetect")
        assert redactor.restore(sent) == text
        left += [place for secret in secrets if secret in sent]
        total += len(secrets)
    assert total > 600
    assert len(left) <= 0.06 * total, left


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*-none.txt")))
def test_of_a_strangers_harmless_texts_none_is_disturbed(name: str) -> None:
    texts = (FOLDER / name).read_text("utf-8").strip().split("\n")
    texts = [text.replace("⏎", "\n").replace("⇥", "\t") for text in texts]
    assert len(texts) > 200
    assert [text for text in texts if Redactor().redact(text, "vault+autodetect") != text] == []


@pytest.mark.parametrize(
    "text",
    [
        "password=1.1" + ".a" * 60 + "!",
        "password" * 2500,
        "key" * 7000 + " 0x",
        "key" * 20 + ":new " + "w" * 20_000,
    ],
)
def test_texts_made_to_be_slow_are_read_at_once(text: str) -> None:
    Redactor().redact(text, "vault+autodetect")  # one that is tried in every way would take hours
