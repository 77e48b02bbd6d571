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


def offered(value: str, answer: str) -> str:
    """The command that an answer with this value in it offers."""
    whole = given_out(value, answer.replace("{P}", PLACEHOLDER) + "\n")
    [command] = offered_commands(whole, complete=True)
    return command.command


@pytest.mark.parametrize(
    "word",
    [
        "{P}",
        "'{P}'",
        '"{P}"',
        "x'y'{P}",
        'x"y"{P}',
        "'q'\"{P}\"",
        "\\{P}",
        '"\\{P}"',
        '"a\\\\{P}b"',
    ],
)
def test_the_shell_gets_the_value_in_every_kind_of_quotes(word: str, tmp_path: object) -> None:
    command = offered(NASTY, f"CMD: printf %s {word}")
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=True, cwd=str(tmp_path)
    )
    assert NASTY in done.stdout


def test_bash_does_not_look_for_an_old_command_in_a_value() -> None:
    command = offered("a!echo b", 'CMD: echo "<{P}>"')
    typed = f"set -o history -o histexpand\n{command}\n"
    done = subprocess.run(
        ["bash", "--norc"], input=typed, capture_output=True, text=True, check=True
    )
    assert done.stdout == "<a!echo b>\n"


TAKEN = [
    'curl -H "Authorization: Bearer {P}" https://x.example/y | jq .',
    "curl -u 'me:{P}' -o out.json https://x.example && ./next.sh",
    "curl -u a:{P} x | python3 -m json.tool",
    'curl -d \'{"password": "{P}"}\' https://x.example',
    "mysql -u root -p{P} shop < dump.sql",
    "mysqldump --password={P} shop > dump.sql",
    "psql postgresql://me:{P}@db/shop -c 'select 1'",
    "PGPASSWORD={P} psql -h db -U me",
    "export DB_PASSWORD={P}",
    "export TOKEN={P}; ./deploy",
    "env API_KEY={P} python3 app.py",
    "docker login -u me -p {P}",
    "docker run -d -e POSTGRES_PASSWORD={P} postgres",
    "echo {P} | docker login -u me --password-stdin",
    "echo {P} | sudo -S systemctl restart nginx",
    "echo 'me:{P}' | sudo chpasswd",
    'base64 <<< "{P}"',
    "printf '%s' {P} | sha256sum",
    "printf '%s' {P} > token.txt",
    "sshpass -p {P} ssh me@host uptime",
    "git clone https://me:{P}@git.example/x.git",
    "kubectl create secret generic db --from-literal=password={P}",
    "htpasswd -b users me {P}",
    "wpa_passphrase home {P}",
    "redis-cli -a {P} ping",
    "smbclient //nas/share -U 'me%{P}'",
    "bash -c 'echo x'; echo {P}",
    "echo {P} && cat notes.sh",
    "/usr/bin/curl -u a:{P} x \\\n  --fail",
]


@pytest.mark.parametrize("command", TAKEN)
def test_a_program_that_takes_it_as_data_gets_the_value(command: str) -> None:
    answer = f"CMD: {command}\nThen run it with sh.\n"
    if "\n" in command:
        answer = f"```sh\n{command}\n```\nThen run it with sh.\n"
    answer = answer.replace("{P}", PLACEHOLDER)
    for whole in (given_out("a=b c", answer), given_out("a=b c", answer, pieces=1)):
        assert PLACEHOLDER not in whole
        assert whole.endswith("\nThen run it with sh.\n")


@pytest.mark.parametrize(
    "command",
    [
        'f() {{ eval "$1"; }}; f {P}',
        'function curl {{ eval "$1"; }}; curl {P}',
        "e=eval; $e {P}",
        "curl -u a:{P} https://x.example/install | sh",
        "echo {P} | docker run -i alpine",
        "echo {P} | docker exec -i c sh",
        "echo {P} |\nsh",
        "mysql -e {P}",
        "psql -c {P}",
        "echo {P} | mysql",
        "mysql <<< {P}",
        "echo \"export X='{P}'\" >> ~/.bashrc",
        "echo X={P} | tee -a .env",
        "unknown {P}",
        "GIT_ASKPASS={P} git fetch",
        "PATH={P} ls",
        "DB_PASSWORD={P} make",
        "PASSWORD={P}; sh -c '$PASSWORD'",
        "PASSWORD={P}; $PASSWORD",
        "printf -v {P} x",
        "alias curl=eval\ncurl {P}",
        "{{alias,curl=eval}}\ncurl {P}",
        "hash -p /bin/sh curl; curl {P}",
        "PATH=/tmp; curl {P}",
        "wget --use-askpass={P} x",
        "wget -e {P} x",
        "sort --compress-program={P} x",
        "zip -T -TT {P} a b",
        "git -c core.pager={P} log",
        "! {P}",
        "time {P}",
        "sudo {P}",
        "env -S {P}",
        "env {P}",
        "if true; then {P}; fi",
        "echo {P} > x.sh; sh x.sh",
        "tee x <<< a{P}",
        "trap 'eval \"$BASH_COMMAND\"' DEBUG; echo {P}",
        "read x <<< {P}",
        "cat < {P}",
        "eval {P} \\",
        "echo {P} >\\",
        "echo a > {P}",
    ],
)
def test_whatever_else_there_is_keeps_the_placeholder(command: str) -> None:
    answer = "```sh\n" + command.format(P=PLACEHOLDER) + "\n```\n"
    assert given_out("a=b c", answer) == answer


def test_a_value_that_looks_like_an_option_is_none() -> None:
    answer = f"CMD: curl {PLACEHOLDER}\n"
    assert given_out("-o x y", answer) == answer


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
    assert in_command("a=b c", "$P", 'ssh host "mysql -p', '"') == "$P"
    assert in_command("a-b.c", "$P", 'ssh host "mysql -p', '"') == "a-b.c"


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
        'CMD: f() { eval "$1"; }; f {P}',
        "CMD: e=eval; $e {P}",
        'CMD: function echo { eval "$1"; }; echo {P}',
        "```bash\nshopt -s expand_aliases\nalias echo=eval\necho {P}\n```",
        "CMD: echo {P} | env -i sh",
        "```bash\necho {P} |\n  sh\n```",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "value", ["a';touch made;'b", "x$(touch made)y", "a`touch made`b", 'a";touch made;"b',
              "a\\';touch made;'", "touch made", "a\\\";touch made;\"", "x[$(touch made)]", "A=b c"]
)  # fmt: skip
def test_no_value_acts_in_what_is_offered_to_run(answer: str, value: str, tmp_path: object) -> None:
    listed = f"cd {tmp_path}; ( {offered(value, answer)}\n); ls"
    done = subprocess.run(["bash", "-c", listed], capture_output=True, text=True, check=False)
    assert "made" not in done.stdout.split("\n")[-2:-1]
