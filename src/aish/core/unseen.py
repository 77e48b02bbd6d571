"""Characters that show a person something else than what a text holds.

The tables are written as the inside of a set in a regular expression.
"""

from __future__ import annotations

from aish.core.patterns import late

# Those that a terminal obeys, that nobody sees, and that turn the direction of text.
OBEYED = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e"
    "\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
JOINERS = "\u200c\u200d"  # between letters that are not ASCII they belong to them (emoji, Persian)
SELECTORS = "\ufe00-\ufe0f"  # one belongs to the sign before it: an emoji, a digit on a key
HIDDEN = late(f"[{OBEYED}{JOINERS}{SELECTORS}]")


def visible(text: str) -> str:
    """The text without them, so that what is read is all there is."""
    return HIDDEN.sub("", text)
