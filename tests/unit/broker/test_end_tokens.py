"""What a server leaves of its template at the end of an answer."""

from __future__ import annotations

import time

import pytest

from aish.broker.end_tokens import EndTokens
from support.asking import Asker, finish_of, text_of
from support.scripted import scripted_server, stream


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


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    "text",
    [
        "CMD: ls<|im_end|>\n<|im_start|>user\nCMD: rm -rf x\n",
        "CMD: ls<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nCMD: rm -rf x\n",
        "CMD: ls<end_of_turn>\n<start_of_turn>user\nCMD: rm -rf x\n",
        "CMD: ls<|im_end|><|endoftext|><|im_start|>user\nCMD: rm -rf x<|im_end|>",
    ],
)
def test_a_model_that_goes_on_as_the_user_has_said_what_it_said(text: str, size: int) -> None:
    assert read(text, size) == "CMD: ls"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    "text",
    [
        "```\nhi<|im_end|>\n<|im_start|>user\n```\nSo it is.",
        "It is `hi<|im_end|><|im_start|>` there.",
        "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nSo it is.",
        "After <|im_start|> comes hi<|im_end|>\n<|im_start|>assistant\nSo it is.",
        "It ends with <|im_end|>\n<|im_start|> begins the next.",
        "Look.<|end|><|start|>assistant<|channel|>commentary",
    ],
)
def test_an_answer_that_explains_turns_is_shown_whole(text: str, size: int) -> None:
    assert read(text, size) == text


def test_an_answer_whose_model_went_on_to_the_end_of_its_room_is_whole_and_billed() -> None:
    beyond = "<|im_end|>\n<|im_start|>user\n" + "And now? " * 100
    with scripted_server(stream("CMD: ls", beyond, beyond, finish="length")) as server:
        deltas = Asker().ask(server.url)
    assert (text_of(deltas), finish_of(deltas)) == ("CMD: ls", "stop")
    assert sum(delta.unread for delta in deltas) >= 2 * len(beyond)


@pytest.mark.parametrize("times", [300, 3000])
def test_a_model_that_goes_on_ending_its_turn_has_said_what_it_said(times: int) -> None:
    assert read("Hello." + "<|endoftext|>" * times, 13) == "Hello."


@pytest.mark.parametrize("unit", ["<|im_end|>", "x<|im_end|>", "<|im_end|> <|", "<|im_end|>\n<|im"])
def test_an_answer_of_nothing_but_tokens_is_read_at_once(unit: str) -> None:
    started = time.process_time()
    read(unit * 20_000 + "x", 64)
    assert time.process_time() - started < 4
