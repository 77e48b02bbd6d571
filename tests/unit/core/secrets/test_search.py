"""Looking for many words at once finds what looking for each of them does."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aish.core.secrets.candidates import OPENS_SLOT, SLOT
from aish.core.secrets.search import compile_words
from support.met_credentials import FIRST, SECOND, THIRD
from support.relaxed import relaxed

WORDS = ("userid=", "PK=", "=(", "]=", "a=b", "x]=", "-=", "^=")


@pytest.mark.parametrize("words", [WORDS, WORDS[::-1], (*WORDS, "="), ("=",), ("]=",)])
@relaxed
@given(text=st.text(st.sampled_from("userid=PK(]ab-^x"), max_size=60))
@example(text="userid=(")
def test_a_word_is_found_where_it_stands_first(words: tuple[str, ...], text: str) -> None:
    search = compile_words((word, "=", "") for word in words)
    places = {word: text.find(word) for word in words if word in text}
    found = search(text.encode(), 0)
    assert (found is None) == (not places)
    if found:
        word = words[(found.lastindex or 0) - 1]
        assert text.startswith(word, found.start() - word.index("="))
        assert found.start() == min(at + word.index("=") for word, at in places.items())


def test_every_slot_of_the_credentials_that_were_met_has_what_opens_one() -> None:
    rng = random.Random(1)
    families = [*FIRST.values(), *SECOND.values(), *THIRD.values()]
    met = (place.replace("{}", value(rng)) for value, places in families for place in places)
    text = "\n".join(met)
    slots = [slot[0] for slot in SLOT.finditer(text)]
    assert len(slots) > 100
    assert all(map(OPENS_SLOT.search, slots))
