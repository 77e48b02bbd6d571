"""A GGUF file's tensors in parts small enough to carry, and back as a state of plain matrices.

`weights.py MODEL.gguf FOLDER NAME PAIRS.npz` writes NAME.json and NAME-00, NAME-01, …; the input embedding
is left out where the output matrix, its better quantised twin, is there. Of the vocabulary only the
common words and those of the pairs travel.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

PART = 56 << 20
COMMON = 12_000  # a tokenizer learns the frequent words first
NAMES = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}  # fmt: skip


def pack(model: Path, folder: Path, name: str, pairs: Path) -> None:
    import gguf

    words = np.union1d(np.arange(COMMON), np.load(pairs)["ids"]).astype(np.int64)

    reader = gguf.GGUFReader(str(model))
    field = {key.rpartition("qwen2.")[2]: value for key, value in reader.fields.items()}
    facts: dict[str, Any] = {
        "hidden": field["embedding_length"].contents(),
        "inner": field["feed_forward_length"].contents(),
        "blocks": field["block_count"].contents(),
        "heads": field["attention.head_count"].contents(),
        "kv_heads": field["attention.head_count_kv"].contents(),
        "words": words.tolist(),
        "tensors": [],
    }
    names = {tensor.name for tensor in reader.tensors}
    data = bytearray()
    for tensor in reader.tensors:
        if tensor.name == "token_embd.weight" and "output.weight" in names:
            continue
        shape = [int(n) for n in reversed(tensor.shape)]
        raw = tensor.data.tobytes()
        if tensor.name in ("output.weight", "token_embd.weight"):
            raw = np.frombuffer(raw, np.uint8).reshape(shape[0], -1)[words].tobytes()
            shape[0] = len(words)
        facts["tensors"].append([tensor.name, int(tensor.tensor_type), shape, len(data), len(raw)])
        data += raw
    folder.mkdir(parents=True, exist_ok=True)
    facts["bytes"] = len(data)
    (folder / f"{name}.json").write_text(json.dumps(facts))
    for index, at in enumerate(range(0, len(data), PART)):
        (folder / f"{name}-{index:02}").write_bytes(data[at : at + PART])
    print(len(data), "bytes,", index + 1, "parts")


def unpack(folder: Path, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The model's measures and its tensors under their names in transformers, in bf16."""
    import torch

    facts = json.loads((folder / f"{name}.json").read_text())
    whole = folder / f"{name}.bin"
    if not whole.exists() or whole.stat().st_size != facts["bytes"]:
        with whole.open("wb") as out:
            for part in sorted(folder.glob(f"{name}-[0-9][0-9]")):
                out.write(part.read_bytes())
    state = {}
    with ProcessPoolExecutor(14) as pool:
        jobs = [(str(whole), *tensor) for tensor in facts["tensors"]]
        for found, matrix in pool.map(_matrix, jobs):
            # bf16 crosses between the processes as its upper half of float32
            state[_name(found)] = torch.from_numpy(matrix).view(torch.bfloat16)
    if "lm_head.weight" in state and "model.embed_tokens.weight" not in state:
        state["model.embed_tokens.weight"] = state["lm_head.weight"]
    elif "lm_head.weight" not in state:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    return facts, state


def _matrix(job: tuple[str, str, int, list[int], int, int]) -> tuple[str, np.ndarray]:
    from gguf import GGMLQuantizationType
    from gguf.quants import dequantize

    whole, name, kind, shape, at, length = job
    raw = np.fromfile(whole, np.uint8, length, offset=at)
    quantised = GGMLQuantizationType(kind)
    if quantised == GGMLQuantizationType.F32:
        values = raw.view(np.float32).reshape(shape)
    else:
        values = dequantize(raw.reshape(shape[0], -1), quantised).reshape(shape)
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return name, rounded.astype(np.uint16).view(np.int16)


def _name(name: str) -> str:
    if name == "token_embd.weight":
        return "model.embed_tokens.weight"
    if name == "output.weight":
        return "lm_head.weight"
    if name == "output_norm.weight":
        return "model.norm.weight"
    _, block, part, ending = name.split(".")
    return f"model.layers.{block}.{NAMES[part]}.{ending}"


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
