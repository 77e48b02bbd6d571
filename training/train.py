"""A LoRA adapter for a Qwen2.5 model, on one GPU.

The weights come as `weights.py` wrote them, with part of the vocabulary. After every epoch the adapter
is saved and answers the requests of --ask. The learning rate falls with the steps or with the time,
whichever is further, so that a run that has to end early has still come to rest.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from transformers import Qwen2Config, Qwen2ForCausalLM
from weights import unpack

TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
END = 151645  # <|im_end|>
MOST = 10_000  # tokens of a batch, padded: what the memory takes


class Adapted(nn.Module):
    """A frozen projection with a low-rank change beside it."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float, dropout: float) -> None:
        super().__init__()
        self.base, self.scale, self.dropout = base, alpha / rank, dropout
        device = base.weight.device
        self.down = nn.Parameter(torch.empty(rank, base.in_features, device=device))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank, device=device))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = functional.dropout(x, self.dropout, self.training)
        change = functional.linear(
            functional.linear(inner, self.down.to(x.dtype)), self.up.to(x.dtype)
        )
        return self.base(x) + change * self.scale


DEVICE = "cuda" if torch.cuda.is_available() else "cpu"  # the latter to try it with a few steps


def build(folder: Path, parts: str) -> tuple[Qwen2ForCausalLM, np.ndarray]:
    """The model in bf16, frozen, and its words. Eager attention: other kernels give NaN on such weights."""
    facts, state = unpack(folder, parts)
    config = Qwen2Config(
        vocab_size=len(facts["words"]), hidden_size=facts["hidden"], intermediate_size=facts["inner"],
        num_hidden_layers=facts["blocks"], num_attention_heads=facts["heads"],
        num_key_value_heads=facts["kv_heads"], rms_norm_eps=1e-6,
        rope_parameters={"rope_type": "default", "rope_theta": 1e6},
        max_position_embeddings=32768, tie_word_embeddings=False,
    )  # fmt: skip
    config._attn_implementation = "eager"
    with torch.device("meta"):
        model = Qwen2ForCausalLM(config)
    model.to_empty(device="cpu")
    missing, unexpected = model.load_state_dict(state, strict=False)
    print("missing", missing[:5], "unexpected", unexpected[:5])
    model.to(device=DEVICE, dtype=torch.bfloat16 if DEVICE == "cuda" else torch.float32)
    # Its frequencies are no weights, and too coarse in bf16.
    model.model.rotary_emb = type(model.model.rotary_emb)(config).to(DEVICE)
    print("rotary", model.model.rotary_emb.inv_freq[:3].tolist(), flush=True)
    return model.requires_grad_(False), np.array(facts["words"])


def adapt(model: Qwen2ForCausalLM, rank: int, alpha: float, dropout: float) -> dict[str, Adapted]:
    found = {}
    for index, layer in enumerate(model.model.layers):
        for part in (layer.self_attn, layer.mlp):
            for name in TARGETS:
                if isinstance(getattr(part, name, None), nn.Linear):
                    made = Adapted(getattr(part, name), rank, alpha, dropout)
                    setattr(part, name, made)
                    found[f"{index}.{name}"] = made
    return found


