"""How far the estimate of one text is off before any usage is known, by tokenizer.

    PYTHONPATH=src python bench/context/kinds_error.py

The kinds of text and their real counts are in tests/data/kinds.jsonl, made by kinds.py.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from aish.core.context.tokens import get_tokenizer

SAMPLES = Path(__file__).parents[2] / "tests" / "data" / "kinds.jsonl"
MODELS = {
    "gpt4": "gpt-4",
    "gpt4o": "gpt-4o",
    "claude": "claude-sonnet-4.5",
    "llama3": "llama-3.1-8b",
    "llama2": "llama-2-7b",
    "qwen2_5": "qwen2.5-7b",
    "gemma2": "gemma-2-9b",
    "gemma3": "gemma-3-4b",
    "mistral_nemo": "mistral-nemo",
    "deepseek_v3": "deepseek-chat",
    "smollm2": "smollm2",
}


def main() -> None:
    samples = [json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines()]
    print(f"{len(samples)} kinds of text      lowest   median  highest   len/4 lowest")
    for vocabulary, model in MODELS.items():
        count = get_tokenizer(model).count
        off = [count(one["text"]) / one["counts"][vocabulary] - 1 for one in samples]
        plain = min(len(one["text"]) / 4 / one["counts"][vocabulary] - 1 for one in samples)
        print(
            f"{vocabulary:20} {min(off):+9.1%} {statistics.median(off):+8.1%} {max(off):+8.1%}"
            f"   {plain:+8.1%}"
        )


if __name__ == "__main__":
    main()
