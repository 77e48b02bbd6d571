"""What to show while a line is being typed, so that the marker does not flicker."""

from __future__ import annotations

from aish.core.classify.decide import Classification, LineKind, classify
from aish.core.classify.known import WELL_KNOWN, CommandNames

# A word still being typed turns the marker only with evidence this strong and letters this many; a
# finished one with any. Between "find a", "find al" and "find all" the marker so turns once.
STRONG = 3.0
LETTERS = 3


def while_typing(
    line: str, known: CommandNames = WELL_KNOWN, shown: LineKind | None = None
) -> Classification:
    """Classify a line whose last word may be unfinished, given the kind shown so far.

    On Enter, or once the typing pauses, `classify` has the last word.
    """
    found = classify(line, known)
    if shown is None and len(line.split()) == 1:
        shown = "shell"  # as an empty line is; a first letter tells nothing
    if shown is None or found.kind == shown or "meta" in (found.kind, shown):
        return found
    if _finished(line) or (abs(found.score) >= STRONG and " " not in line[-LETTERS:]):
        return found
    return Classification(shown, found.reason, found.text, found.score)


def _finished(line: str) -> bool:
    return line[-1:].isspace() or line[-1:] in "?!.;|&"
