"""Commands are followed as the shell would run them."""

import dataclasses

import pytest

from aish.core.safety import Situation
from aish.core.safety.situation import FileCount
from aish.core.safety.user_rules import UserRule, parse_rule
from support.safety import samples, verdict


class OneProject:
    """A disk with one existing file and one directory that git ignores."""

    def exists(self, path: str) -> bool:
        return path == "/home/user/project/kept.txt"

    def is_folder(self, path: str) -> bool:
        return path == "/home/user/src"

    def count_below(self, path: str) -> FileCount | None:
        return FileCount(1204) if path == "/home/user/src" else None

    def found(self, tests: tuple[str, ...], cwd: str) -> FileCount | None:
        del cwd
        return FileCount(20_000, more=True) if tests == ("logs", "-name", "*.log") else None

    def ignored(self, path: str) -> bool:
        return path.startswith("/home/user/project/node_modules")

    def matching(self, pattern: str) -> FileCount | None:
        return FileCount(12) if pattern == "/home/user/project/*.log" else None


HERE = Situation(project="/home/user/project", session_temp="/tmp/aish-1", files=OneProject())


def test_the_reason_says_what_is_lost_and_how_much() -> None:
    found = verdict("rm -rf ~/src", HERE)
    assert found.level == "destructive"
    assert found.reason == "deletes ~/src and everything below it, 1,204 files"
    assert found.paths == ("/home/user/src",)
    assert found.rule == "rm/deletes"


def test_what_find_deletes_is_counted_up_to_a_limit_that_is_said() -> None:
    said = "deletes everything that matches below ~/project/logs, more than 20,000 files"
    for command in (
        "find logs -name '*.log' -delete",
        "find logs -name '*.log' -exec rm -f {} +",
        "find logs -name '*.log' -print -exec /bin/rm {} \\;",
    ):
        found = verdict(command, HERE)
        assert (found.level, found.reason) == ("destructive", said), command


def test_a_search_that_would_act_while_it_is_counted_is_not_counted() -> None:
    for command in (
        "find logs -name '*.log' -exec touch {} \\; -fprint out -delete",
        "find logs -name '*.log' -okdir ls {} \\; -files0-from x -delete",
        'find logs -name "$x" -delete',
    ):
        found = verdict(command, HERE)
        assert found.level == "destructive", command
        assert "files" not in found.reason.replace("files0", ""), command


def test_a_file_that_is_read_and_written_by_one_command_is_lost() -> None:
    for command in (
        "uniq names.txt names.txt", "openssl enc -aes-256-cbc -in a.doc -out ./a.doc -k x",
        "python3 -m json.tool a.json a.json", "convert a.png a.png", "git show HEAD:x > x",
        "exec 3< a.txt; bash <&3", "find . -name '*.txt' -exec tee {} \\; < in.txt",
    ):  # fmt: skip
        assert verdict(command).level == "destructive", command
    for command in ("convert a.png b.png", "uniq a b", "cp a.txt b.txt", "git show HEAD:x > y"):
        assert not verdict(command).flagged, command


def test_what_a_pattern_names_is_counted() -> None:
    assert verdict("rm *.log", HERE).reason == "deletes ~/project/*.log, 12 files"
    assert verdict("rm *.txt", HERE).reason == "deletes ~/project/*.txt"


def test_paths_are_those_that_will_be_used() -> None:
    assert verdict("cd /tmp && rm ../etc/x").paths == ("/etc/x",)
    assert verdict("D=/srv; rm -rf $D/data").paths == ("/srv/data",)
    assert verdict("rm {a,b}").paths == ("/home/user/project/a", "/home/user/project/b")


def test_what_git_ignores_in_the_project_may_go() -> None:
    assert verdict("rm -rf node_modules", HERE).level == "harmless"
    assert verdict("rm -rf /home/user/other/node_modules", HERE).flagged
    assert verdict("cd / && rm -rf node_modules", HERE).flagged


def test_the_temporary_directory_of_the_session_is_free() -> None:
    assert verdict("rm -rf /tmp/aish-1/x", HERE).level == "harmless"
    assert verdict("rm -rf /tmp/aish-1", HERE).flagged
    assert verdict("rm -rf /tmp/aish-1/../x", HERE).flagged


def test_a_new_file_is_harmless_and_an_existing_one_is_not() -> None:
    assert verdict("ls > new.txt", HERE).level == "harmless"
    assert verdict("ls > kept.txt", HERE).level == "destructive"
    assert verdict("mv new.txt kept.txt", HERE).level == "destructive"
    assert verdict("mv a.txt b.txt", HERE).level == "harmless"
    assert verdict("ls >> kept.txt", HERE).level == "harmless"


