"""What follows a secret in the same list and looks like it: the second of five keys is a key too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.found import Found
from aish.core.secrets.observations import form_of
from aish.core.secrets.randomness import is_drawn

_NEXT = re.compile(
    r"""["'`]?(?:[ \t]*,\s{0,40}(?P<quote>["'`])|,?[ \t]*\r?\n[ \t]*(?:(?:[-*•]|\d{1,2}[.):])[ \t]*)?["'`]?)"""
    r"""(?P<value>[^\s"'`,;:]{16,200})(?=["'`]?[ \t]*(?:,|\]|\r?\n|$))"""
)
_MOST = 32


def siblings(text: str, start: int, end: int) -> Iterator[Found]:
    """The drawn values of the same length and form that come after this one, in quotes or lines of their own."""
    size, form = end - start, form_of(text[start:end])
    for _ in range(_MOST):
        found = _NEXT.match(text, end)
        if not found or len(found["value"]) != size or form_of(found["value"]) != form:
            return
        if form not in ("hex", "uuid") and not is_drawn(found["value"], least=16):
            return
        yield (*found.span("value"), "drawn")
        end = found.end("value")
