"""aish by its own name: scripts, slips, `cmd`, and settings, as a user runs them."""

from __future__ import annotations

import json
import stat
import sys

import pytest

from aish.cli import COMMANDS, RESERVED
from support.home import Home
from support.scripted import scripted_server, stream

CONFIG = 'model = "local"  # mine\n\n[ui]\nhighlight = true # nice\n'


def test_a_file_runs_as_a_script_with_arguments_and_its_exit_status(home: Home) -> None:
    script = home.path / "greet"
    script.write_text('echo "hello $1 and $2 from ${0##*/}"; cat; exit 7\n')
    done = home.run("greet", "you two", "me", stdin="piped\n")
    assert done.stdout == "hello you two and me from greet\npiped\n"
    assert done.returncode == 7


def test_a_script_can_name_aish_in_its_first_line(home: Home) -> None:
    bin_ = home.path / "bin"
    bin_.mkdir()
    (bin_ / "aish").write_text(f'#!/bin/sh\nexec {sys.executable} -m aish "$@"\n')
    (bin_ / "aish").chmod(0o755)
    script = home.path / "tool.txt"
    script.write_text('#!/usr/bin/env aish\nprintf "%s." "$@"\nfalse\n')
    script.chmod(0o755)
    home.env["PATH"] = f"{bin_}:{home.env['PATH']}"
    done = home.run("-c", "./tool.txt a 'b c'; echo $?")
    assert done.stdout == "a.b c.1\n"


def test_the_words_of_a_document_are_never_run(home: Home) -> None:
    (home.path / "notes.txt").write_text("touch made-it\n")
    (home.path / "README").write_text("# Tool\n\nThis is what it does.\n")
    with scripted_server(*[stream("Notes.\n")] * 2) as server:
        home.use_server(server.url)
        assert home.run("notes.txt", "what", "is", "this").stdout == "Notes.\n"
        assert home.run("README", "explain").stdout == "Notes.\n"
    assert not (home.path / "made-it").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("docter",), "did you mean doctor?"),
        (("sesions", "list"), "did you mean sessions?"),
        (("memroy", "--json"), "did you mean memory?"),
        *(((name, "something"), "not there yet") for name in RESERVED if name not in COMMANDS),
    ],
)
def test_slips_and_reserved_names_never_reach_a_model(
    home: Home, words: tuple[str, ...], said: str
) -> None:
    with scripted_server() as server:
        home.use_server(server.url)
        done = home.run(*words)
        assert server.chats == []
    assert done.returncode == 2
    assert said in done.stderr


def test_a_sentence_that_begins_like_a_command_is_still_asked(home: Home) -> None:
    with scripted_server(stream("Long.\n")) as server:
        home.use_server(server.url)
        assert home.run("coast", "of", "france").stdout == "Long.\n"


def test_cmd_prints_the_command_alone_and_runs_nothing(home: Home) -> None:
    answer = stream("Sure, this makes it:\n", "CMD: touch made-it\nDone.\n")
    with scripted_server(answer, stream("I cannot.\n")) as server:
        home.use_server(server.url)
        done = home.run("cmd", "make", "it")
        assert (done.returncode, done.stdout, done.stderr) == (0, "touch made-it\n", "")
        none = home.run("cmd", "make", "it")
        assert (none.returncode, none.stdout) == (1, "")
        assert "make it" in json.dumps(server.chats[0].json["messages"][-1])
    assert not (home.path / "made-it").exists()


def test_cmd_says_beside_the_command_what_it_would_destroy(home: Home) -> None:
    with scripted_server(stream("CMD: rm -rf ~\n")) as server:
        home.use_server(server.url)
        done = home.run("cmd", "clean", "up")
    assert (done.returncode, done.stdout) == (0, "rm -rf ~\n")
    assert "destructive" in done.stderr


def test_config_set_changes_one_key_and_keeps_the_comments(home: Home) -> None:
    home.configure(CONFIG)
    assert home.run("config", "set", "ui.highlight", "false").returncode == 0
    assert home.config.read_text() == CONFIG.replace("= true #", "= false #")
    wrong = home.run("config", "set", "ui.highlite", "false")
    assert wrong.returncode == 2
    assert "did you mean highlight?" in wrong.stderr
    assert home.run("config", "show", "x").returncode == 2


