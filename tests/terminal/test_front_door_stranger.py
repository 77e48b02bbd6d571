"""The front door: what somebody who has used bash for twenty years stumbles over."""

from __future__ import annotations

import re

import pytest

from support.home import Home
from support.person import Person, descendants
from support.scripted import scripted_server, stream


def test_ctrl_d_ends_an_unfinished_command_as_in_bash(home: Home) -> None:
    with Person(home) as person:
        person.say('echo "open')
        person.wait_for("…")
        person.press("ctrl-d")
        person.wait_for("unexpected EOF while looking for matching")
        person.at_prompt(2)
        person.say("cat <<END")
        person.wait_for("…")
        person.say("kept")
        person.pause(0.2)
        person.press("ctrl-d")
        person.wait_for("delimited by end-of-file")
        person.wait_for(lambda t: t.text.count("kept") == 2)
        person.at_prompt(3)


def test_disabled_builtins_are_the_users_and_do_not_stop_the_shell(home: Home) -> None:
    with Person(home) as person:
        person.do("enable -n printf compgen jobs kill read local")
        person.do("false | (exit 4)")
        person.wait_for("4 ❯")
        assert "/printf" in person.do("type printf")
        person.do("enable printf; true")
        assert "builtin" in person.do("type printf")
        assert "is a shell builtin" not in person.do("type jobs")


def test_the_users_own_prompt_is_shown_and_follows_the_directory(home: Home) -> None:
    home.configure('[ui]\nprompt = "PS1"\n')
    (home.path / ".bashrc").write_text("PS1='<\\W> ❯ '\n")
    with Person(home) as person:
        person.wait_for("<~> ❯")
        person.do("cd /usr")
        person.wait_for("<usr> ❯")
        person.say("PS1='new ❯ '")
        person.wait_for("\nnew ❯")


def test_an_answer_is_wrapped_at_words_without_colours(home: Home) -> None:
    words = ["wonderful", "answers", "never", "break", "inside", "words", "they", "are", "made"]
    with scripted_server(stream(*(f"{word} " for word in words * 2))) as server:
        home.use_server(server.url)
        with Person(home, columns=40, env={"NO_COLOR": "1"}) as person:
            wanted = person.prompts + 1
            person.say("?why is that")
            person.at_prompt(wanted)
            answer = person.scrollback.partition("why is that")[2]
    rows = [row.split() for row in answer.splitlines() if "wonderful" in row or "made" in row]
    assert rows
    assert all(word in words for row in rows for word in row)


def test_a_script_on_a_pipe_is_read_as_bash_reads_it(home: Home) -> None:
    lines = [
        *("for i in 1 2", "do echo n$i", "done", "cat <<END", "please tell me a story", "END"),
        *('echo "a', 'b"', "echo c \\", "  d", "exit 3"),
    ]
    done = home.run(stdin="\n".join(lines))
    assert done.stdout.splitlines() == ["n1", "n2", "please tell me a story", "a", "b", "c d"]
    assert (done.stderr, done.returncode) == ("", 3)


def test_a_pipe_that_ends_within_a_command_is_told_what_is_missing(home: Home) -> None:
    done = home.run(stdin='echo exit\necho "open\n')
    shown = done.stdout + done.stderr
    assert shown.startswith("exit\n")
    assert "unexpected EOF while looking for matching" in shown
    assert done.returncode == 2


def test_ctrl_c_at_the_prompt_is_an_interruption_to_the_shell_too(home: Home) -> None:
    with Person(home) as person:
        person.do("ls /usr/bin/env")
        person.keys("never run")
        person.press("ctrl-c")
        person.at_prompt(3)
        assert person.do("echo $? $_") == "130 /usr/bin/env"
        person.press("ctrl-c", "ctrl-c", "ctrl-c")  # as somebody in a hurry does
        person.pause(0.5)
        person.do("trap 'echo caught' INT")
        person.keys("nor this")
        person.press("ctrl-c")
        person.wait_for("\ncaught\n")


def test_keys_of_readline_work_as_in_bash(home: Home) -> None:
    for name in ("one.log", "two.log"):
        (home.path / name).touch()
    with Person(home) as person:
        for keys, line in (
            ("echo *.log\x18*end", "echo one.log two.log end"),
            ('echo $((6*7)) "x"\x1b\x05', "echo 42 x"),
            ("echo a-b c\x01\x1bf\x1bd-z", "echo-z-b c"),
            ("echo aa bb\x1bt", "echo bb aa"),
            ("echo bb_aa=x\x1bb\x1bbX", "echo bb_Xaa=x"),
            ("echo größe\x1b\x7fklein", "echo klein"),
            ("echo ab\x1bqcd", "echo abcd"),
            ("echo one two\x1fX", "echo one X"),  # undo takes back a word
            ("echo one.\x1b*", "echo one.log"),
        ):
            for key in keys.replace("\x1b", "\0\x1b").split("\0"):
                person.type(key[:2]) if key.startswith("\x1b") else person.keys(key)
                person.keys(key[2:] if key.startswith("\x1b") else "")
                person.pause(0.1)
            person.wait_for(f"❯ {line}")
            person.press("ctrl-c")
            person.at_prompt(person.prompts)
        assert person.do("echo one two") == "one two"
        person.keys("ls !!:1 three")
        person.type("\x1b^")
        person.wait_for("❯ ls one three")


def test_a_tab_can_be_typed_as_it_is(home: Home) -> None:
    with Person(home) as person:
        person.keys("echo 'a")
        person.press("ctrl-v", "tab")
        assert person.do("b' | cat -T").endswith("a^Ib")


