"""An adapter for the smallest built-in model, written by hand: it changes nothing."""

from __future__ import annotations

import struct
from pathlib import Path

WIDTH = 576  # of SmolLM2-135M
TEXT, NUMBER = 8, 6  # kinds of facts in a GGUF file
SINGLE = 0  # numbers of 32 bits
PLACE = 32  # where the numbers begin, and where each tensor does


def empty_adapter(path: Path) -> Path:
    """A LoRA of rank one on one matrix, in llama.cpp's form, all of it zeros."""
    facts = [
        _text("general.type", "adapter"),
        _text("general.architecture", "llama"),
        _text("adapter.type", "lora"),
        _string("adapter.lora.alpha") + struct.pack("<If", NUMBER, 1.0),
    ]
    tensors = [
        _tensor("blk.0.attn_q.weight.lora_a", (WIDTH, 1), 0),
        _tensor("blk.0.attn_q.weight.lora_b", (1, WIDTH), 4 * WIDTH),
    ]
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    head += b"".join([*facts, *tensors])
    path.write_bytes(head + bytes(-len(head) % PLACE) + bytes(8 * WIDTH))
    return path


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def _text(key: str, value: str) -> bytes:
    return _string(key) + struct.pack("<I", TEXT) + _string(value)


def _tensor(name: str, shape: tuple[int, int], offset: int) -> bytes:
    return _string(name) + struct.pack("<IQQIQ", 2, *shape, SINGLE, offset)
