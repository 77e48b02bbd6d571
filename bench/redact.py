"""Redaction and restoration: megabytes per second over source code, logs, JSON and prose.

    python bench/redact.py [--runs N] [--json FILE]

Each text has a credential every 20 kB and a vault of ten values. What is timed is the whole way:
the text redacted, then restored from a stream of 200-character pieces.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import sysconfig
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from aish.core.secrets.redact import Redactor
from support.credentials import FAMILIES, LOOKALIKES

SIZE = 2_000_000
EVERY = 20_000
LIMIT = 5.0  # on a busy machine too; each value that is found is looked for in all of the text


def source_code() -> str:
    folder = Path(sysconfig.get_paths()["stdlib"])
    parts, size = [], 0
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        parts.append(text)
        size += len(text)
        if size > SIZE:
            break
    return "".join(parts)[:SIZE]


def log_lines(rng: random.Random) -> str:
    lines = (
        f"2026-01-0{n % 9 + 1}T12:00:00.{n % 1000:03d}Z host app[{n % 4000}]: INFO GET "
        f"/api/v1/items/{rng.randrange(10**6)} 200 {rng.random() * 90:.1f}ms "
        f"id={rng.getrandbits(64):x}"
        for n in range(SIZE // 90)
    )
    return "\n".join(lines)[:SIZE]


def json_text(rng: random.Random) -> str:
    rows = [
        {"key": f"item-{n}", "token_count": n, "sha": f"{rng.getrandbits(160):040x}", "on": True}
        for n in range(SIZE // 110)
    ]
    return json.dumps(rows, indent=1)[:SIZE]


def prose(rng: random.Random) -> str:
    words = [
        "the",
        "of",
        "and",
        "to",
        "in",
        "is",
        "that",
        "for",
        "it",
        "as",
        "was",
        "with",
        "be",
        "by",
        "on",
        "not",
        "he",
        "his",
        "but",
        "at",
        "are",
        "this",
    ]
    return " ".join(rng.choice(words) for _ in range(SIZE // 4))[:SIZE]


def with_secrets(text: str, rng: random.Random) -> str:
    makers = list(FAMILIES.values())
    pieces = [text[at : at + EVERY] for at in range(0, len(text), EVERY)]
    return "\n".join(piece + "\n" + rng.choice(makers)(rng)[0] for piece in pieces)


def speed(text: str) -> tuple[float, float]:
    """CPU seconds to redact, and to restore from a stream."""
    redactor = Redactor({str(n): f"vault-value-{n}-{n * 7919}" for n in range(10)})
    begun = time.process_time()
    sent = redactor.redact(text, "vault+autodetect")
    middle = time.process_time()
    restorer = redactor.restorer()
    shown = [restorer.feed(sent[at : at + 200]) for at in range(0, len(sent), 200)]
    shown.append(restorer.finish())
    seconds = time.process_time() - middle
    assert "".join(shown) == text
    return middle - begun, seconds


def measure(runs: int) -> dict[str, float]:
    rng = random.Random(7)
    texts = {
        "source code": source_code(),
        "logs": log_lines(rng),
        "json": json_text(rng),
        "prose": prose(rng),
    }
    figures: dict[str, float] = {}
    total_bytes, total_seconds = 0, 0.0
    for name, plain in texts.items():
        text = with_secrets(plain, rng)
        timings = [speed(text) for _ in range(runs)]
        redact = statistics.median(first for first, _ in timings)
        restore = statistics.median(second for _, second in timings)
        figures[f"{name}: redact, MB/s"] = len(text) / redact / 1e6
        figures[f"{name}: restore, MB/s"] = len(text) / restore / 1e6
        figures[f"{name}: both, MB/s"] = len(text) / (redact + restore) / 1e6
        total_bytes += len(text)
        total_seconds += redact + restore
    figures["all texts: both, MB/s"] = total_bytes / total_seconds / 1e6
    lookalikes = [make(rng) for _ in range(40) for make in LOOKALIKES]
    disturbed = sum(bool(Redactor().find(text, "vault+autodetect")) for text in lookalikes)
    figures["lookalikes disturbed, %"] = 100 * disturbed / len(lookalikes)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.runs)
    for name, value in figures.items():
        print(f"{name:<32} {value:8.1f}")
    verdict = "ok" if figures["all texts: both, MB/s"] >= LIMIT else "UNDER"
    print(f"at least {LIMIT:g} MB/s: {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
