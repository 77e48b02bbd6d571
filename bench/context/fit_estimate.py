"""Fits the weights of `core.context.estimate` to real tokenizers, in the peers' environment.

    PYTHONPATH=src:bench/context bench/out/peers/bin/python bench/context/fit_estimate.py \
        [--server http://127.0.0.1:PORT] [--chinese-html FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import urllib.request
from collections.abc import Callable
from pathlib import Path

import corpus
import numpy as np

from aish.core.context.estimate import FEATURES, features


def counters(server: str) -> dict[str, Callable[[str], int]]:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or it fetches one
    import litellm.litellm_core_utils.tokenizers as bundled

    folder = Path(bundled.__path__[0])
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken
    from tokenizers import Tokenizer

    cl100k = tiktoken.get_encoding("cl100k_base")
    claude = Tokenizer.from_file(str(folder / "anthropic_tokenizer.json"))
    found: dict[str, Callable[[str], int]] = {
        "cl100k": lambda text: len(cl100k.encode(text, disallowed_special=())),
        "claude": lambda text: len(claude.encode(text).ids),
    }
    if server:

        def smollm(text: str) -> int:
            body = json.dumps({"content": text}).encode()
            with urllib.request.urlopen(f"{server}/tokenize", body, 30) as answer:
                return len(json.load(answer)["tokens"])

        found["smollm2"] = smollm
    return found


def fit(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Non-negative weights with the least relative error, by projected gradient steps."""
    scaled = rows / wanted[:, None]
    size = np.maximum(scaled.max(axis=0), 1e-9)
    scaled = scaled / size
    weights = np.full(rows.shape[1], 0.1)
    step = 1 / np.linalg.norm(scaled, 2) ** 2
    for _ in range(200_000):
        weights = np.maximum(0, weights - step * (scaled.T @ (scaled @ weights - 1)))
    return weights / size


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--server", default="")
    options.add_argument("--chinese-html", type=Path)
    chosen = options.parse_args()
    texts = corpus.samples(chinese_html=chosen.chinese_html)
    count = counters(chosen.server)
    kinds = [kind for kind, many in texts.items() for _ in many]
    flat = [text for many in texts.values() for text in many]
    rows = np.array([features(text) for text in flat], dtype=float)
    real = {
        name: np.array([how(text) for text in flat], dtype=float) for name, how in count.items()
    }
    # The neediest tokenizer of each text: too high costs a little room, too low a rejected request.
    weight = fit(rows, np.maximum.reduce(list(real.values())))
    print("weights", {name: round(float(w), 3) for name, w in zip(FEATURES, weight, strict=True)})
    for name, truth in real.items():
        own = fit(rows, truth)
        print(name, {n: round(float(w), 3) for n, w in zip(FEATURES, own, strict=True)})
        for kind in texts:
            mine = np.array([k == kind for k in kinds])
            off = (rows[mine] @ weight) / truth[mine] - 1
            best = (rows[mine] @ own) / truth[mine] - 1
            plain = np.array([len(t) / 4 for t, m in zip(flat, mine, strict=True) if m])
            low, mid, high = np.percentile(off, (5, 50, 95))
            lo2, hi2 = np.percentile(best, (5, 95))
            len4 = np.median(plain / truth[mine] - 1)
            print(
                f"  {kind:8} n={mine.sum():4} "
                f"weights p5 {low:+.0%} median {mid:+.0%} p95 {high:+.0%}"
                f"   own fit p5 {lo2:+.0%} p95 {hi2:+.0%}   len/4 median {len4:+.0%}"
            )


if __name__ == "__main__":
    main()
