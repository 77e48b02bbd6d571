"""A line shows every character that would hide in it, or that the terminal would obey."""

from __future__ import annotations

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.layout import BufferControl
from prompt_toolkit.layout.processors import TransformationInput

from aish.ui.unseen_marks import UnseenMarks, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ls \u202eexe.gpj", "ls �exe.gpj"),
        ("rm\u200b -r\u2066", "rm� -r�"),
        ("a\x9b31m\x85b\x7f\x1b[2J", "a<9b>31m<85>b^?^[[2J"),
        ("for x\n\tdo", "for x\n\tdo"),
        ("rm a\ufe0f\ufe0eb x\u200d\u200cy", "rm a��b x��y"),
        (
            "z" + "\u0301" * 6 + " ก" + "\u0e49" * 10,
            "z" + "\u0301" * 4 + "�� ก" + "\u0e49" * 8 + "��",
        ),
        ("می\u200cروم 👩\u200d💻 ❤\ufe0f größe", "می\u200cروم 👩\u200d💻 ❤\ufe0f größe"),
    ],
)
def test_what_is_left_of_a_line_can_all_be_seen(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_while_it_is_edited_keeps_its_places() -> None:
    line = "ls \u202eexe.gpj\u200b"
    given = TransformationInput(
        BufferControl(),
        Document(line),
        0,
        lambda at: at,
        [("", line[:5]), ("bold", line[5:])],
        80,
        9,
    )
    done = UnseenMarks().apply_transformation(given)
    shown = "".join(text for _, text, *_ in done.fragments)
    assert shown == "ls �exe.gpj�"
    assert done.source_to_display(7) == 7
