"""Conversations as token ids, by the tokenizer inside a GGUF file: `tokens.py MODEL IN.jsonl OUT.npz`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
    r"\s*[\r\n]+|\s+(?!\S)|\s+"
)


def tokenizer(model: Path) -> Tokenizer:
    """Qwen's byte-level BPE, read from the model file itself."""
    fields = gguf.GGUFReader(str(model)).fields
    tokens: list[str] = fields["tokenizer.ggml.tokens"].contents()
    kinds: list[int] = fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(line.split(" ")) for line in fields["tokenizer.ggml.merges"].contents()]
    made = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    special = [AddedToken(t, special=True) for t, k in zip(tokens, kinds, strict=True) if k == 3]
    made.add_special_tokens(special)
    return made


def prompt(messages: list[dict[str, Any]]) -> str:
    """The chat template of Qwen2.5, up to where the answer begins."""
    turns = [f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages]
    return "".join(turns) + "<|im_start|>assistant\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    made = tokenizer(args.model)
    ids: list[int] = []
    ends, starts = [], []  # where a conversation ends, and where its answer begins
    for line in args.source.open(encoding="utf-8"):
        row = json.loads(line)
        asked = made.encode(prompt(row["messages"])).ids
        answer = made.encode(row["answer"] + "<|im_end|>").ids if row.get("answer") else []
        starts.append(len(ids) + len(asked))
        ids += asked + answer
        ends.append(len(ids))
    np.savez_compressed(args.out, ids=np.array(ids, np.int32), starts=starts, ends=ends)
    print(f"{len(ends)} conversations, {len(ids)} tokens, {max(np.diff([0, *ends]))} at most")


if __name__ == "__main__":
    main()
