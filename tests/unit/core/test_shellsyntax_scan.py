"""Unfinished commands are recognised as bash would, and every stretch of a line has a kind."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.shellsyntax import is_complete, spans

COMPLETE = [
    "", "ls", "echo if then fi", "echo 'a\\'", "echo $'a\\'b'", "echo a#b", "ls # it's", "echo }",
    "f() { echo; }", "f() (echo)", "function f { echo; }", "{ echo; }", "(ls; pwd)", "ls &", "ls;",
    "for x in a b; do echo $x; done", "for ((i=0;i<3;i++)); do echo; done", "((i++))",
    "if true; then echo; elif x; then y; else z; fi", "while read x; do echo; done < f",
    "case x in a|b) echo;; (c) d;; *) e;; esac", "case x in -!(-*)c) y;; esac",
    "echo $(case x in a) echo;; esac)", "echo $(( (1+2)*3 ))", "echo $((ls); (pwd))",
    "[[ a =~ ^(b|c)$ ]] && x", "[[ a < b && c > d ]]", "a=(1 2\n3)", "declare -A m=([a]=1 [b]='2')",
    "diff <(ls a) <(ls b)", "cat <<EOF\nx\nEOF", "cat <<-EOF\nx\n\tEOF", "cat <<'EOF'\n$(\nEOF",
    'cat <<"A B"\nx\nA B', "cat <<A <<B\nx\nA\ny\nB", "cat <<EOF | grep x\ny\nEOF", "cat <<< x",
    "echo $(cat <<EOF\nx\nEOF\n) y", "echo `echo \\`ls\\``", 'echo "`echo "a"`"', "x= y=2 z",
    "echo ${x/\\}/a} ${x%%)} ${#x}", "echo x || <f || y", "select x in a; do b; done", "time ls",
    "! ls",
    "{ (ls) }", "{ while a; do b; done }", "if [[ a ]] then b; fi", "ls !(a|b)",
    "if a; then b; fi | c", "((x<<2))", "echo $((x<<2))", "echo \\#",
]  # fmt: skip
INCOMPLETE = {
    "echo 'a": "'", 'echo "a': '"', "echo $(ls": "$(", 'echo "a $(b': "$(", "echo ${x": "${",
    "echo $((1+2": "$((", "echo `ls": "`", "cat <<EOF": "<<EOF", "cat <<EOF\nx": "<<EOF",
    "cat <<A <<B\nx\nA\ny": "<<B", "if true": "if", "if true; then": "if", "for x in a; do": "for",
    "while x; do y": "while", "case x in": "case", "case x in a) b": "case", "{ echo": "{",
    "f() {": "{", "f()": "function", "function f": "function", "(ls; (pwd)": "(", "ls |": "|",
    "ls &&": "&&", "ls ||": "||", "ls |&": "|&", "ls | # why": "|", "ls \\": "\\", "[[ a &&": "[[",
    "a=(1 2": "array", "ls && (": "(", "echo a\\\n": "\\", "((i++": "((", "diff <(ls": "<(",
    "cat <<EOF; echo \"\nx\nEOF\n": '"', "while :; do if x; then y; fi": "while", "{ echo }": "{",
}  # fmt: skip
ERRORS = ["done", "fi", ")", "}", "do", "ls | | x", "ls;;", "if true; fi", "echo (", "ls (a"]

SCRIPT = """\
#!/bin/bash
# A script with one of everything; don't "stop" here.
set -euo pipefail
readonly HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
declare -a names=(one 'two three'
    "four" # a comment
)
usage() {
    cat <<-EOF
\tUsage: ${0##*/} [options] isn't $(hard)
\tEOF
}
function check
{
    local file=$1 count=0
    while IFS= read -r line || [[ -n $line ]]; do
        case "$line" in
            \\#*|'') continue ;;
            [a-z]*) ((count++)) || true ;&
            (*.txt) echo "text: ${line%.txt}" ;;
            *)
                if [[ $line =~ ^([0-9]+)-(.*)$ ]] &&
                    (( ${BASH_REMATCH[1]} > 3 )); then
                    echo "$(( count << 2 )) ${names[@]/#/-}"
                elif test "$count" -gt 2
                then
                    :
                else
                    printf '%s\\n' "it's $(case x in (x) echo y;; esac)"
                fi
                ;;
        esac
    done < "$file" > >(tee log) 2>&1
    return $((count > 0 ? 0 : 1))
}
for ((i = 0; i < 3; i++)); do echo $i; done |
    sort -n \\
      -r
