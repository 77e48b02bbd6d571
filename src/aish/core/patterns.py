"""Regular expressions that are compiled when they are first looked for.

For what few runs ever need: compiling the sentences of all refusals took a fifth of the time that
all imports of a question took.
"""

from __future__ import annotations

import re
from typing import Any, cast


def late(text: str, flags: int = 0) -> re.Pattern[str]:
    """Used like the pattern it becomes."""
    return cast("re.Pattern[str]", _Late(text, flags))


class _Late:
    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Only before the first use of a method: then it is an attribute of its own."""
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found
