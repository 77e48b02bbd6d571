"""What outlives a sitting: memory, sessions and logs, with a real aish in a terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from support.home import AISH, Home
from support.scripted import STREAM_HEADERS, Step, end_events, scripted_server, stream, text_event
from support.terminal import TerminalProgram

PROMPT = re.compile(r"❯ *$", re.MULTILINE)
MODULE = "aish.store.memory_file"


def logs(home: Home) -> list[Path]:
    return sorted((home.data / "sessions").glob("2*.jsonl"))


def test_what_is_remembered_is_in_the_system_message_of_the_next_session(home: Home) -> None:
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter(":remember the user prefers tea")
            terminal.wait_for("remembered as #1")
            terminal.enter(":quit")
            terminal.wait_exit()
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("Fine.")
            first = server.chats[-1].json["messages"][0]
            assert first["role"] == "system"
            assert "- (fact) the user prefers tea" in first["content"]
            terminal.enter(":remember and cake")
            terminal.wait_for("remembered as #2")
            terminal.enter("?again")
            terminal.wait_for(lambda _: len(server.chats) == 2)
            assert "- (fact) and cake" in server.chats[-1].json["messages"][0]["content"]


def test_a_killed_shell_is_resumed_with_everything(home: Home) -> None:
    slow: list[Step] = [STREAM_HEADERS, text_event("It begins "), 60.0, end_events()]
    with scripted_server(stream("First answer.\n"), slow, stream("Third answer.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?first question")
            terminal.wait_for("First answer.")
            terminal.wait_for(PROMPT)
            terminal.enter("echo between$((1+1))")
            terminal.wait_for("between2")
            terminal.wait_for(PROMPT)
            terminal.enter("?second question")
            terminal.wait_for("It begins")
            os.kill(terminal.process.pid, signal.SIGKILL)
            terminal.process.wait(10)
        (log,) = logs(home)
        with home.shell("sessions", "resume", log.stem) as terminal:
            terminal.wait_for(": 1 question, 2 turns")
            terminal.wait_for("? ?second question")  # offered again
            terminal.settle(0.6)  # a moment to read it
            terminal.press("enter")
            terminal.wait_for("Third answer.")
        contents = [message["content"] for message in server.chats[-1].json["messages"]]
    assert contents[1:3] == ["first question", "First answer.\n"]
    assert "between2" in contents[3]
    assert contents[3].endswith("second question")
    assert logs(home) == [log]


def test_closing_the_window_in_the_middle_of_an_answer_keeps_what_had_arrived(home: Home) -> None:
    slow: list[Step] = [STREAM_HEADERS, text_event("It begins "), 60.0, end_events()]
    with scripted_server(slow) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?a question")
            terminal.wait_for("It begins")
        (log,) = logs(home)
    newest = json.loads(log.read_text().splitlines()[-1])
    assert (newest["content"], newest["finish"]) == ("It begins ", "interrupted")


def test_a_session_is_named_resumed_and_exported_from_the_prompt(home: Home) -> None:
    with scripted_server(stream("It is blue.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?what colour is the sky")
            terminal.wait_for("It is blue.")
            terminal.wait_for(PROMPT)
            terminal.enter(":save heaven")
            terminal.wait_for("saved as 'heaven'")
            terminal.press("ctrl-d")
            terminal.wait_exit()
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.type(":resume hea\t")
            terminal.wait_for(":resume heaven")
            terminal.press("enter")
            terminal.wait_for(": 1 question, 2 turns")
            terminal.enter(":export md sky.md")
            terminal.wait_for("written to")
            terminal.enter(":export json sky.md")
            terminal.wait_for("[y/N]")
            terminal.type("n")
            terminal.wait_for("as it was")
    text = (home.path / "sky.md").read_text()
    assert "what colour is the sky" in text
    assert "It is blue." in text


def test_an_approval_that_cannot_be_logged_keeps_the_command_from_running(home: Home) -> None:
    home.data.mkdir(parents=True)
    (home.data / "sessions").write_text("in the way")
    with scripted_server(stream("CMD: touch made-it\n"), stream("Still here.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?do it")
            terminal.wait_for("[r]un")
            terminal.type("r")
            terminal.wait_for("the command does not run")
            terminal.enter("?go on")
            terminal.wait_for("Still here.")
    assert not (home.path / "made-it").exists()


def test_private_lines_are_in_no_file(home: Home) -> None:
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter(" echo hid\\den-command")
            terminal.wait_for("\nhidden-command")
            terminal.enter(" ?hidden question")
            terminal.wait_for("Fine.")
            terminal.wait_for(PROMPT)
            terminal.enter("echo sh\\own")
            terminal.wait_for("\nshown")
            terminal.wait_for(PROMPT)
            terminal.enter(":quit")
            terminal.wait_exit()
    kept = "".join(path.read_text() for path in home.data.rglob("*.jsonl"))
    assert "shown" in kept
    assert "hidden" not in kept


def test_what_a_private_question_mentions_is_in_no_file(home: Home) -> None:
    (home.path / "notes").write_text("".join(f"hidden-{n}\n" for n in range(4000)))
    for words in (["init", "-q"], ["add", "notes"]):
        subprocess.run(["git", *words], cwd=home.path, env=home.env, check=True)
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter(" ?what is in @diff")
            terminal.wait_for("Fine.")
            terminal.wait_for(PROMPT)
        sent = server.chats[-1].json["messages"][-1]["content"]
    assert "hidden-0\n" in sent
    assert "[the whole is in" not in sent
    assert not list(home.cache.glob("output/*"))


def test_a_private_single_question_offers_no_command(home: Home) -> None:
    with scripted_server(stream("Here:\n\nCMD: touch made\n")) as server:
        home.use_server(server.url)
        with home.shell(" make it") as terminal:
            terminal.wait_exit()
            assert "touch made" in terminal.text
            assert "[r]un" not in terminal.text
    assert not list(home.data.glob("sessions/*"))


def test_summaries_are_kept_one_by_one(home: Home) -> None:
    proposed = stream("fact: likes tea\n", "- pref: short answers\n", "context: sells hats\n")
    with scripted_server(stream("Fine.\n"), proposed) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("Fine.")
            terminal.wait_for(PROMPT)
            terminal.enter(":memory summarize")
            terminal.wait_for("(fact): likes tea\nkeep? [y/N/edit]")
            terminal.type("y")
            terminal.wait_for("(pref): short answers\nkeep? [y/N/edit]")
            terminal.press("enter")
            terminal.wait_for("(context): sells hats\nkeep? [y/N/edit]")
            terminal.type("e")
            terminal.wait_for("edit: sells hats")
            terminal.type(" and gloves\r")
            terminal.wait_for("added 2 candidates")
    lines = (home.data / "memory.jsonl").read_text().splitlines()[1:]
    stored = [json.loads(line) for line in lines]
    assert [item["content"] for item in stored] == ["likes tea", "sells hats and gloves"]
    assert all(item["source"] == logs(home)[0].stem for item in stored)


def test_memory_is_not_even_imported_before_the_first_question(home: Home) -> None:
    imports = home.path / "imports"
    command = 'exec 2>"$0"; exec "$@"'
    argv = ["/bin/sh", "-c", command, str(imports), sys.executable, "-X", "importtime", *AISH[1:]]
    assert home.run("memory", "add", "fact", "likes tea").returncode == 0
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        with TerminalProgram(argv, env=home.env, cwd=home.path) as terminal:
            terminal.wait_for("❯")
            terminal.enter("echo rea\\dy")
            terminal.wait_for("\nready")
            assert MODULE not in imports.read_text()
            terminal.enter("?hello")
            terminal.wait_for("Fine.")
            assert MODULE in imports.read_text()


def test_a_one_shot_question_at_a_terminal_can_be_resumed(home: Home) -> None:
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        with home.shell("what is it") as terminal:
            terminal.wait_for("Fine.")
            assert terminal.wait_exit() == 0
        (log,) = logs(home)
        with home.shell("sessions", "resume", log.stem) as terminal:
            terminal.wait_for(": 1 question, 2 turns")


def test_no_secret_is_in_the_log(home: Home) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with scripted_server(stream("Use " + token + " for it.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter(f"echo {token}")
            terminal.wait_for("\n" + token)
            terminal.wait_for(re.compile(r"❯ *$", re.MULTILINE))
            terminal.enter("?what is it for")
            terminal.wait_for("for it.")
            terminal.wait_for(re.compile(r"❯ *$", re.MULTILINE))
            terminal.press("ctrl-d")
            terminal.wait_exit()
    logs = [path.read_text() for path in (home.data / "sessions").glob("*.jsonl")]
    assert logs
    assert token not in "".join(logs)
    assert "[secret]" in "".join(logs)


def test_no_secret_is_in_any_file_however_weak_and_however_long_its_output(home: Home) -> None:
    token = "qzv_live_a1B2c3D4e5F6g7H8i9J0k1L2m3"
    with scripted_server(stream("Fine.\n"), stream("Again.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("export DB_PASSWORD=sunshine")
            terminal.wait_for(PROMPT)
            terminal.enter(f"seq 3000; echo {token}; seq 3000; echo is sun\\shine it")
            terminal.wait_for("is sunshine it")
            terminal.wait_for(PROMPT)
            terminal.enter("?what is it for")
            terminal.wait_for("Fine.")
            terminal.wait_for(PROMPT)
            terminal.enter("echo done$((1+1))")
            terminal.wait_for("done2")
            terminal.wait_for(PROMPT)
            terminal.press("ctrl-d")
            terminal.wait_exit()
    files = [path for path in home.path.rglob("*") if path.is_file()]
    kept = "".join(path.read_text(errors="replace") for path in files)
    assert "echo done" in kept
    assert "[secret]" in kept
    assert token not in kept
    assert "sunshine" not in kept


def test_neither_a_kept_change_nor_a_saved_name_holds_a_secret(home: Home) -> None:
    secret = "Zk7qPw9Xv2Lm4Rt8"
    (home.path / "old.txt").write_text("old\n")
    with scripted_server(stream("CMD: rm old.txt # $AISH_SECRET_001\n")) as server:
        home.use_server(server.url)
        with home.config.open("a") as file:
            file.write('redact = "vault+autodetect"\n')
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter(f"?export DB_PASSWORD={secret} was wrong")
            terminal.wait_for(f"rm old.txt # {secret}")
            terminal.wait_for("[r]un")
            terminal.type("r")
            terminal.wait_for("type run")
            terminal.enter("run")
            terminal.wait_for("old files are kept")
            terminal.enter(f":save about {secret}")
            terminal.wait_for("this name holds a secret")
            terminal.enter(":quit")
            terminal.wait_exit()
    kept = [Path(folder, name) for folder, _, names in os.walk(home.data) for name in names]
    kept = [path for path in kept if "trials" not in path.parts]  # which are still taken away
    assert any(path.name == "record.jsonl" for path in kept)
    assert not [path for path in kept if secret in path.read_text()]
