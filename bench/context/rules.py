"""Rules said in passing that are still in the prompt after a cut, ours and the peers'.

    PYTHONPATH=src:tests:bench/context python bench/context/rules.py [--peers NAME]

A hundred conversations of 40 to 600 questions in 27 languages, cut to 4,096 and 8,192 tokens; the
rules are in bench/data/rules.txt. In the peers' environment (see speed.py) it has their lines too.
"""

from __future__ import annotations

import argparse

import peers

from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from support.rules import SETS, Messages, lost

RESERVE = 512


def with_context(window: int) -> peers.Trim:
    """The conversation as it would have happened: room is made at every question."""

    def fit(messages: Messages) -> Messages:
        context = Context(ContextManagementConfig(window, RESERVE))
        context.set_block("base", str(messages[0]["content"]))
        for message in messages[1:]:
            if message["role"] == "user":
                context.add_user(message["content"])
                context.enforce_budget()
            else:
                context.add_assistant(message["content"])
        return context.to_messages()

    return fit


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--peers", default="", help="only those whose name contains this")
    options.add_argument("--conversations", type=int, default=100)
    options.add_argument("--set", default="rules", choices=SETS)
    chosen = options.parse_args()
    many = range(chosen.conversations)
    for window in (4096, 8192):
        config = ContextManagementConfig(window, RESERVE)
        ways: dict[str, peers.Trim] = {
            "Context": with_context(window),
            "build_final_prompt": lambda m, c=config: build_final_prompt(m, c).messages,
            **peers.installed(window - RESERVE, chosen.peers),
        }
        for name, fit in ways.items():
            gone = lost(fit, many, chosen.set)
            told = f"  lost: {'; '.join(gone)}" if 0 < len(gone) < 10 else ""
            print(
                f"{window:6}  {name:28} {len(many) - len(gone):3} of {len(many)} kept{told}",
                flush=True,
            )


if __name__ == "__main__":
    main()
