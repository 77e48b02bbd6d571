"""Digests: what is kept of turns that left the view."""

from __future__ import annotations

from aish.core.context.log import Log
from aish.core.context.summary import digest
from aish.core.messages import ToolCall


def log_of(*requests: str) -> Log:
    log = Log()
    for request in requests:
        log.add_user(request)
        log.add_assistant("CMD: ls -l\nthat lists them")
    return log


def test_a_digest_lists_requests_and_proposals_in_order() -> None:
    assert digest("", log_of("list  the\nfiles", "again").entries, 1000) == (
        "- user: list the files\n- proposed: ls -l\n- user: again\n- proposed: ls -l"
    )


def test_a_digest_says_what_was_called_but_not_what_was_printed() -> None:
    log = Log()
    log.add_user("[exec output]\nboom\n\nwhy?", output=len("[exec output]\nboom\n\n"))
    log.add_assistant("", [ToolCall("c", "read", '{"path": "a"}')])
    log.add_result("c", "secret contents")
    assert digest("", log.entries, 1000) == '- user: why?\n- called read {"path": "a"}'


def test_a_digest_that_grows_too_long_keeps_the_task_and_the_newest() -> None:
    notes = "- user: make the release"
    for n in range(60):
        notes = digest(notes, log_of(f"question number {n}").entries, 300)
        assert len(notes) <= 300
    assert notes.startswith("- user: make the release")
    assert "question number 59" in notes and "question number 30" not in notes


def test_a_digest_never_exceeds_its_limit_however_small() -> None:
    entries = log_of("x" * 500, "y" * 500).entries
    for limit in range(0, 200, 7):
        assert len(digest("z" * 300, entries, limit)) <= limit
