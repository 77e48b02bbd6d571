"""Mentions for programs that embed aish: `aish.mentions(text, root)`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from aish.core.context.tokens import get_tokenizer
from aish.project.mentions import Mentioned, Mentions


def mentions(
    text: str,
    root: str | Path = ".",
    *,
    model: str | None = None,
    max_tokens_each: int = 2000,
    max_tokens: int = 8000,
    allow: Callable[[str], bool] = lambda _: False,
    pictures: bool = False,
) -> Mentioned:
    """What a text mentions with `@`, read below `root`: `.text` goes before the question.

    `allow` is asked about files that may hold credentials and files outside `root`'s project; by
    default they are left out, and `.notices` says so.
    """
    return Mentions(os.environ, allow).attach(
        text,
        str(Path(root).resolve()),
        get_tokenizer(model or ""),
        each=max_tokens_each,
        total=max_tokens,
        pictures=pictures,
    )
