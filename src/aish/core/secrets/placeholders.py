"""What stands for a hidden value, and how a model may write it."""

from __future__ import annotations

import re

MARK = "$AISH_SECRET_"
PLACEHOLDER = re.compile(r"\$(?:\{AISH_SECRET_(\d{3,6})\}|AISH_SECRET_(\d{3,6}))", re.IGNORECASE)
# Any beginning of one at the end of a piece, which the next piece may complete.
_BEGUN = re.compile(
    r"\\?\$(?:\{?(?:A(?:I(?:S(?:H(?:_(?:S(?:E(?:C(?:R(?:E(?:T(?:_\d{0,6})?)?)?)?)?)?)?)?)?)?)?)?)?\Z",
    re.IGNORECASE,
)


def begun(text: str) -> int:
    """Where at the end of a text a placeholder may have begun, with a backslash before it."""
    if text.endswith("\\"):
        return len(text) - 1
    at = text.rfind("$")
    at -= text.endswith("\\", 0, max(at, 0))
    return at if at >= 0 and _BEGUN.match(text, at) else len(text)
