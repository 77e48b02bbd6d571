"""What a server leaves of its template at the end of an answer."""

from __future__ import annotations

import time

import pytest

from aish.broker.end_tokens import EndTokens


def read(text: str, size: int) -> str:
    tokens = EndTokens()
    pieces = [tokens.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(pieces) + tokens.finish()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("CMD: ls -l<|im_end|>\n", "CMD: ls -l"),
        ('CMD: echo "hi"<|im_end|>', 'CMD: echo "hi"'),
        ("Hello.<|eot_id|><|endoftext|>", "Hello."),
        ("Hello.\n\n<end_of_turn>", "Hello.\n\n"),
        ("<|return|>", ""),
        ("It ends with <|im_end|>", "It ends with <|im_end|>"),
        ("It is `<|im_end|>`", "It is `<|im_end|>`"),
        ("a<|im_end|>b", "a<|im_end|>b"),
        ("a <|im_end|>\nb<", "a <|im_end|>\nb<"),
        ("sort <in |uniq <|im_e", "sort <in |uniq <|im_e"),
    ],
)
def test_a_token_that_ends_the_turn_is_no_part_of_the_answer_in_whatever_pieces(
    text: str, shown: str, size: int
) -> None:
    assert read(text, size) == shown


def test_a_model_that_goes_on_ending_its_turn_has_said_what_it_said() -> None:
    assert read("Hello." + "<|endoftext|>" * 300, 13) == "Hello."


@pytest.mark.parametrize("unit", ["<|im_end|>", "x<|im_end|>", "<|im_end|> <|"])
def test_an_answer_of_nothing_but_tokens_is_read_at_once(unit: str) -> None:
    started = time.process_time()
    read(unit * 20_000 + "x", 64)
    assert time.process_time() - started < 4