def test_config_check_tells_every_fault(home: Home) -> None:
    home.configure("modle = 1\n[ui]\nhighlight = maybe\nprompt = '{nothing}'\n")
    done = home.run("config", "check")
    assert done.returncode == 3
    assert [word in done.stderr for word in ("modle", "line 3", "{nothing}")] == [True] * 3


def test_one_wrong_line_leaves_the_shell_the_rest(home: Home) -> None:
    with scripted_server(stream("Here.\n")) as server:
        home.use_server(server.url, more="modle = 1")
        done = home.run(stdin="?hello\n")
    assert "did you mean model?" in done.stderr
    assert "Here." in done.stdout


def test_forgetting_what_is_not_there_fails(home: Home) -> None:
    home.run("memory", "add", "one")
    assert home.run("memory", "forget", "99").returncode == 1
    assert home.run("memory", "forget", "--json", "1").returncode == 0


def test_session_lists_show_the_directory_in_columns(home: Home) -> None:
    (home.path / "a-project").mkdir()
    with scripted_server(*[stream("Yes.\n")] * 11) as server:
        home.use_server(server.url)
        home.run(stdin="cd a-project\n?first question\n")
        home.run(stdin="?second\n" * 10)
    lines = home.run("sessions", "list").stdout.splitlines()
    assert len(lines) == 2
    places = [line.index("~") for line in lines]
    assert places[0] == places[1]
    assert "~/a-project  first question" in lines[1]


def test_extra_words_are_refused_and_exit_leaves(home: Home) -> None:
    done = home.run(stdin=":undo 3\n:clear all\n:quit now\necho still\n:exit\necho gone\n")
    assert done.stdout == "still\n"
    assert "'3' is not `files`" in done.stderr
    assert done.stderr.count("takes nothing after it") == 2


def test_new_begins_a_session_with_a_log_of_its_own(home: Home) -> None:
    with scripted_server(stream("One.\n"), stream("Two.\n")) as server:
        home.use_server(server.url)
        done = home.run(stdin="?first\n:new\n?second\n")
        assert len(server.chats[1].json["messages"]) == 2
    assert "goes back to the one before" in done.stderr
    assert len(home.run("sessions", "list").stdout.splitlines()) == 2


def test_aish_is_on_the_path_of_its_shell_and_doctor_runs_in_it(home: Home) -> None:
    home.env["PATH"] = "/usr/bin:/bin"
    done = home.run(stdin="aish --version\ncommand -v aish\n:doctor\n:config set model local\n")
    assert done.stdout.startswith("aish ")
    assert f"{home.cache}/bin/" in done.stdout
    assert "python" in done.stdout
    assert home.config.read_text() == 'model = "local"\n'
    assert stat.S_IMODE(home.config.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("./nosuch",), "./nosuch: No such file or directory", 127),
        (("nosuch.sh", "a"), "nosuch.sh: No such file or directory", 127),
        (("folder",), "folder: Is a directory", 126),
        (("binary",), "binary: cannot execute binary file", 126),
    ],
)
def test_what_cannot_run_as_a_script_is_told_and_never_reaches_a_model(
    home: Home, words: tuple[str, ...], said: str, code: int
) -> None:
    (home.path / "folder").mkdir()
    (home.path / "binary").write_bytes(b"echo ran\n" + bytes(range(256)))
    with scripted_server(stream("Never.\n")) as server:
        home.use_server(server.url)
        done = home.run(*words)
        assert server.chats == []
    assert said in done.stderr
    assert (done.stdout, done.returncode) == ("", code)


def test_help_and_version_are_words_too(home: Home) -> None:
    assert home.run("help").stdout == home.run("--help").stdout
    assert home.run("version").stdout == home.run("--version").stdout


def test_scripts_and_single_commands_find_aish_by_its_name(home: Home) -> None:
    home.env["PATH"] = "/usr/bin:/bin"
    (home.path / "tool.sh").write_text("aish docter\n")
    for words in (("tool.sh",), ("-c", "aish docter")):
        assert "did you mean doctor?" in home.run(*words).stderr


def test_a_file_with_a_wrong_line_is_mended_key_by_key(home: Home) -> None:
    home.configure("bogus = 3 # mine\n[ui]\nprompt = 7 # how\n")
    assert home.run("config", "set", "ui.prompt", "PS1").returncode == 0
    assert home.config.read_text() == 'bogus = 3 # mine\n[ui]\nprompt = "PS1" # how\n'
    assert home.run("config", "set", "model", "nosuch").returncode == 3
    assert "nosuch" not in home.config.read_text()
