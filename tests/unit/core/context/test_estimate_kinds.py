"""The estimate against real vocabularies, on every kind of text; made by bench/context/kinds.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aish.core.context.tokens import get_tokenizer

SAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "data" / "kinds.jsonl").read_text("utf-8").splitlines()
]
MODELS = {
    "gpt4": "gpt-4",
    "gpt4o": "gpt-4o",
    "claude": "claude-sonnet-4.5",
    "llama3": "meta-llama/llama-3.1-8b",
    "llama2": "llama-2-7b",
    "qwen2_5": "Qwen/Qwen2.5-7B",
    "gemma2": "gemma-2-9b",
    "gemma3": "google/gemma-3-4b",
    "mistral_nemo": "mistral-nemo",
    "deepseek_v3": "deepseek-chat",
    "smollm2": "smollm2",
}


def test_there_are_as_many_kinds_as_are_claimed() -> None:
    assert len(SAMPLES) >= 72


@pytest.mark.parametrize("vocabulary", MODELS)
def test_the_estimate_is_never_more_than_a_twentieth_low(vocabulary: str) -> None:
    tokenizer = get_tokenizer(MODELS[vocabulary])
    low = {
        sample["kind"]: tokenizer.count(sample["text"]) / sample["counts"][vocabulary]
        for sample in SAMPLES
    }
    assert {kind: part for kind, part in low.items() if part < 0.95} == {}


def test_a_model_nobody_knows_gets_an_estimate_that_is_not_low_for_any_modern_vocabulary() -> None:
    tokenizer = get_tokenizer("never-heard-of")
    for sample in SAMPLES:
        most = max(count for name, count in sample["counts"].items() if name != "llama2")
        assert tokenizer.count(sample["text"]) >= 0.95 * most, sample["kind"]


# What hardly any vocabulary has a token for: one for each byte is needed then.
RARE = {
    "marks piled on letters": (0x300, 0x370),
    "phonetic letters": (0x180, 0x2B0),
    "icons of a terminal's font": (0xF000, 0xF2E0),
    "separators of a prompt": (0xE0A0, 0xE0D4),
    "newer icons": (0xF0001, 0xF1AF0),
    "presentation forms": (0xFE80, 0xFEFC),
    "graphs of Braille": (0x2800, 0x2900),
}


@pytest.mark.parametrize("model", [*MODELS.values(), "never-heard-of"])
@pytest.mark.parametrize("kind", RARE)
def test_a_character_that_vocabularies_do_not_have_counts_by_its_bytes(
    kind: str, model: str
) -> None:
    first, end = RARE[kind]
    text = "".join(map(chr, range(first, end)))[:1000]
    assert get_tokenizer(model).count(text) >= 0.95 * len(text.encode())


@pytest.mark.parametrize(
    ("text", "real"), [("ＡＢＣＤＥＦ　ｈｅｌｌｏ１２３" * 30, 780), ("，。！？：；（）" * 50, 351)]
)
def test_full_width_is_not_low_for_any_vocabulary(text: str, real: int) -> None:
    assert get_tokenizer("gpt-4").count(text) >= 0.95 * real  # as cl100k has it, the neediest