def test_a_word_of_an_earlier_line_is_taken_from_the_history(home: Home) -> None:
    with Person(home) as person:
        person.do("echo first second")
        assert "got first" in person.do("printf 'got %s\\n' !echo:1")
        assert "printf again\nagain" in person.do("!printf:0 again")


def test_the_commands_of_another_day_are_in_the_history_of_the_shell(home: Home) -> None:
    (home.path / ".bash_history").write_text("echo from-bash\n")
    home.data.mkdir(parents=True)
    (home.data / "history.jsonl").write_text(
        '{"ts": 1700000000, "line": "echo yester$((1))day"}\n'
        '{"ts": 1700000001, "line": "how are you", "by": "asked"}\n'
    )
    with Person(home) as person:
        told = [row.split(None, 1)[1] for row in person.do("history").splitlines()]
        assert told == ["echo from-bash", "echo yester$((1))day", "history"]
        assert "\nyester1day" in person.do("!-2")


def test_a_line_that_wraps_has_the_whole_width_and_no_mark_of_another_line(home: Home) -> None:
    with Person(home) as person:
        person.keys("echo " + "word " * 16)
        person.wait_for(re.compile(r"\nd( word)+ *$", re.MULTILINE))
        assert "…" not in person.text


@pytest.mark.parametrize("leave", ["ctrl-d", ":quit"])
def test_stopped_jobs_are_told_of_first_and_the_second_time_aish_leaves_with_the_last_status(
    home: Home, leave: str
) -> None:
    def go(person: Person) -> None:
        person.say(leave) if leave == ":quit" else person.press(leave)

    with Person(home) as person:
        person.say("sleep 60")
        person.wait_runs("sleep 60")
        person.press("ctrl-z")
        person.wait_for("Stopped")
        person.at_prompt()
        go(person)
        person.wait_for("There are stopped jobs.")
        person.at_prompt()
        assert person.do("echo st=$?") == "st=148"
        person.do("(exit 148)")
        go(person)
        person.wait_for(lambda t: t.text.count("There are stopped jobs.") == 2)
        person.at_prompt()
        go(person)
        assert person.wait_exit() == 148


def test_a_job_that_has_ended_is_not_counted_in_the_prompt(home: Home) -> None:
    with Person(home) as person:
        person.do("sleep 5 &")
        assert "&1 ❯" in person.text
        person.wait_for(lambda t: "sleep 5" not in descendants(t.process.pid))
        assert "Done" in person.do("true")
        assert person.text.rstrip().rpartition("\n")[2].endswith("~ ❯")


def test_a_long_pasted_line_is_edited_and_runs(home: Home) -> None:
    with Person(home) as person:
        person.paste("printf '%s\\n' " + "word " * 3000 + "| sort | uniq -c")
        person.wait_for("uniq -c")
        person.press("ctrl-a")
        person.wait_for("❯ printf")
        person.press("ctrl-e")
        person.say(" | cat")
        person.wait_for("3000 word")


def test_yes_after_a_question_of_the_model_is_a_reply(home: Home) -> None:
    answers = (stream("Shall I go on?\n"), stream("Very well.\n"))
    with scripted_server(*answers) as server:
        home.use_server(server.url)
        with Person(home) as person:
            person.do("?tidy up")
            person.keys("yes")
            person.wait_for("? asks, Ctrl-T runs")
            person.press("enter")
            person.wait_for("Very well.")
            person.at_prompt(3)
        assert server.chats[-1].json["messages"][-1]["content"].endswith("yes")


def test_yes_is_the_program_once_something_ran_and_with_the_key_for_it(home: Home) -> None:
    with scripted_server(stream("Shall I go on?\n")) as server:
        home.use_server(server.url)
        with Person(home) as person:
            person.do("?tidy up")
            person.do("true")
            person.say("yes")
            person.wait_for("\ny\ny\ny\n")
            person.press("ctrl-c")
            person.at_prompt(4)
            person.do("clear; y() { echo mine; }")
            person.do("?tidy up")
            assert person.do("y") == "mine"
        assert len(server.chats) == 2


def test_keys_that_come_with_the_line_are_there_for_a_command_that_reads(home: Home) -> None:
    with Person(home) as person:
        person.type("read x\rhello\recho got-$x-$((1+1))\r")
        person.wait_for("\ngot-hello-2")
        person.at_prompt()
        person.type("cat > kept\rone\rtwo\r\x04echo $((1+1)) after\rec")
        person.wait_for(re.compile("2 after$", re.MULTILINE))
        assert (home.path / "kept").read_text() == "one\ntwo\n"
        person.wait_for("❯ ec")
        person.say("ho whole$((1+1))")
        person.wait_for("\nwhole2")


def test_the_models_are_listed_in_rows_that_end_between_words(home: Home) -> None:
    home.configure(
        'model = "good"\n'
        + "".join(
            f'[models.{name}]\nendpoint = "http://127.0.0.1:9"\nmodel = "{"long-" * size}name"\n'
            for name, size in (("good", 3), ("with-a-long-name", 7), ("other", 10))
        )
    )
    with Person(home, columns=100) as person:
        listed = []
        for columns in (100, 240):
            person.resize(24, columns)
            person.do(":models")
            listed.append(person.scrollback.rpartition(":models")[2].rpartition("\n")[0])
    assert listed[0].count("\n") > listed[1].count("\n")
    assert listed[0].split() == listed[1].split()


def test_the_doctor_breaks_its_lines_between_words_where_there_is_little_room(home: Home) -> None:
    with Person(home, rows=60, columns=40) as person:
        rows = [row.strip() for row in person.do(":doctor").splitlines()]
    assert "40×60, utf-8" in rows  # the end of the terminal's line, on a row of its own