def test_settings_files_are_guarded_even_where_one_works_in_home() -> None:
    home = Situation(cwd="/home/user")
    assert verdict("echo x >> .bashrc", home).level == "destructive"
    assert verdict("echo x > notes.md", home).level == "harmless"


@pytest.mark.parametrize("name", ["PATH=/tmp/x:$PATH", "LD_PRELOAD=./x.so", "GIT_SSH_COMMAND=x"])
def test_a_dangerous_variable_before_a_harmless_command_is_flagged(name: str) -> None:
    assert verdict(f"{name} git status").flagged
    assert verdict(f"env {name} git status").flagged
    assert verdict(f"export {name}; git status").flagged


def test_hidden_characters_are_never_harmless() -> None:
    for character in ("\x1b", "\u202e", "\u200b", "\r", "\x00", "\ufeff"):
        assert verdict(f"ls {character}").flagged


def test_commands_in_commands_are_followed_to_a_depth_and_no_further() -> None:
    command = "ls"
    for _ in range(3):
        command = "sh -c " + "'" + command.replace("'", "'\\''") + "'"
    assert verdict(command).level == "harmless"
    for _ in range(7):
        command = "sh -c " + "'" + command.replace("'", "'\\''") + "'"
    assert verdict(command).flagged


@pytest.mark.parametrize(
    "command",
    [
        "echo " + "$(echo " * 1000 + "x" + ")" * 1000,
        "(" * 1000 + "ls" + ")" * 1000,
        "{ " * 500 + "ls;" + " };" * 500,
        "if ls; then " * 100 + "ls; " + "fi; " * 100,
        "x+=$x$x;" * 1000,
        "echo {1..9}{1..9}{1..9}{1..9}{1..9}",
        "eval " * 100 + "ls",
        "for i in {1..12}; do " * 5 + "ls; " + "done; " * 5,
    ],
)
def test_what_is_nested_or_grown_beyond_reason_is_refused(command: str) -> None:
    assert verdict(command).flagged


def test_broken_syntax_is_not_harmless() -> None:
    for command in ("ls '", "if ls", "ls )", "for", "echo $(", "cat <<EOF\n$(rm"):
        assert verdict(command).flagged, command


def test_two_parsers_must_see_the_same_commands() -> None:
    assert verdict("{rm,-rf,/home/user}").flagged


def test_a_destructive_part_more_never_gives_a_laxer_verdict() -> None:
    order = ("harmless", "unknown", "destructive")
    for _, command in samples("benign"):
        before = order.index(verdict(command).level)
        after = order.index(verdict(f"{command}\nrm -rf /srv").level)
        assert after >= before and after > 0, command


def test_user_rules_can_make_stricter() -> None:
    rules = (parse_rule("deny program curl"), parse_rule("ask path ~/project/docs", "/home/user"))
    assert verdict("curl https://example.com", rules=rules).level == "destructive"
    assert verdict("echo hi > docs/x.md", rules=rules).level == "unknown"
    assert verdict("rm docs/x.md", rules=rules).level == "destructive"


def test_user_rules_loosen_only_what_they_name() -> None:
    rules = (parse_rule("allow program terraform"),)
    assert verdict("terraform apply", rules=rules).level == "harmless"
    assert verdict("terraform apply; rm -rf x", rules=rules).level == "destructive"
    exact = (parse_rule("allow command rm -rf build"),)
    assert verdict("rm -rf build", rules=exact).level == "harmless"
    assert verdict("rm -rf build ", rules=exact).level == "harmless"
    assert verdict("rm -rf build src", rules=exact).flagged


def test_no_rule_makes_the_unreadable_harmless() -> None:
    rules = (UserRule("allow", "effect", "unreadable"), parse_rule("allow command ls '"))
    assert verdict("ls '", rules=rules).flagged


def test_a_rule_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="a rule is"):
        parse_rule("permit everything")


def test_values_are_immutable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        verdict("ls").level = "unknown"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["$AISH_SECRET_001", "${aish_secret_002}"])
def test_a_placeholder_that_nothing_stands_for_is_asked_about(name: str) -> None:
    found = verdict(f"echo '{name}'", HERE)
    assert found.level == "unknown"
    assert found.reason.startswith(f"lacks the secret for {name}: it could act there")
