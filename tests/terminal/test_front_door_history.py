"""The front door: the lines of the history are those that ran, shared, and forgotten on demand."""

from __future__ import annotations

import json

from support.home import Home
from support.person import Person


def stored(home: Home) -> list[str]:
    records = map(json.loads, (home.data / "history.jsonl").read_text().splitlines())
    return [record["line"] for record in records]


def earlier(home: Home, *lines: str) -> None:
    home.data.mkdir(parents=True, exist_ok=True)
    records = (json.dumps({"ts": 1_700_000_000, "line": line}) + "\n" for line in lines)
    (home.data / "history.jsonl").write_text("".join(records))


def recalled(person: Person, count: int) -> list[str]:
    """The lines that so many times Up bring, one after the other."""
    found = []
    for _ in range(count):
        person.press("up")
        person.settle()
        found.append(person.text.rpartition("❯")[2].strip())
    person.press("ctrl-c")
    person.at_prompt(person.prompts)
    person.settle()
    return found


def test_the_history_has_the_line_as_bash_expanded_it(home: Home) -> None:
    with Person(home) as person:
        person.do("echo one two")
        assert "got two" in person.do("echo got !$")
        person.do("echo !nosuch")
        person.do("^got^taken")
        assert "again two" in person.do("$ echo again !echo:2")
        assert recalled(person, 4) == [
            "$ echo again two", "echo taken two", "echo got two", "echo one two",
        ]  # fmt: skip
        person.keys("printf ")
        person.type("\x1b.")
        person.wait_for("❯ printf two")
    assert stored(home) == [
        "echo one two", "echo got two", "echo taken two", "$ echo again two",
    ]  # fmt: skip


def test_a_text_of_several_lines_is_kept_as_it_was_typed_or_expanded(home: Home) -> None:
    with Person(home) as person:
        person.do("echo word")
        for text in ("for x in 1 2\ndo echo n$x\ndone", "echo a\necho b!$"):
            wanted = person.prompts + 1
            person.paste(text)
            person.pause(0.2)
            person.press("enter")
            person.at_prompt(wanted)
    assert stored(home) == ["echo word", "for x in 1 2\ndo echo n$x\ndone", "echo a\necho ba"]


def test_a_line_that_bash_refuses_or_that_never_ends_is_in_the_history(home: Home) -> None:
    with Person(home) as person:
        person.do("echo )")
        person.do("# a note")
        person.say("sleep 60")
        person.wait_runs("sleep 60")
        assert stored(home) == ["echo )", "# a note", "sleep 60"]
        person.press("ctrl-c")


def test_what_bash_is_told_to_ignore_is_not_in_the_history(home: Home) -> None:
    (home.path / ".bashrc").write_text("HISTCONTROL=ignoreboth:erasedups HISTIGNORE='ls:pwd*'\n")
    with Person(home) as person:
        for line in ("echo a", "echo b", "ls", "pwd -P", " echo private", "echo a", "echo a"):
            person.do(line)
        assert recalled(person, 3) == ["echo a", "echo b", "echo b"]
        person.do("set +o history")
        person.do("echo unseen")
    assert stored(home) == ["echo a", "echo b", "echo a", "set +o history"]


def test_what_bash_forgets_is_forgotten(home: Home) -> None:
    earlier(home, "echo old", "?why is that so", "export KEY=hunter2")
    with Person(home) as person:
        person.do("echo new")
        numbers = {
            row.split(None, 1)[1]: row.split()[0] for row in person.do("history").splitlines()
        }
        person.do(f"history -d {numbers['export KEY=hunter2']}")
        assert "hunter2" not in (home.data / "history.jsonl").read_text()
        person.do("echo hunter3")
        person.do(" history -d -1")
        assert recalled(person, 1) == [f"history -d {numbers['export KEY=hunter2']}"]
        assert not any("hunter" in line for line in stored(home))
        assert "bash did not have 1 line of the history" in person.do("history -c")
        assert stored(home) == ["?why is that so"]
        person.press("up")
        person.wait_for("? ?why is that so")


def test_lines_are_forgotten_after_a_yes(home: Home) -> None:
    earlier(home, "echo old", "echo hunter2 old")
    with Person(home) as person:
        person.do("echo hunter2 new")
        wanted = person.prompts + 1
        person.say(":history forget hunter2")
        person.wait_for("forget all 2 lines? [y/N]")
        person.type("n")
        person.at_prompt(wanted)
        assert len(stored(home)) == 3
        person.say(":history forget hunter2")
        person.wait_for(lambda t: t.text.count("forget all 2 lines? [y/N]") == 2)
        person.type("y")
        person.at_prompt(wanted + 1)
        assert stored(home) == ["echo old"]
        assert recalled(person, 2) == ["echo old", "echo old"]
        assert "hunter2" not in person.do("history")


def test_sessions_that_are_open_at_once_share_their_lines(home: Home) -> None:
    earlier(home, "echo old")
    with Person(home) as one, Person(home) as two:
        one.do("echo one")
        two.do("echo two")
        assert recalled(one, 3) == ["echo one", "echo two", "echo old"]
        assert recalled(two, 3) == ["echo two", "echo one", "echo old"]
        two.do("uptime -p; echo three")
        one.press("ctrl-r")
        one.wait_for("search:")
        one.keys("three")
        one.wait_for("› uptime -p; echo three")
        one.press("ctrl-g")
        one.settle()
        one.keys("upt")
        one.wait_for("uptime -p; echo three")
        one.press("ctrl-c")
        two.say(":history forget three")
        two.wait_for("this line? [y/N]")
        two.type("y")
        two.wait_for("forgotten")
        one.do("echo more")
        one.pause(0.5)
        assert recalled(one, 4) == ["echo more", "echo one", "echo two", "echo old"]


def test_a_here_document_is_not_found_by_letters_that_stand_far_apart(home: Home) -> None:
    document = "cat > notes <<END\n" + "git commit was made, then pushed\n" * 12 + "END"
    earlier(home, "git commit -m x && git push", document)
    with Person(home) as person:
        person.press("ctrl-r")
        person.wait_for("search:")
        person.keys("gcmpush")
        person.settle()
        assert "› git commit -m x && git push" in person.text
        assert "cat > notes" not in person.text


def test_where_bash_cannot_say_its_newest_line_it_is_kept_as_typed(home: Home) -> None:
    (home.path / ".bashrc").write_text("readonly HISTTIMEFORMAT='%F %T '\n")
    with Person(home) as person:
        person.do("echo one")
        assert recalled(person, 1) == ["echo one"]
    assert stored(home) == ["echo one"]
