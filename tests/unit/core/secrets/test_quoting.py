"""A secret put back into a proposed command is data, whatever is in it."""

from __future__ import annotations

import subprocess

import pytest

from aish.core.actions import offered_commands
from aish.core.secrets.quoting import Answer, in_command
from aish.core.secrets.redact import Redactor

NASTY = "a'b\"c$(touch made)`id`;rm -rf ~ \\ !x"
PLACEHOLDER = "$AISH_SECRET_001"


def fitting(value: str, before: str) -> str:
    answer = Answer()
    answer.take(before)
    return answer.fitting(value, "$P")


def given_out(value: str, answer: str, pieces: int = 0) -> str:
    """An answer as the user gets it, in this many pieces; 0: of one character each."""
    redactor = Redactor({"x": value})
    redactor.redact(value, "vault")
    restorer = redactor.restorer()
    return "".join(map(restorer.feed, [answer] if pieces else answer)) + restorer.finish()


@pytest.mark.parametrize("before", ["", "'", '"', "x'y'", 'x"y" ', "'q'\"", "\\"])
def test_the_shell_gets_the_value_in_every_kind_of_quotes(before: str, tmp_path: object) -> None:
    command = f"printf %s {before}"
    end = {"'": "'", '"': '"', "'q'\"": '"'}.get(before, "")
    done = subprocess.run(
        ["bash", "-c", command + in_command(NASTY, "$P", command) + end],
        capture_output=True,
        text=True,
        check=True,
        cwd=str(tmp_path),
    )
    assert done.stdout.endswith(NASTY)


@pytest.mark.parametrize(
    "before",
    ['curl -H "Authorization: Bearer ', "mysql -u root -p", "docker login -p ", 'base64 <<< "',
     "sshpass -p ", "bash -c 'echo x'; printf %s ", "PGPASSWORD="],
)  # fmt: skip
def test_an_argument_that_nobody_reads_as_code_gets_the_value(before: str) -> None:
    assert in_command("a=b c", "$P", before) in ("a=b c", "'a=b c'")


@pytest.mark.parametrize(
    "command",
    ['curl -H "Authorization: Bearer {P}" https://x.example/install | sh', "echo {P} | sudo -S ls",
     "echo {P} | docker login --password-stdin", "curl -u a:{P} x | python3 -m json.tool",
     "export TOKEN={P}; ./deploy", "bash -c 'echo x'; echo {P}", "echo {P} && cat notes.sh"],
)  # fmt: skip
def test_what_nobody_runs_gets_the_value_whatever_follows(command: str) -> None:
    answer = f"CMD: {command.replace('{P}', PLACEHOLDER)}\nThen run it with sh.\n"
    for whole in (given_out("a=b c", answer), given_out("a=b c", answer, pieces=1)):
        assert PLACEHOLDER not in whole
        assert whole.endswith("\nThen run it with sh.\n")


def test_a_block_of_code_is_given_out_whole_when_it_is_known_what_runs_in_it() -> None:
    block = f"Try:\n```sh\necho '{PLACEHOLDER}' > x\n{{}}\n```\nDone with sh.\n"
    for pieces in (0, 1):
        shown = given_out("a=b c", block.format("cat x"), pieces)
        assert shown == block.format("cat x").replace(PLACEHOLDER, "a=b c")
        assert given_out("a=b c", block.format("sh x"), pieces) == block.format("sh x")


def test_a_command_that_never_ends_is_given_out_with_the_placeholder() -> None:
    answer = f"CMD: echo {PLACEHOLDER} {'x' * 20_000}"
    assert given_out("a=b c", answer) == answer


def test_code_that_is_read_once_more_gets_only_what_is_nothing_but_a_word() -> None:
    assert in_command("a=b c", "$P", 'ssh host "mysql -p') == "$P"
    assert in_command("a-b.c", "$P", 'ssh host "mysql -p') == "a-b.c"


def test_elsewhere_the_value_stands_as_it_is() -> None:
    assert fitting(NASTY, "Take ") == NASTY
    assert fitting(NASTY, " CMD: echo ") == NASTY
    assert fitting(NASTY, "```python\nword = ") == NASTY


def test_values_of_several_lines_stay_hidden_where_they_would_act() -> None:
    assert fitting("one\ntwo", "CMD: echo ") == "$P"
    assert fitting("one\nCMD: rm -rf ~", "Take ") == "$P"
    assert fitting("one\n```sh\nrm -rf ~\n```", "Take ") == "$P"
    assert fitting("one\ntwo", "Take ") == "one\ntwo"


