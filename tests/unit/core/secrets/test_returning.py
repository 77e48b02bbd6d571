"""A value that was hidden once is hidden wherever it returns, and however it is written."""

import html
import json
import shlex
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, quote_plus

import pytest

from aish.core.context.clamp import clamp_chars, line_ends, line_head, tail_chars
from aish.core.messages import Message
from aish.core.secrets.policies import Policy
from aish.core.secrets.redact import Redactor

AUTO: Policy = "vault+autodetect"


def test_a_value_is_hidden_before_and_after_the_place_that_names_it() -> None:
    text = "tried qhunter2xw first\nexport DB_PASSWORD=qhunter2xw\nthen qhunter2xw again"
    assert "qhunter2xw" not in Redactor().redact(text, AUTO)
    assert "qhunter2xw" not in Redactor().mask(text)


def test_a_value_named_in_a_later_message_is_hidden_in_the_earlier_ones_and_the_tools() -> None:
    messages: list[Message] = [
        {"role": "user", "content": "I typed qhunter2xw"},
        {"role": "user", "content": "export DB_PASSWORD=qhunter2xw"},
    ]
    tools: list[Message] = [{"function": {"description": "for qhunter2xw", "qhunter2xw": 1}}]
    sent = Redactor().redact_request(messages, tools, AUTO)
    assert "qhunter2xw" not in str(sent)
    assert messages[0]["content"] == "I typed qhunter2xw"


@pytest.mark.parametrize(
    "spell",
    [
        quote,
        quote_plus,
        lambda text: quote(text, safe="").lower(),
        html.escape,
        json.dumps,
        lambda text: json.dumps(json.dumps(text)),
        lambda text: json.dumps(text).replace("/", "\\/"),
        repr,
        shlex.quote,
        lambda text: "".join(ch if ch.isalnum() else f"\\{ch}" for ch in text),
    ],
)
def test_a_value_is_known_as_programs_write_it(spell: Callable[[str], str]) -> None:
    value = "p@ss/w0rd \u00e9\U0001f511&<9'x"
    redactor = Redactor({"odd": value})
    text = f"x {spell(value)} y"
    sent = redactor.redact(text, "vault")
    assert "w0rd" not in sent
    assert redactor.restore(sent) == text


def test_a_value_is_found_behind_an_option_and_a_long_one_in_any_word() -> None:
    redactor = Redactor({"x": "plum", "y": "correcthorsebattery"})
    sent = redactor.redact("-xplum aplum -axplum a-xplum xcorrecthorsebatteryx", "vault")
    assert sent == "-x$AISH_SECRET_001 aplum -axplum a-xplum x$AISH_SECRET_002x"


@pytest.mark.parametrize("value", ["qzhunter", "k9Xw2", "horsebatter"])
@pytest.mark.parametrize("around", ["redis-cli -a{} ping", "login ab{}", "it is x{}y", "{}9"])
def test_what_the_model_put_a_value_into_is_the_same_placeholder_in_its_turn(
    value: str, around: str
) -> None:
    redactor = Redactor({"x": value})
    assert redactor.redact(value, "vault") == "$AISH_SECRET_001"
    restorer = redactor.restorer()
    said = around.format("${AISH_SECRET_001}")
    shown = "".join(map(restorer.feed, said)) + restorer.finish()
    assert shown == around.format(value)
    assert redactor.redact(shown, "vault").replace("{", "").replace("}", "") == around.format(
        "$AISH_SECRET_001"
    )
    assert redactor.redact("other" + value, "vault") == "other" + value


def test_a_long_line_and_a_long_value_of_backslashes_are_read_in_linear_work() -> None:
    redactor = Redactor({"x": "a" + "\\" * 40 + "b'\"'c"})
    text = "a" + "\\" * 100_000
    assert redactor.redact(text, "vault") == text
    restorer = redactor.restorer()
    for _ in range(200_000):
        restorer.feed("some text without an end ")


@pytest.mark.parametrize("cut", [clamp_chars, tail_chars])
def test_no_half_of_a_value_is_left_where_a_text_was_cut(
    cut: Callable[[str, int], str],
) -> None:
    value = "correct horse, battery; staple of mine"
    text = ("filler " * 200 + value + " ") * 20
    redactor = Redactor({"wifi": value})
    for limit in range(6000, 8000, 10):
        shorter = redactor.redact(cut(text, limit), "vault")
        assert not [part for part in ("correct horse", "battery", "staple") if part in shorter]
        assert " cut ...]" in shorter


def test_words_beside_a_cut_that_are_no_part_of_a_value_stay() -> None:
    text = "what is mine\n[... 700 characters cut ...]\nmine it is\n"
    assert Redactor({"wifi": "correct horse, mine"}).redact(text, "vault") == text


@pytest.mark.parametrize("cut", [line_head, line_ends])
@pytest.mark.parametrize("value", ["correct horse, battery; staple of mine", "V9kLmQ2x7T" * 8])
def test_no_half_of_a_value_is_left_where_a_line_was_cut(
    cut: Callable[[str, int], str], value: str
) -> None:
    redactor = Redactor({"wifi": value})
    line = f"deploy with {value} and then tell the others of it " + "in a few words " * 20 + value
    for limit in range(20, 300):
        shorter = redactor.redact(cut(line, limit), "vault")
        parts = ("correct horse", "battery", "staple", "V9kLmQ2x", "kLmQ2x7T")
        assert not [part for part in parts if part in shorter]


def test_a_line_that_was_cut_keeps_whole_words_and_says_so() -> None:
    assert line_head("one two three four five", 23) == "one two three four five"
    assert line_head("one two three four five", 22) == "one two three [...]"
    assert line_head("one two three four five", 3) == ""
    line = "one two three four five six seven eight"
    assert line_ends(line, 36) == "one two three [...] seven eight"


@pytest.mark.parametrize(
    "written",
    [
        "K\\xc3\\xa4se\\x3b9",
        "K\\303\\244se\\0739",
        "K\\\\xC3\\\\xA4se;9",
        "K\u034fä\u180bs\ufe0fe;9",
        "Kä\U000e0041se;9",
    ],
)
def test_a_value_is_known_in_the_bytes_of_a_name_and_with_what_nobody_sees(written: str) -> None:
    assert Redactor({"x": "Käse;9"}).redact(f"a {written} b", "vault") == "a $AISH_SECRET_001 b"


def test_an_emoji_is_as_it_was() -> None:
    assert Redactor().redact("❤️ 1️⃣ 👩‍🚀", AUTO) == "❤️ 1️⃣ 👩‍🚀"


def test_threads_beside_each_other_give_every_value_a_placeholder_of_its_own() -> None:
    """Notes, and the tools that `aish mcp serve` offers, have threads of their own."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    redactor = Redactor()

    def work(number: int) -> None:
        for step in range(60):
            words = f"export DB_PASSWORD=qh{number}unter{step}xw"
            assert "unter" not in redactor.redact(words, AUTO)
            assert "unter" not in redactor.mask(words)

    try:
        with ThreadPoolExecutor(8) as together:
            list(together.map(work, range(8)))
    finally:
        sys.setswitchinterval(before)
    placeholders = [redactor.redact(secret.value, AUTO) for secret in redactor.secrets]
    assert len(set(placeholders)) == len(placeholders) == 480
