"""What a line is taken for is seen before Enter."""

from __future__ import annotations

from support.home import Home
from support.person import Person


def test_a_doubtful_line_says_so_before_enter_and_a_key_turns_it(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.type("make room")
        terminal.wait_for("? runs, Ctrl-T asks")
        terminal.press("ctrl-t")
        terminal.wait_for(lambda t: "Ctrl-T" not in "\n".join(t.lines))
        terminal.press("ctrl-c")
        terminal.type("ls -la")
        terminal.wait_for("ls -la")
        assert "Ctrl-T" not in "\n".join(terminal.lines)


def test_an_everyday_command_with_a_slip_runs_and_is_not_asked(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("git stauts")
        terminal.wait_for("not a git command")


def test_a_new_line_owes_its_mark_to_no_line_before(home: Home) -> None:
    with home.shell(columns=50) as terminal:
        terminal.wait_for("❯")
        terminal.type("make room for dinner tonight")
        terminal.wait_for("~ ? make room for dinner")
        terminal.press("ctrl-c")
        terminal.wait_for("^C")
        terminal.type("make room")
        terminal.wait_for("❯ make room")
        terminal.wait_for("? runs")


def test_assignments_and_aliases_in_any_letters_run(home: Home) -> None:
    with Person(home) as person:
        person.do("x='日本'")
        person.do('MSG="привет 🎉 мир"')
        person.do("alias hi='echo 你好'")
        assert "日本 привет 🎉 мир" in person.do('printf "%s %s\\n" "$x" "$MSG"')
        assert "你好" in person.do("hi")
        person.do("echo 日本 > file")
        assert "日本" in person.do("grep 日本 file")


def test_lists_and_pipes_of_commands_run_with_small_words_for_names(home: Home) -> None:
    with Person(home) as person:
        assert "this" in person.do("touch this; ls")
        person.do("mv this that")
        assert "that" in person.do("ls; touch this")
        assert "0" in person.do("cat this | wc -c")
        person.do("rm this; ls")
    assert (home.path / "that").exists()
    assert not (home.path / "this").exists()