class Pairs:
    """The conversations, in batches of like length."""

    def __init__(self, path: Path, words: np.ndarray) -> None:
        held = np.load(path)
        self.ids, self.starts, self.ends = held["ids"], held["starts"], held["ends"]
        self.ids = np.searchsorted(words, self.ids)  # the model knows a part of the vocabulary
        self.words, self.end = words, int(np.searchsorted(words, END))
        self.begins = np.concatenate([[0], self.ends[:-1]])

    def __len__(self) -> int:
        return len(self.ends)

    def batches(
        self, order: np.ndarray, size: int, chance: np.random.Generator
    ) -> list[np.ndarray]:
        lengths = (self.ends - self.begins)[order] + chance.integers(0, 12, len(order))
        ordered = order[np.argsort(lengths, kind="stable")]
        made, at = [], 0
        while at < len(ordered):
            longest = int((self.ends - self.begins)[ordered[at : at + size]].max())
            end = at + max(1, min(size, MOST // longest))
            made.append(ordered[at:end])
            at = end
        chance.shuffle(made)
        return made

    def tensors(self, rows: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        longest = int((self.ends[rows] - self.begins[rows]).max())
        ids = torch.full((len(rows), longest), self.end)
        mask = torch.zeros((len(rows), longest), dtype=torch.long)
        labels = torch.full((len(rows), longest), -100)
        for i, row in enumerate(rows):
            b, s, e = self.begins[row], self.starts[row], self.ends[row]
            ids[i, : e - b] = torch.from_numpy(self.ids[b:e].astype(np.int64))
            mask[i, : e - b] = 1
            labels[i, s - b : e - b] = ids[i, s - b : e - b]
        return ids.to(DEVICE), mask.to(DEVICE), labels.to(DEVICE)


def loss_of(model: Qwen2ForCausalLM, pairs: Pairs, rows: np.ndarray) -> torch.Tensor:
    ids, mask, labels = pairs.tensors(rows)
    hidden = model.model(input_ids=ids, attention_mask=mask).last_hidden_state[:, :-1]
    wanted = labels[:, 1:]
    counts = wanted != -100
    return functional.cross_entropy(model.lm_head(hidden[counts]).float(), wanted[counts])


@torch.no_grad()
def answers(
    model: Qwen2ForCausalLM, asked: Pairs, *, samples: int, longest: int = 90
) -> list[list[int]]:
    """Greedy answers (samples = 0), or so many sampled ones of each, as token ids."""
    model.eval()
    out: list[list[int]] = [[] for _ in range(len(asked) * max(1, samples))]
    order = np.argsort(asked.ends - asked.begins)
    for at in range(0, len(order), 96):
        rows = order[at : at + 96]
        width = int((asked.ends[rows] - asked.begins[rows]).max())
        ids = torch.full((len(rows), width), asked.end)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for i, row in enumerate(rows):
            text = asked.ids[asked.begins[row] : asked.ends[row]].astype(np.int64)
            ids[i, width - len(text) :] = torch.from_numpy(text)
            mask[i, width - len(text) :] = 1
        how = {"do_sample": False}
        if samples:
            how = {
                "do_sample": True,
                "temperature": 0.7,
                "top_p": 0.95,
                "num_return_sequences": samples,
            }
        made = model.generate(
            input_ids=ids.to(DEVICE), attention_mask=mask.to(DEVICE), max_new_tokens=longest,
            eos_token_id=asked.end, pad_token_id=asked.end, **how,
        )  # fmt: skip
        for i, line in enumerate(made[:, width:].tolist()):
            each = max(1, samples)
            said = line[: line.index(asked.end)] if asked.end in line else line
            out[int(rows[i // each]) * each + i % each] = asked.words[said].tolist()
    model.train()
    return out


def save(found: dict[str, Adapted], path: Path, alpha: float) -> None:
    """Half-precision arrays, in two files: each has to fit the way back."""
    arrays = {}
    for name, module in found.items():
        arrays[f"{name}.down"] = module.down.detach().half().cpu().numpy()
        arrays[f"{name}.up"] = module.up.detach().half().cpu().numpy()
    names = sorted(arrays)
    middle = len(names) // 2
    np.savez(f"{path}-1.npz", alpha=alpha, **{n: arrays[n] for n in names[:middle]})
    np.savez(f"{path}-2.npz", **{n: arrays[n] for n in names[middle:]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--parts", default="good")
    parser.add_argument("--ask", type=Path)
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--alpha", type=float, default=16.0)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--steps", type=int, default=0, help="stop early, for a trial")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--keep", default="last", help="last or every")
    args = parser.parse_args()
    torch.manual_seed(1)
    began = time.monotonic()
    chance = np.random.default_rng(1)
    model, words = build(args.weights, args.parts)
    print(f"loaded in {time.monotonic() - began:.0f} s", flush=True)
    found = adapt(model, args.rank, args.alpha, 0.05)
    model.train()
    pairs = Pairs(args.pairs, words)
    asked = Pairs(args.ask, words) if args.ask else None
    order = chance.permutation(len(pairs))
    apart = args.batch if args.steps else 300
    held, order = order[:apart], order[apart:]
    parameters = [p for module in found.values() for p in (module.down, module.up)]
    optimizer = torch.optim.AdamW(parameters, lr=args.rate, weight_decay=0.0)
    total = args.epochs * len(pairs.batches(order, args.batch, np.random.default_rng(1)))
    step = 0
    for epoch in range(args.epochs):
        losses = []
        for rows in pairs.batches(order, args.batch, chance):
            gone = min(1.0, max(step / total, (time.monotonic() - began) / args.seconds))
            scale = min(1.0, (step + 1) / 40) * (0.05 + 0.475 * (1 + math.cos(math.pi * gone)))
            for group in optimizer.param_groups:
                group["lr"] = args.rate * scale
            loss = loss_of(model, pairs, rows)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.detach())
            step += 1
            if step % 100 == 0 or step <= 3:
                mean = torch.stack(losses[-100:]).mean().item()
                print(
                    f"{step}/{total} loss {mean:.4f} {time.monotonic() - began:.0f} s", flush=True
                )
            if step == args.steps or time.monotonic() - began > args.seconds:
                break
        model.eval()
        with torch.no_grad():
            check = [loss_of(model, pairs, held[i : i + 64]).item() for i in range(0, apart, 64)]
        model.train()
        print(f"epoch {epoch + 1} held-out loss {np.mean(check):.4f}", flush=True)
        ended = step == args.steps or time.monotonic() - began > args.seconds
        if args.keep == "every" or epoch + 1 == args.epochs or ended:
            save(found, args.out.with_name(f"{args.out.name}-e{epoch + 1}"), args.alpha)
        if asked is not None:
            told = {"greedy": answers(model, asked, samples=0)}
            if epoch + 1 == args.epochs or ended:
                told["sampled"] = answers(model, asked, samples=4)
            args.out.with_name(f"{args.out.name}-e{epoch + 1}-answers.json").write_text(
                json.dumps(told)
            )
            print(f"answered {time.monotonic() - began:.0f} s", flush=True)
        if ended:
            break


if __name__ == "__main__":
    main()
