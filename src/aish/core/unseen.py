"""Characters that show a person something else than what a text holds."""

from __future__ import annotations

import re

# Controls, invisible characters, those that turn the direction of text.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """The text without them, so that what is read is all there is."""
    return HIDDEN.sub("", text)
