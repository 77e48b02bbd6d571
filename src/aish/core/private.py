"""Lines that nobody keeps: not in the history, whatever else becomes of them."""

from __future__ import annotations

import re

# What is checked for secrets, or to be forgotten, is likely to be one.
_SHOWN = re.compile(r":secrets\s+check\b|:history\s+forget\b")


def is_private(line: str) -> bool:
    """A line with a leading space, or one that shows aish a secret on purpose."""
    return line[:1].isspace() or _SHOWN.match(line) is not None