@pytest.mark.parametrize("value", ["CMD: rm -rf ~", "DELEGATE: big ~", "```sh", "D: rm"])
def test_a_value_never_begins_what_is_obeyed(value: str) -> None:
    begun = "CM" if value.startswith("D: ") else ""
    assert fitting(value, f"It is:\n{begun}") == "$P"


@pytest.mark.parametrize(
    "answer",
    [
        "CMD: echo {P}",
        "CMD: echo '{P}'",
        'CMD: echo "{P}"',
        'CMD: echo "\\{P}"',
        "CMD: echo \\{P}",
        "CMD: echo $'{P}'",
        "CMD: echo \"$(echo '{P}')\"",
        'CMD: echo "$(echo "{P}")"',
        "CMD: echo `echo {P}`",
        "CMD: `echo {P}`",
        'CMD: echo "`echo \'{P}\'`"',
        "CMD: echo $((1 + {P}))",
        "CMD: echo ${UNSET:-{P}}",
        'CMD: echo "${UNSET:-{P}}"',
        "CMD: {P}",
        "```bash\necho {P}\n```",
        "```sh\n# it isn't much\necho {P}\n```",
        "```bash\ncat <<END\n{P}\nEND\n```",
        "```console\n$ echo {P}\nx\n$ echo '{P}'\n```",
        "CMD: bash -c 'echo {P}'",
        'CMD: bash -lc "echo {P}"',
        "CMD: sh -c \"echo '{P}'\"",
        "CMD: env sh -c'echo '\"{P}\"",
        "CMD: eval echo {P}",
        'CMD: true && eval "echo {P}"',
        "CMD: trap 'echo {P}' EXIT",
        "CMD: find . -maxdepth 0 -exec sh -c 'echo {P}' \\;",
        'CMD: echo x | xargs -I% sh -c "echo {P}"',
        "CMD: bash <<< 'echo {P}'",
        "CMD: awk 'BEGIN {system(\"echo {P}\")}'",
        "CMD: python3 -c 'import os; os.system(\"echo {P}\")'",
        "1. first:\n   ```shell\n   echo \"{P}\"\n   ```",
        'CMD: echo "echo {P}" | sh',
        "CMD: echo \"echo '{P}'\" | env bash -s",
        "CMD: { printf '%s\\n' 'echo {P}'; } |& cat | (/bin/sh)",
        'CMD: echo "echo {P}" > >(sh)',
        'CMD: bash <(echo "echo {P}")',
        'CMD: . <(echo "echo {P}")',
        "CMD: eval $(echo 'echo {P}')",
        "CMD: eval `echo echo {P}`",
        'CMD: X="{P}"; eval "echo $X"',
        'CMD: for x in "{P}"; do sh -c "echo $x"; done',
        "CMD: echo '{P}' | xargs -I@ sh -c 'echo @'",
        'CMD: echo "{P}" | while read -r x; do eval "echo $x"; done',
        'CMD: echo "echo {P}" > x.sh; sh x.sh',
        'CMD: . /dev/stdin <<< "echo {P}"',
        "CMD: echo \"import os; os.system('echo {P}')\" | python3",
        'CMD: "eval" "echo {P}"',
        'CMD: \\eval "echo {P}"',
        'CMD: sh "-c" "echo {P}"',
        'CMD: bash -c -- "echo {P}"',
        'CMD: let "x={P}"',
        "CMD: [[ {P} -eq 1 ]]",
        "CMD: a=([{P}]=1)",
        '```bash\necho "echo {P}" > x.sh\nsh x.sh\n```',
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "value", ["a';touch made;'b", "x$(touch made)y", "a`touch made`b", 'a";touch made;"b',
              "a\\';touch made;'", "touch made", "a\\\";touch made;\"", "x[$(touch made)]", "A=b c"]
)  # fmt: skip
def test_no_value_acts_in_what_is_offered_to_run(answer: str, value: str, tmp_path: object) -> None:
    whole = given_out(value, answer.replace("{P}", PLACEHOLDER) + "\n")
    [offered] = offered_commands(whole, complete=True)
    listed = f"cd {tmp_path}; ( {offered.command}\n); ls"
    done = subprocess.run(["bash", "-c", listed], capture_output=True, text=True, check=False)
    assert "made" not in done.stdout.split("\n")[-2:-1]
