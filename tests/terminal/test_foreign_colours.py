"""What others wrote has no colours of its own, wherever it is shown: those are aish's words."""

from __future__ import annotations

import json

from support.home import Home
from support.terminal import TerminalProgram

PAINTED = "\x1b[31mpainted\x1b[7m"
SESSION = "20260513-190101-3fa94c"


def ran_before(home: Home) -> None:
    """A session in which a run ended, told by a model with colours."""
    folder = home.data / "sessions"
    folder.mkdir(parents=True)
    records = [
        {"meta": {"format": 1, "session": SESSION, "directory": "/"}},
        {"role": "user", "content": f"go {PAINTED}"},
        {"role": "assistant", "content": f"gone {PAINTED}"},
        {"event": "run", "goal": f"goal {PAINTED}", "tasks": [f"task {PAINTED}"]},
        {"event": "run_ended", "outcome": "blocked", "reason": f"reason {PAINTED}"},
    ]
    lines = (json.dumps(record) + "\n" for record in records)
    (folder / f"{SESSION}.jsonl").write_text("".join(lines))


def assert_plain(terminal: TerminalProgram) -> None:
    assert b"painted" in terminal.raw
    assert b"\x1b[31mpainted" not in terminal.raw
    assert b"painted\x1b[7m" not in terminal.raw


def test_a_runs_goal_tasks_and_reason_are_shown_plain(home: Home) -> None:
    ran_before(home)
    home.use_server("http://127.0.0.1:9")
    with home.shell("sessions", "resume", SESSION) as terminal:
        terminal.wait_for("❯")
        terminal.enter(":norris status")
        terminal.wait_for("state  goal blocked")
        terminal.wait_for("reason [31mpainted")
        assert_plain(terminal)


def test_a_session_shown_or_exported_to_the_terminal_is_plain(home: Home) -> None:
    ran_before(home)
    for words in (["show"], ["show", "--steps"], ["export"]):
        with home.shell("sessions", *words, SESSION) as terminal:
            terminal.wait_exit()
            assert_plain(terminal)


def test_the_rules_of_a_configuration_are_shown_plain(home: Home) -> None:
    home.configure('[safety]\nrules = ["destructive echo \\u001b[31mpainted\\u001b[7m"]\n')
    with home.shell("safety", "rules") as terminal:
        terminal.wait_exit()
        assert_plain(terminal)
