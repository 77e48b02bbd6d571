"""The line while it is edited and after: what nobody would see in it has a mark in its place."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.screen import Char

from aish.core.patterns import late
from aish.core.unseen import OBEYED
from aish.ui.style import in_place

MARK = "\N{REPLACEMENT CHARACTER}"
_CONTROL = "\x00-\x1f\x7f-\x9f"  # the editor itself shows these, as ^X or <9b>
_UNSEEN = late(f"(?![{_CONTROL}])[{OBEYED}]")


class UnseenMarks(Processor):
    """A mark for every character that hides, turns the direction of text or is piled on others: a
    line that was pasted or comes from the history is read as what will run.
    """

    def apply_transformation(self, given: TransformationInput) -> Transformation:
        marked: StyleAndTextTuples = [(style, marks(text)) for style, text, *_ in given.fragments]
        return Transformation(marked)


def marks(text: str) -> str:
    """The text, as long as before, with marks."""
    return text if text.isascii() else in_place(_UNSEEN.sub(MARK, text), MARK)


def visible(text: str) -> str:
    """A line as the editor shows it: control characters too can be seen."""
    if text.isascii() and text.isprintable():
        return text
    known = Char.display_mappings
    return "".join(ch if ch in "\n\t" else known.get(ch, ch) for ch in marks(text))
