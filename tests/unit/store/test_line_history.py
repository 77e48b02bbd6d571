from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from aish.store.history import AI, ASKED, LineHistory, bash_lines
from support.masks import WordMask


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.jsonl"


def test_lines_are_shared_and_repeats_stand_where_they_were_used_last(path: Path) -> None:
    one, two = LineHistory(path), LineHistory(path)
    for line in ("ls", "make", "ls"):
        one.add(line)
    two.add("pwd")
    assert two.newest_first() == one.newest_first() == ["pwd", "ls", "make"]
    assert one.newest_first(limit=2) == ["pwd", "ls"]


def test_private_blank_and_repeated_lines_are_absent(path: Path) -> None:
    history = LineHistory(path)
    for line in (" secret", "\tsecret", "", "  ", "ls", "ls"):
        history.add(line)
    assert "secret" not in path.read_text()
    assert path.read_text().count("\n") == 1


def test_commands_of_the_model_are_marked(path: Path) -> None:
    history = LineHistory(path, clock=lambda: 12.9)
    history.add("make", by=AI)
    assert json.loads(path.read_text()) == {"ts": 12, "line": "make", "by": "ai"}
    assert history.by_ai() == {"make"}
    history.add("ls")
    history.add("make")
    assert history.by_ai() == set()


def test_the_recent_commands_are_told_without_questions_and_what_bash_has_itself(
    path: Path,
) -> None:
    history = LineHistory(path, clock=lambda: 12.9)
    for line in ("ls", ":help", "?why", "!!", "make", "ls"):
        history.add(line)
    history.add("why is that so", by=ASKED)
    history.import_bash("cd\n#1700000000\npwd\n")
    assert history.recent_commands() == [("make", 12), ("ls", 12)]
    assert history.recent_commands(limit=1) == [("ls", 12)]
    assert LineHistory(path.with_name("none")).recent_commands() == []


def test_a_history_that_cannot_be_read_is_empty_and_says_why(tmp_path: Path) -> None:
    history = LineHistory(tmp_path)
    assert history.newest_first() == []
    assert "cannot be read" in history.damage


def test_growth_is_bounded_and_damage_is_set_aside(path: Path) -> None:
    path.write_text('{"line":"torn\n')
    history = LineHistory(path, kept=50, compacted_at=4000)
    for number in range(500):
        history.add(f"command {number % 100}", by=AI if number % 2 else "")
    assert path.stat().st_size < 4200
    assert history.newest_first(5) == [f"command {number}" for number in (99, 98, 97, 96, 95)]
    assert "command 99" in history.by_ai()
    assert path.with_name("history.jsonl.damaged").read_text() == '{"line":"torn\n'
    assert history.damage == ""


STAMPED = """#1700000000
ls -l
#1700000001
for x in 1 2; do
  echo $x
done
#1700000002
 private
#1700000003
ls -l
"""


def test_a_stamped_bash_history_keeps_commands_of_several_lines_whole() -> None:
    assert list(bash_lines(STAMPED)) == [
        ("ls -l", 1700000000),
        ("for x in 1 2; do\n  echo $x\ndone", 1700000001),
        (" private", 1700000002),
        ("ls -l", 1700000003),
    ]


def test_a_plain_bash_history_has_a_command_on_every_line() -> None:
    assert list(bash_lines("ls\n# a comment\nmake\n")) == [
        ("ls", 0), ("# a comment", 0), ("make", 0),
    ]  # fmt: skip


def test_an_imported_history_comes_before_what_is_known_and_only_once(path: Path) -> None:
    history = LineHistory(path)
    history.add("mine")
    assert history.import_bash(STAMPED) == 2
    assert history.import_bash(STAMPED) == 0
    assert history.newest_first() == ["mine", "ls -l", "for x in 1 2; do\n  echo $x\ndone"]
    assert "private" not in path.read_text()


def test_the_prompt_does_not_wait_for_the_decoder() -> None:
    code = "import aish.store.history, sys; sys.exit('msgspec' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_lines_that_hold_a_secret_are_not_kept_and_not_brought_in(path: Path) -> None:
    history = LineHistory(path, mask=WordMask())
    history.add("mysql -phunter2 shop")
    history.add("echo hunter2", AI)
    history.add("ls")
    assert history.import_bash("export DB_PASSWORD=hunter2\nmake\n") == 1
    assert history.newest_first() == ["ls", "make"]
    assert "hunter2" not in path.read_text()


def test_a_forgotten_line_leaves_the_file_and_can_be_entered_again(path: Path) -> None:
    one, two = LineHistory(path), LineHistory(path)
    for line in ("ls", "echo hunter2", "make", "echo hunter2"):
        one.add(line)
    assert two.forget(["echo hunter2", "unknown"]) == 1
    assert "hunter2" not in path.read_text()
    assert one.newest_first() == ["make", "ls"]
    assert one.forget(["make"]) == 1
    assert one.forget(["make"]) == 0
    one.add("make")
    assert one.forget(["make"]) == 1
    assert one.add("make")
    assert one.newest_first() == ["make", "ls"]


def test_what_others_append_is_read_from_where_the_last_reading_ended(path: Path) -> None:
    one, two = LineHistory(path), LineHistory(path)
    assert one.newest_first(follow=True) == []
    assert one.appended() == []
    two.add("ls")
    assert one.appended() is None  # there was no file
    assert one.newest_first(follow=True) == ["ls"]
    two.add("make")
    two.add("pwd")
    with path.open("a") as file:
        file.write('{"ts":1,"line":"on its way"')
    assert one.appended() == ["pwd", "make"]
    assert one.appended() == []
    with path.open("a") as file:
        file.write("}\n")
    assert one.appended() == ["on its way"]


def test_a_file_that_was_rewritten_is_to_be_read_anew(path: Path) -> None:
    one, two = LineHistory(path), LineHistory(path)
    for line in ("ls", "make"):
        two.add(line)
    one.newest_first(follow=True)
    two.forget(["ls"])
    assert one.appended() is None
    assert one.newest_first(follow=True) == ["make"]
    assert one.appended() == []
