"""Lines typed at the prompt are taken for what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.classify import (
    WELL_KNOWN,
    LineKind,
    NameKind,
    classify,
    classify_record,
    while_typing,
)
from aish.core.classify.words import LOOKED_AT, words_of
from aish.core.shellsyntax import is_complete

DATA = Path(__file__).parents[3] / "data" / "lines.jsonl"


def labelled() -> list[dict[str, str]]:
    with DATA.open(encoding="utf-8") as rows:
        return [json.loads(row) for row in rows]


def lines(kind: str) -> list[str]:
    return [row["line"] for row in labelled() if row["kind"] == kind]


def ordinary_commands() -> list[str]:
    """Commands to which more can be appended on the same line."""
    return [
        line
        for line in lines("shell")
        if line[0] not in "!$:#" and not set(line) & set("\n#") and "<<" not in line
        if is_complete(line).complete and line[-1] not in "&;"
    ]


def share(found: list[str], kind: str) -> float:
    return sum(classify(line).kind == kind for line in found) / len(found)


class Names:
    """A shell that knows exactly what it is told."""

    def __init__(self, **kinds: NameKind) -> None:
        self.kinds = kinds

    def kind_of(self, word: str) -> NameKind | None:
        return self.kinds.get(word)

    def finds(self, _command: str, _argument: str, /) -> bool:
        return False


@pytest.mark.parametrize("half", ["seen", "hidden"])
def test_ninety_nine_lines_in_a_hundred_are_right(half: str) -> None:
    rows = [row for row in labelled() if row["half"] == half]
    right = sum(classify(row["line"]).kind == row["kind"] for row in rows)
    assert len(rows) > 500
    assert right / len(rows) >= 0.99


@pytest.mark.parametrize("kind", ["shell", "ask"])
def test_everyday_lines_never_trained_on_are_right_both_ways(kind: str) -> None:
    rows = [row for row in labelled() if row["source"] == "blind" and row["kind"] == kind]
    right = sum(classify(row["line"]).kind == kind for row in rows)
    assert len(rows) > 150
    assert right / len(rows) >= 0.99


@pytest.mark.parametrize(
    "line",
    [
        "which python",
        "date; uptime; who",
        "tput lines",
        "git wip",
        "git stauts",
        "make tets",
        "reboot now",
        "unset A",
        "aish cost",
        "aish sessions list",
        "who am i",
        "systemctl retsart nginx",
    ],
)
def test_a_line_whose_first_word_runs_is_a_command_unless_it_reads_as_a_sentence(
    line: str,
) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "which python is better, 2 or 3",
        "date; what is that",
        "git is broken",
        "make this faster",
        "reboot the router now please",
        "who am i talking to",
        "rsync tutorial",
        "docker vs podman",
    ],
)
def test_what_reads_as_a_sentence_is_asked_though_its_first_word_runs(line: str) -> None:
    assert classify(line).kind == "ask"


@pytest.mark.parametrize(
    "line", ["cat über.txt", "mv старый новый", "less übersicht", "ls $HOME x éé", "mkdir année"]
)
def test_names_of_files_in_another_language_make_no_sentence(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line", ["find die größte Datei", "kill den Prozess", "make größe größer?"]
)
def test_words_that_hold_a_sentence_of_another_language_do(line: str) -> None:
    assert classify(line).kind == "ask"


@pytest.mark.parametrize("line", ["expand a", "fold a", "unzip a", "diff b a"])
def test_no_sentence_ends_in_an_article(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("which package provides /usr/bin/dig", "ask"),
        ("which gcc clang", "shell"),
        ("which fzy", "shell"),
        ("zainstaluj nginx", "ask"),
        ("installe nginx", "ask"),
        ("systemclt restart", "shell"),  # one slip away from a command
        ("mytool-x run", "shell"),
        ("tr a-z A-Z < in", "shell"),
        ("sort < all > to", "shell"),
    ],
)
def test_a_long_word_that_runs_nowhere_is_a_verb_and_a_redirection_names_a_file(
    line: str, kind: str
) -> None:
    assert classify(line).kind == kind


def test_a_guess_is_doubtful_and_a_plain_case_is_not() -> None:
    assert classify("make room").doubtful
    for line in ("ls -la", "git status", "what is my ip address?", ":help", "!x", "?x", "ls"):
        assert not classify(line).doubtful, line


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("!ls -la", "ls -la"),
        ("!find all the files", "find all the files"),
        ("$ make me a sandwich", "make me a sandwich"),
        ("  !ls", "ls"),
        ("! grep -q x y", "! grep -q x y"),
        ("!!", "!!"),
        ("!42", "!42"),
        ("!-2", "!-2"),
        ("!$", "!$"),
        ("!?foo?", "!?foo?"),
        ("^old^new", "^old^new"),
        ("$HOME/bin/x", "$HOME/bin/x"),
        (":", ":"),
        (": > file", ": > file"),
        (":(){ :|:& };:", ":(){ :|:& };:"),
    ],
)
def test_forced_and_special_shell_lines_run_as_they_should(line: str, text: str) -> None:
    found = classify(line)
    assert (found.kind, found.text) == ("shell", text)


@pytest.mark.parametrize("line", ["?ls -la", "? ls", "  ?git status", "?:help", "?!ls"])
def test_a_question_mark_in_front_always_asks(line: str) -> None:
    found = classify(line)
    assert found.kind == "ask"
    assert found.text == line.lstrip()[1:].strip()


@pytest.mark.parametrize("line", [":help", ":model fast", "  :cost detail", ":q"])
def test_a_colon_and_a_letter_is_for_aish(line: str) -> None:
    assert classify(line).kind == "meta"
    assert classify(line).text == line.strip()


def test_an_ordinary_line_is_passed_on_unchanged_with_its_private_space() -> None:
    assert classify(" ls -la ").text == " ls -la "


def test_an_empty_line_is_the_shells() -> None:
    assert [classify(line).kind for line in ("", "   ", "\t\n")] == ["shell"] * 3


@pytest.mark.parametrize("tail", [" | less", " && echo done", " > out.txt"])
def test_a_command_stays_one_when_it_is_continued(tail: str) -> None:
    assert share([line + tail for line in ordinary_commands()], "shell") >= 0.995


def test_sudo_keeps_a_command_a_command() -> None:
    found = ["sudo " + line for line in ordinary_commands() if line[0].isalpha()]
    assert share(found, "shell") >= 0.99


@pytest.mark.parametrize("lead", ["how do I ", "what does ", "why would I use ", "explain "])
def test_talking_about_a_command_is_no_command(lead: str) -> None:
    # With an operator in front there is no command to talk about.
    found = [lead + line for line in lines("shell") if "\n" not in line and line[0] not in "&>#|"]
    assert share(found, "ask") >= 0.99


def test_please_makes_no_request_a_command() -> None:
    found = ["please " + line for line in lines("ask") if line[0] not in "?:!$"]
    assert share(found, "ask") >= 0.995


def test_a_request_stays_one_with_a_capital() -> None:
    assert share([line[0].upper() + line[1:] for line in lines("ask")], "ask") >= 0.99


@pytest.mark.parametrize("frame", ['git commit -m "{}"', 'grep -rn "{}" .', "echo {}", 'echo "{}"'])
def test_prose_given_to_a_command_does_not_make_it_a_question(frame: str) -> None:
    found = [line for line in lines("ask") if not set(line) & set("\"'`$\\!\n#;|&<>()")]
    assert share([frame.replace("{}", line) for line in found], "shell") >= 0.995


def test_surrounding_spaces_change_nothing() -> None:
    for row in labelled():
        assert classify(f"  {row['line']}  ").kind == classify(row["line"]).kind


def test_programs_that_are_not_installed_are_known() -> None:
    nothing = Names()
    for line in ("docker ps -a", "kubectl get pods", "brew install wget", "terraform plan", "htop"):
        assert classify(line, nothing).kind == "shell"


def test_an_alias_of_the_user_is_strong_evidence() -> None:
    assert classify("deploy prod now").kind == "ask"
    found = classify("deploy prod now", Names(deploy="function"))
    assert (found.kind, found.reason) == ("shell", "deploy is your alias or function")


def test_a_sentence_is_asked_even_if_it_begins_with_an_alias() -> None:
    line = "please list all the files that are larger than the others in this directory"
    assert classify(line, Names(please="alias")).kind == "ask"


def test_a_word_the_live_shell_can_run_is_run() -> None:
    assert classify("hello").kind == "ask"
    assert classify("hello", Names(hello="program")).kind == "shell"


def test_every_decision_has_a_one_line_reason() -> None:
    for row in labelled():
        reason = classify(row["line"]).reason
        assert reason
        assert "\n" not in reason
        assert len(reason) < 120


def test_only_the_beginning_of_a_huge_line_is_looked_at() -> None:
    assert words_of("x" * 8_000_000)[-1].end <= LOOKED_AT
    assert classify("ls " * 3_000_000).kind == "shell"
    assert classify("what is this " * 600_000).kind == "ask"
    assert classify(" " * 8_000_000 + "git status").kind == "shell"


def test_a_record_carries_the_line_as_given_its_kind_and_the_reason() -> None:
    assert classify_record(" git status") == {
        "line": " git status",
        "kind": "shell",
        "reason": "git is a program",
    }


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_classified(line: str) -> None:
    assert classify(line).kind in ("meta", "shell", "ask")
    assert classify(line) == classify(line, WELL_KNOWN)


def turns(line: str) -> int:
    """How often the marker turns while a line is typed key by key."""
    shown = None
    count = 0
    for end in range(1, len(line) + 1):
        found = while_typing(line[:end], shown=shown).kind
        count += shown is not None and found != shown
        shown = found
    return count


def test_the_marker_seldom_turns_twice_while_typing() -> None:
    sample = [row["line"] for row in labelled()[::12] if row["line"][0] not in ":?!$"]
    often = sum(turns(line) > 2 for line in sample)
    assert often / len(sample) <= 0.03


def test_a_finished_word_turns_the_marker_and_an_unfinished_weak_one_does_not() -> None:
    assert while_typing("find a", shown="shell").kind == "shell"
    assert while_typing("find all the files ", shown="shell").kind == "ask"


def test_the_letters_of_a_first_word_do_not_turn_the_marker_before_it_says_something() -> None:
    for word, kind in (("keep", "shell"), ("quux", "shell"), ("please", "ask")):
        shown: LineKind | None = None
        for end in range(1, len(word)):
            shown = while_typing(word[:end], shown=shown).kind
            assert shown == "shell"
        assert while_typing(word, shown=shown).kind == kind


@pytest.mark.parametrize(
    "line",
    [
        "clear old kernels",
        "free port 8080",
        "nginx returns nothing at all",
        "postgres dump all databases",
        "make tests pass",
        "make the loop faster",
        "kubectl get all failing pods please",
        "touch a file called x",
        "npm install hangs",
        "cargo build crashes",
        "o que este comando faz",
    ],
)
def test_a_turn_of_phrase_makes_a_request_of_words_that_run(line: str) -> None:
    assert classify(line).kind == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "apt depends curl",
        "apt rdepends libc6",
        "docker restart web",
        "pnpm why react",
        "zypper what-provides cc",
        "make fast",
        "make test run",
        "clear -x",
        "free -h",
        "nginx -t",
        "grep please notes",
        "touch called",
        "exit 3",
    ],
)
def test_subcommands_and_targets_that_read_like_words_are_commands(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "make: *** [Makefile:12: test] Error 1",
        "-bash: ./run.sh: Permission denied",
        "systemd[1]: nginx.service: Main process exited, code=exited",
        "W: GPG error: http://example.org stable InRelease: NO_PUBKEY 1234",
        "curl: (7) Failed to connect to localhost port 8080",
        "echo server in C, show me how",
        "clean up; make test",
        "stop nginx; start apache",
        "test the function f(x) = x + 1",
    ],
)
def test_what_a_program_said_and_what_is_set_as_a_task_is_asked(line: str) -> None:
    assert classify(line).kind == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "taill error /var/log/syslog",
        "qtrap 'echo got' INT; sleep 30",
        "myprog web; tail web.log",
        "dvc ui",
        "torchrun train",
        ": > log",
        "echo hello, world",
        "cd C: && dir",
        "diff a - b",
    ],
)
def test_a_mistyped_name_beside_a_path_or_a_command_and_programs_of_every_trade_run(
    line: str,
) -> None:
    assert classify(line).kind == "shell"