for name in "${names[@]}"
do
    (cd /tmp && echo `date +%s` > "$name") &
done
until ping -c1 host >/dev/null; do sleep 1; done
select choice in a b; do break; done
{ usage; check "$@"; } || {
    echo failed >&2; exit 1
}
cat <<'A' - <<"B C" | tr a-z A-Z
$( unclosed
A
`also
B C
[ -n "${x:-}" ] && echo "${x:+'quoted'}" || ! true
"""


def bash_waits(text: str) -> bool:
    """Whether bash finds the end of the text too early."""
    done = subprocess.run(
        ["bash", "-n", "-O", "extglob"], input=text, capture_output=True, text=True, check=False
    )
    early = ("unexpected end of file", "unexpected EOF", "here-document", "`EOF'")
    return any(sign in done.stderr for sign in early)


@pytest.mark.parametrize("line", COMPLETE)
def test_a_finished_command_is_complete_here_and_in_bash(line: str) -> None:
    assert is_complete(line).complete
    assert not bash_waits(line + "\n")


@pytest.mark.parametrize("line", INCOMPLETE)
def test_an_unfinished_command_says_what_is_open(line: str) -> None:
    found = is_complete(line)
    assert (found.complete, found.waiting_for) == (False, INCOMPLETE[line])


# bash -n takes a backslash at the very end for finished.
@pytest.mark.parametrize("line", [key for key in INCOMPLETE if "\\" not in key])
def test_bash_waits_for_the_same_lines(line: str) -> None:
    assert bash_waits(line + "\n")


@pytest.mark.parametrize("line", ERRORS)
def test_a_mistake_is_left_to_bash_to_report(line: str) -> None:
    assert is_complete(line).complete
    assert not bash_waits(line + "\n")


def test_every_prefix_of_a_script_is_judged_as_bash_judges_it() -> None:
    rows = SCRIPT.split("\n")
    for count in range(1, len(rows) + 1):
        text = "\n".join(rows[:count])
        if not text.endswith("\\"):
            assert is_complete(text).complete is not bash_waits(text + "\n"), rows[count - 1]


def named(line: str) -> list[tuple[str, str]]:
    return [(line[start:end], kind) for start, end, kind in spans(line)]


def test_the_parts_of_a_command_are_told_apart() -> None:
    assert named("A=1 git commit -m 'x' ~/a \"$b\" | wc -l # why") == [
        ("A=1", "assignment"), ("git", "command"), ("commit", "argument"), ("-m", "option"),
        ("'x'", "string"), ("~/a", "path"), ('"', "string"), ("$b", "variable"), ('"', "string"),
        ("|", "operator"), ("wc", "command"), ("-l", "option"), ("# why", "comment"),
    ]  # fmt: skip


def test_reserved_words_are_keywords_only_where_a_command_may_stand() -> None:
    assert named("if true; then echo if; fi") == [
        ("if", "keyword"), ("true", "command"), (";", "operator"), ("then", "keyword"),
        ("echo", "command"), ("if", "argument"), (";", "operator"), ("fi", "keyword"),
    ]  # fmt: skip


def test_the_command_behind_sudo_is_a_command_too() -> None:
    assert ("apt", "command") in named("sudo apt install x")
    assert ("postgres", "command") not in named("sudo -u postgres psql")


def test_commands_inside_substitutions_are_commands() -> None:
    assert ("date", "command") in named('echo "$(date +%s)" `ls`')
    assert ("ls", "command") in named('echo "$(date +%s)" `ls`')


@given(st.text(alphabet="ab '\"`$(){}[]<>|&;\\\n#=!-/if do case esac", max_size=60))
@settings(max_examples=500, deadline=None)
def test_spans_are_in_order_and_never_overlap(line: str) -> None:
    end = 0
    for span in spans(line):
        assert end <= span.start < span.end <= len(line)
        end = span.end
    is_complete(line)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_scanned(line: str) -> None:
    is_complete(line)
    spans(line)


def test_deep_nesting_does_not_exhaust_the_stack() -> None:
    assert is_complete("( " * 50_000).waiting_for == "("
    assert is_complete("$(" * 50_000).waiting_for == "$("
