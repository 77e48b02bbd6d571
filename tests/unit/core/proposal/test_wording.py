"""What a small model reads when a command is wanted."""

from __future__ import annotations

from aish.core.proposal.wording import HEAD, TAIL, MachineFacts, asked


def test_a_very_long_request_keeps_its_beginning_and_its_end() -> None:
    request = "list " + "x " * 5000 + "the end"
    shown = asked(request, MachineFacts(files=("a.txt",)))
    assert shown.startswith("[files here: a.txt]\nlist x")
    assert shown.endswith("the end")
    assert len(shown) < HEAD + TAIL + 50


def test_a_usual_request_is_left_as_it_is() -> None:
    request = "y" * (HEAD + TAIL)
    assert asked(request, MachineFacts()) == request
