"""Trying, applying and undoing through the front door."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path

from support.home import Home
from support.person import INSTALLED, Person
from support.scripted import scripted_server, stream

WEEK = "find . -name '*.log' -mtime +7 -delete"


def logs(home: Home) -> Path:
    """Two old logs and a new one."""
    folder = home.path / "logs"
    folder.mkdir()
    old = time.time() - 30 * 86400
    for name in ("first.log", "second.log"):
        (folder / name).write_text(f"{name}\n")
        os.utime(folder / name, (old, old))
    (folder / "today.log").write_text("today\n")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_old_logs_are_tried_looked_at_applied_and_taken_back(home: Home) -> None:
    folder = logs(home)
    with scripted_server(stream(f"This does it:\n\nCMD: {WEEK}\n")) as server:
        home.use_server(server.url)
        with Person(home) as person:
            person.say("?delete all logs older than a week")
            person.wait_for("[t]ry")
            person.pause(0.3)
            person.type("t")
            person.wait_for("[a]pply")
            assert "logs/first.log" in person.text
            assert "2 deleted" in person.text
            assert names(folder) == ["first.log", "second.log", "today.log"]
            person.pause(0.3)
            person.type("a")
            person.wait_for("applied: 2 deleted")
            person.at_prompt()
            assert names(folder) == ["today.log"]
            person.say(":undo files")
            person.wait_for("put these back as they were?")
            person.pause(0.3)
            person.type("y")
            person.wait_for("2 put back")
            person.at_prompt()
    assert names(folder) == ["first.log", "second.log", "today.log"]
    assert (folder / "first.log").stat().st_mtime < time.time() - 29 * 86400


def test_a_run_command_of_the_model_can_be_taken_back_after_a_restart(home: Home) -> None:
    folder = logs(home)
    with scripted_server(stream(f"CMD: {WEEK}\n")) as server:
        home.use_server(server.url)
        with Person(home) as person:
            person.say("?delete all logs older than a week")
            person.wait_for("[t]ry")
            person.pause(0.3)
            person.type("r")
            person.wait_for("type run and Enter")  # it deletes: one key is not enough
            person.pause(0.3)
            person.keys("run\r")
            person.wait_for("old files are kept")
            person.at_prompt()
            assert names(folder) == ["today.log"]
            assert "deleted logs/first.log" in person.do(":changes")
        with Person(home) as person:
            person.say(":undo files")
            person.wait_for("put these back as they were?")
            person.pause(0.3)
            person.type("y")
            person.wait_for("2 put back")
    assert names(folder) == ["first.log", "second.log", "today.log"]


def test_what_the_first_line_of_a_session_changed_is_among_its_changes(home: Home) -> None:
    home.run("try", "--apply", "--", "touch", "outside")
    with Person(home) as person:
        person.say(":try echo words > new.txt")
        person.wait_for("[a]pply")
        person.pause(0.3)
        person.type("a")
        person.wait_for("applied: 1 created")
        person.at_prompt()
        changes = person.do(":changes")
    assert "+words" in changes
    assert "outside" not in changes


def test_a_discarded_trial_changes_nothing_and_the_prompt_is_as_before(home: Home) -> None:
    folder = logs(home)
    with Person(home) as person:
        person.say(":try rm -r logs; echo words > new.txt; ls")
        person.wait_for("[a]pply")
        person.pause(0.3)
        person.type("d")
        person.wait_for("+words")
        person.wait_for(lambda t: t.text.count("[a]pply") > 1)
        person.pause(0.3)
        person.type("\r")
        person.wait_for("discarded; nothing was changed")
        person.at_prompt()
        assert "still here" in person.do("echo still here")
    assert len(names(folder)) == 3
    assert not (home.path / "new.txt").exists()


def test_some_changes_and_a_shell_inside(home: Home) -> None:
    with Person(home) as person:
        person.say(":try touch one two")
        person.wait_for("[a]pply")
        person.pause(0.3)
        person.type("h")
        person.wait_for("a shell inside the trial")
        person.pause(1.0)
        person.say("touch three; exit")
        person.wait_for("3 created")
        assert "history" not in person.text
        person.pause(0.3)
        person.type("s")
        person.wait_for("numbers to apply")
        person.pause(0.3)
        person.say("1 3")
        person.wait_for("applied: 2 created")
        person.at_prompt()
    made = {path.name for path in home.path.iterdir()} & {"one", "two", "three"}
    assert made == {"one", "two"}  # by name: one, three, two


def test_the_difference_of_a_deleted_file_is_what_it_held(home: Home) -> None:
    (home.path / "poem.txt").write_text("roses are red\nviolets are blue\n")
    with Person(home) as person:
        person.say(":try rm poem.txt")
        person.wait_for("[a]pply")
        person.pause(0.3)
        person.type("d")
        person.wait_for("\n-roses are red\n-violets are blue\n")
        person.pause(0.3)
        person.type("\r")
        person.wait_for("discarded; nothing was changed")


def test_a_full_screen_program_in_a_trial_has_the_terminal(home: Home) -> None:
    with Person(home) as person:
        person.say(":try vim -u NONE draft.txt")
        person.wait_for("draft.txt")
        person.pause(1.0)
        person.keys("ihello from vim")
        person.type("\x1b")
        person.pause(0.3)
        person.keys(":wq\r")
        person.wait_for("[a]pply")
        person.pause(0.3)
        person.type("a")
        person.wait_for("applied: 1 created")
        person.at_prompt()
    assert (home.path / "draft.txt").read_text() == "hello from vim\n"


NO_NAMESPACES = "echo 0 > /proc/sys/user/max_user_namespaces; exec"


def test_where_nothing_can_be_tried_that_is_said_and_the_sandbox_offered(home: Home) -> None:
    work = home.path / "work"
    work.mkdir()
    (work / "note").write_text("first\n")
    without = ["unshare", "-Ur", "bash", "-c", f"{NO_NAMESPACES} {INSTALLED}"]
    with Person(home, argv=without) as person:
        person.do("cd work")
        person.say(":try echo refused >> note; touch /usr/aish-outside")
        person.wait_for("in the sandbox instead")
        assert "no user namespaces" in person.text
        person.pause(0.3)
        person.type("n")
        person.wait_for("it did not run")
        person.at_prompt()
        assert (work / "note").read_text() == "first\n"
        person.say(":try echo second >> note; touch /usr/aish-outside")
        person.wait_for(lambda t: t.text.count("in the sandbox instead") > 1)
        person.pause(0.3)
        person.type("y")
        person.wait_for("Permission denied")
        person.at_prompt()
    assert (work / "note").read_text() == "first\nsecond\n"
    assert not Path("/usr/aish-outside").exists()


def test_safety_status_says_what_is_active(home: Home) -> None:
    with Person(home) as person:
        shown = person.do(":safety status")
    assert "trials" in shown
    assert "sandbox" in shown


def aish(home: Home, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(INSTALLED), *words],
        cwd=cwd or home.path,
        env=home.env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_without_a_terminal_the_changes_are_listed_and_thrown_away(home: Home) -> None:
    folder = logs(home)
    done = aish(home, "try", "--", WEEK)
    assert "2 deleted" in done.stdout
    assert done.returncode == 0
    assert len(names(folder)) == 3
    assert aish(home, "try", "--", "exit 7").returncode == 7


def test_apply_and_json_are_for_programs(home: Home) -> None:
    folder = logs(home)
    done = aish(home, "try", "--apply", "--json", "--", WEEK + "; echo said")
    report = json.loads(done.stdout)
    assert [change["kind"] for change in report["changes"]] == ["deleted", "deleted"]
    assert (report["output"], report["status"], report["applied"]) == ("said\n", 0, True)
    assert names(folder) == ["today.log"]


def test_what_the_sandbox_denied_is_said(home: Home) -> None:
    work = home.path / "work"
    work.mkdir()
    done = aish(home, "sandbox", "run", "--", "touch inside /usr/aish-outside", cwd=work)
    assert done.returncode == 1
    assert "denied by the sandbox: " in done.stderr
    assert (work / "inside").exists()
    assert not Path("/usr/aish-outside").exists()


def test_the_commands_of_a_single_question_are_tried_kept_and_taken_back_too(home: Home) -> None:
    folder = logs(home)
    with scripted_server(stream(f"This does it:\n\nCMD: {WEEK}\n")) as server:
        home.use_server(server.url)
        with home.shell("delete all logs older than a week") as terminal:
            terminal.wait_for("[t]ry")
            assert "not recoverable" not in terminal.text
            terminal.settle(0.3)
            terminal.type("t")
            terminal.wait_for("2 deleted")
            terminal.wait_for("[a]pply")
            terminal.settle(0.3)
            terminal.type("\r")
            terminal.wait_exit()
        assert names(folder) == ["first.log", "second.log", "today.log"]
        with home.shell("delete all logs older than a week") as terminal:
            terminal.wait_for("[r]un")
            terminal.settle(0.3)
            terminal.type("r")
            terminal.settle(0.3)
            terminal.type("run\r")
            terminal.wait_for(re.compile(r"aish sessions resume (\S+)` opens"))
            terminal.wait_exit()
            found = re.search(r"aish sessions resume (\S+)`", terminal.text)
        assert found is not None
        assert names(folder) == ["today.log"]
        with home.shell("sessions", "resume", found[1]) as terminal:
            terminal.wait_for("❯")
            terminal.enter(":undo files")
            terminal.wait_for("put these back as they were?")
            terminal.settle(0.3)
            terminal.type("y")
            terminal.wait_for("2 put back")
    assert names(folder) == ["first.log", "second.log", "today.log"]


def test_what_a_single_question_cannot_have_back_is_called_so(home: Home) -> None:
    (home.path / "old").mkdir()
    with scripted_server(stream("Here:\n\nCMD: sudo rm -r old\n")) as server:
        home.use_server(server.url)
        with home.shell("delete old") as terminal:
            terminal.wait_for("[s]kip")
            assert "not recoverable" in terminal.text
