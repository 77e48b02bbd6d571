"""Digests: what is kept of turns that left the view."""

from __future__ import annotations

from aish.core.autonomy import goal_line, planned_tasks
from aish.core.context.log import Log
from aish.core.context.pins import pins_in, pins_text
from aish.core.context.summary import digest
from aish.core.context.tokens import get_tokenizer
from aish.core.messages import ToolCall
from aish.core.secrets.redact import Redactor

SECRET = "blue elephants and V9kLmQ2x7TzWb49kLmQ2x7TzWb49kLmQ2x7TzWb4"


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


def hidden(text: str) -> bool:
    """Whether no half of the secret would leave."""
    sent = Redactor({"x": SECRET}).redact(text, "vault")
    return not any(part in sent for part in ("blue elephants", "V9kLmQ2x", "2x7TzWb4"))


def test_no_half_of_a_secret_is_left_where_notes_cut_a_line() -> None:
    for before in range(0, 200, 3):
        entries = log_of(f"{'x ' * before}{SECRET} and more of it " * 3).entries
        assert hidden(digest("", entries, 1000))
        assert hidden(digest("", entries, 100))


def test_no_half_of_a_secret_is_left_where_what_was_laid_down_is_cut() -> None:
    tokenizer = get_tokenizer("")
    for before in range(0, 120, 3):
        said = f"Always use {'x ' * before}{SECRET} {'when you deploy it ' * 10}"
        pins = [*pins_in(said, 0, first=True), *pins_in(f"Never {said}", 1, first=False)]
        for tokens in (40, 60, 90, 130):
            assert hidden(pins_text(pins, tokens, tokenizer))


def test_no_half_of_a_secret_is_left_where_a_task_or_a_reason_is_cut() -> None:
    for before in range(150):
        assert hidden("\n".join(planned_tasks(f"TASK: {'x ' * before}{SECRET} and so on")))
        ended = goal_line(f"GOAL: blocked\n{'x ' * before}{SECRET}{' and so on' * 30}")
        assert ended is not None and hidden(ended.reason)
