"""Words put back into a command line."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[\w@%+=:,./-]+\Z")


def quoted(text: str) -> str:
    """The word so that the shell reads it as it is."""
    if _PLAIN.match(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
