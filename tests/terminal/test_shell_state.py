"""What persists from line to line in the live shell, as in bash."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live import LiveTerminal


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[LiveTerminal]:
    with LiveTerminal(tmp_path) as terminal:
        yield terminal


def test_directory_variables_aliases_and_functions_stay(
    shell: LiveTerminal, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    assert shell.run("cd sub") == "= 0"
    assert shell.ask("@cwd") == f"in {tmp_path}/sub"
    shell.run("export COLOUR=green; number=7; alias hi='echo hello'; shout() { echo \"$1!\"; }")
    assert shell.run("hi there") == "hello there\n= 0"
    assert shell.run("shout $COLOUR$number") == "green7!\n= 0"
    assert shell.run("bash -c 'echo $COLOUR$number'") == "green\n= 0"
    assert shell.run("cd -; pwd").splitlines()[-2] == str(tmp_path)


def test_statuses_are_exact(shell: LiveTerminal) -> None:
    assert shell.run("true") == "= 0"
    assert shell.run("(exit 42)") == "= 42"
    assert shell.run("sh -c 'kill -TERM $$'").splitlines()[-1] == "= 143"
    assert shell.run("sh -c 'kill -9 $$'").splitlines()[-1] == "= 137"
    assert shell.run("nosuchcommand").splitlines()[-1] == "= 127"
    assert shell.run("/etc/passwd").splitlines()[-1] == "= 126"
    assert shell.run("echo )").splitlines()[-1] == "= 2"
    assert shell.run("false") == "= 1"
    assert shell.run("") == "= 1"
    assert shell.run("# a comment") == "= 1"
    assert shell.run("echo $?") == "1\n= 0"


def test_special_variables_are_those_of_the_users_commands(shell: LiveTerminal) -> None:
    shell.run("false | true | (exit 3)")
    assert shell.run("echo ${PIPESTATUS[@]}") == "1 0 3\n= 0"
    shell.run("echo one two")
    assert shell.run("echo $_") == "two\n= 0"
    shell.run("PS1='mine> '")
    assert shell.run('echo "$PS1"') == "mine>\n= 0"


def test_options_and_traps_stay(shell: LiveTerminal) -> None:
    shell.run("set -o pipefail -u; shopt -s nullglob")
    assert shell.run("false | true") == "= 1"
    assert "unbound" in shell.run("echo $nothing_of_this_name")
    assert shell.run("echo /nothing*here") == "\n= 0"
    shell.run("trap 'echo failed' ERR")
    assert shell.run("false") == "failed\n= 1"
    shell.run("trap 'echo got usr1' USR1")
    assert shell.run("kill -USR1 $$") == "got usr1\n= 0"


def test_tracing_shows_only_the_users_commands(shell: LiveTerminal) -> None:
    shell.run("set -x")
    assert shell.run("echo hi") == "+ echo hi\nhi\n= 0"
    assert shell.run("set +x") == "+ set +x\n= 0"
    shell.run("trap 'echo [$BASH_COMMAND]' DEBUG")
    assert shell.run("echo hi") == "[echo hi]\nhi\n= 0"


def test_editing_off_and_vi_mode_do_not_matter(shell: LiveTerminal) -> None:
    for setting in ("set -o vi", "set +o vi", "set +o emacs", "set -o posix", "set +o posix"):
        shell.run(setting)
        assert shell.run("echo still here") == "still here\n= 0"


def test_constructs_over_several_lines_and_here_documents(shell: LiveTerminal) -> None:
    shell.enter_lines("for i in 1 2; do", "echo n$i; done")
    shell.wait_for("\nn1\nn2\n= 0\naish>")
    shell.enter_lines("cat <<END", "it's $((6*7))", "END")
    shell.wait_for("\nit's 42\n= 0\naish>")


def test_several_commands_in_one_text_run_in_order(shell: LiveTerminal) -> None:
    shell.enter_lines("read -p 'name? ' name", "echo hello $name", "(exit 9)")
    shell.wait_for(re.compile(r"^name\?", re.MULTILINE))
    shell.enter("bob")
    shell.wait_for(re.compile("^hello bob\n= 9\naish>", re.MULTILINE))
    assert shell.run("echo fine") == "fine\n= 0"


def test_an_incomplete_text_is_said_to_be_and_the_shell_goes_on(shell: LiveTerminal) -> None:
    for text in ("echo 'open", "for i in 1 2; do", "cat <<END", "true &&", "echo a \\"):
        assert shell.run(text).splitlines()[-1] == "= 130 incomplete", text
        assert shell.run("echo fine") == "fine\n= 0"


def test_the_shells_history_works_within_the_session(shell: LiveTerminal, tmp_path: Path) -> None:
    (tmp_path / ".bash_history").write_text("echo from before\n")
    shell.run("echo first")
    assert shell.run("!!") == "echo first\nfirst\n= 0"
    assert shell.run("!echo") == "echo first\nfirst\n= 0"
    shell.run(" echo private")
    assert "private" not in shell.run("history | tail -3")
    assert shell.run("exit").splitlines()[-1] == "= 0 ended by exit"
    assert (tmp_path / ".bash_history").read_text() == "echo from before\n"


def test_names_of_the_live_shell_are_known(shell: LiveTerminal) -> None:
    assert shell.ask("@names greet") == "greet unknown"
    shell.run("alias greet='echo hello'; part() { :; }")
    assert shell.ask("@names greet") == "greet known"
    assert shell.ask("@names part") == "part known"
    assert shell.ask("@names __aish_prompt") == "__aish_prompt unknown"
    assert shell.ask("@names export") == "export known"
    assert shell.ask("@names while") == "while known"
    shell.run("unalias greet; unset -f part")
    assert shell.ask("@names greet") == "greet unknown"


def test_a_line_of_eight_megabytes_runs(shell: LiveTerminal, tmp_path: Path) -> None:
    # Typed into the loop through a file, because a terminal's own line ends at 4 KiB.
    (tmp_path / "long.py").write_text(
        "import sys; from pathlib import Path\n"
        "from aish.shell.live import LiveShell\n"
        "shell = LiveShell(rcfile=Path('/dev/null')); shell.start()\n"
        "for size in (5_000, 30_000, 60_000, 8_000_000):\n"
        "    result = shell.run(f\"x='{'y' * size}'; echo ${{#x}}\")\n"
        "    print(result.status, result.output.strip() == str(size), flush=True)\n"
        "print(shell.run('echo after').output.strip(), flush=True)\n"
        "shell.close()\n"
    )
    shown = shell.run(f"{sys.executable} long.py", timeout=120)
    assert shown.count("0 True") == 4, shown
    assert "after" in shown


def test_the_environment_of_a_command_is_the_users(shell: LiveTerminal) -> None:
    assert shell.run("env | grep -ci aish_") == "0\n= 1"
    assert shell.run("ls /proc/self/fd | wc -l") == "4\n= 0"  # 0, 1, 2 and the listing's own
