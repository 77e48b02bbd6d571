"""The same command in other clothes stays flagged; the same text as data does not."""

from collections.abc import Callable

import pytest

from support.safety import samples, verdict


def quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


REWRITES: dict[str, Callable[[str], str]] = {
    "subshell": lambda c: f"( {c}\n)",
    "bash -c": lambda c: f"bash -c {quote(c)}",
    "eval": lambda c: f"eval {quote(c)}",
    "here-document": lambda c: f"bash <<'END_OF_IT'\n{c}\nEND_OF_IT",
    "variable": lambda c: f'todo={quote(c)}; eval "$todo"',
    "newline": lambda c: f"true\n{c}\ntrue",
    "env prefix": lambda c: f"env LANG=C bash -c {quote(c)}",
    "function": lambda c: f"work() {{\n{c}\n}}; work",
    "alias": lambda c: f"alias work={quote(c)}\nwork",
    "xargs": lambda c: f"echo x | xargs -I% sh -c {quote(c)}",
    "$IFS": lambda c: f"sh${{IFS}}-c${{IFS}}{quote(c)}",
    "brace expansion": lambda c: f"{{bash,-c,{quote(c)}}}",
}
INERT: dict[str, Callable[[str], str]] = {
    "echo": lambda c: f"echo {quote(c)}",
    "grep pattern": lambda c: f"grep -F -- {quote(c)} notes.txt",
    "comment": lambda c: "ls # " + c.replace("\n", " "),
    "commit message": lambda c: f"git commit -m {quote(c)}",
}
# Every fourth sample keeps the suite quick; bench/safety.py takes them all.
SAMPLES = [command for _, command in samples("danger") if "\x1b" not in command][::4]


@pytest.mark.parametrize("form", REWRITES)
def test_a_rewritten_harmful_command_stays_flagged(form: str) -> None:
    assert [c for c in SAMPLES if not verdict(REWRITES[form](c)).flagged] == []


@pytest.mark.parametrize("form", INERT)
def test_a_harmful_command_as_text_is_not_flagged(form: str) -> None:
    assert [c for c in SAMPLES if verdict(INERT[form](c)).flagged] == []
