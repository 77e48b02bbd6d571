"""Nothing foreign reaches a terminal raw, whoever writes it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aish.store.ledger_sums import UseSum
from aish.ui.cost_table import chart
from aish.ui.progress import Bar
from aish.ui.prompt import PromptTemplate, git_branch
from aish.ui.screen import Screen
from aish.ui.spinner import turning
from aish.ui.style import BOLD, CYAN, RESET, escaped, harmless, terminal_safe
from support.home import Home
from support.scripted import scripted_server, stream

EVIL = {
    "a title": "\x1b]0;owned\x07",
    "the clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "a move": "\x1b[2A\x1b[2K",
    "C1": "\x9b31m\x90payload\x9c",
    "concealed": "\x1b[8m",
    "another colour": "\x1b[38;5;196m",
    "a carriage return": "\r",
    "backspaces": "\b\b",
    "reversed": "\u202egpj.exe\u202c",
    "isolated": "\u2066x\u2069",
    "invisible": "\u200b\u2060\ufeff\u00ad\u3164",
    "tags": "\U000e0041\U000e0042",
    "a joiner": "a\u200db",
    "half a character": "\udc80",
    "fillers": "\u115f\u1160\uffa0\u034f\u180f",
    "a selector after a letter": "a\ufe0f\ufe01",
    "shorthand and music": "\U0001bca0\U0001d173",
}


class Window(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        return True


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)


@pytest.mark.parametrize("what", EVIL)
def test_what_a_terminal_would_obey_is_gone(what: str) -> None:
    out = io.StringIO()
    screen = Screen(out, io.StringIO(), colours=True, terminal=True)
    screen.write(f"{screen.paint('before', BOLD, CYAN)} {EVIL[what]} after\n")
    written = out.getvalue()
    assert written.startswith(f"{BOLD}{CYAN}before{RESET} ")
    assert written.endswith(" after\n")
    rest = written.removeprefix(f"{BOLD}{CYAN}before{RESET}")
    assert all(ch.isprintable() or ch == "\n" for ch in rest)
    assert harmless(EVIL[what]).isprintable()
    assert (rest + harmless(EVIL[what])).isascii()


@pytest.mark.parametrize(
    "text",
    [
        *("1\ufe0f\u20e3 and \u2764\ufe0f", "e\u0301\u0323", "g\u0308\u0304\u0301\u0323 stacked"),
        *["Grüße\tund\nmehr", "👩‍👩‍👧 family", "می‌خواهم", "日本語", "a ✓ ─ │ … █"],
        *["ကြွှို့", "שְּֽׁ֖", "བསྒྲུབས", "สวัสดีครับ น้ำ", "क्षत्रिय", "─" * 80],
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert terminal_safe(text) == harmless(text) == text


def test_marks_piled_on_a_letter_and_runs_of_joiners_and_selectors_are_cut() -> None:
    assert harmless("a" + "\u0301" * 5000 + "b") == "a" + "\u0301" * 4 + "b"
    assert harmless("é" + "\u200d" * 50 + "é") == "é\u200dé"
    assert harmless("a" + "\u200d" * 50 + "é") == "aé"
    assert harmless("\u2764" + "\ufe0f" * 50) == "\u2764\ufe0f"
    assert harmless("a" + "\u0301\u034f" * 50) == "a" + "\u0301" * 4


@pytest.mark.parametrize(
    "letter",
    [
        "\u0e01\u0e49",
        "\u05d0\u0591",
        "\u0627\u064b",
        "\u0915\u0941",
        "\u0f40\u0f71",
        "a\u0301\u0e49",
    ],
)
def test_marks_of_every_script_are_piled_only_so_high(letter: str) -> None:
    tower = letter[0] + letter[1:] * 500 + "b"
    assert harmless(tower) == tower[:9] + "b"
    assert escaped(tower) == tower[:9] + "b"


@pytest.mark.parametrize("text", ["\0", "e\u0301", f"{BOLD}x\0{RESET}"])
def test_a_long_text_is_made_harmless_at_once(text: str) -> None:
    """Work that grows with the square of the length would take hours."""
    started = time.process_time()
    for clean in (harmless, terminal_safe):
        clean(text * (3_000_000 // len(text)))
    assert time.process_time() - started < 60


def test_no_pattern_is_compiled_before_something_is_shown() -> None:
    code = (
        "import re; made = []; compiled = re.compile;"
        "re.compile = lambda *given: made.append(given[0]) or compiled(*given);"
        "import aish.ui.style; print(made)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.strip() == "[]"


def test_what_the_user_must_judge_shows_what_nobody_sees() -> None:
    said = escaped("a\u115fb\ufe0fc\u034fd\U000e0100e\u180b")
    assert said == "a\\u115fb\\ufe0fc\\u034fd\\U000e0100e\\u180b"


def test_a_foreign_colour_ends_with_its_line() -> None:
    out = io.StringIO()
    screen = Screen(out, io.StringIO(), terminal=True)
    screen.line("\x1b[7mforeign")
    screen.line("ours")
    assert out.getvalue() == f"\x1b[7mforeign{RESET}\nours\n"


def test_a_sign_of_life_shows_foreign_words_as_text() -> None:
    out, err = io.StringIO(), Window()
    screen = Screen(out, err, colours=True, terminal=True)
    with turning(screen, "calling x\x1b]52;c;aGk=\x07\n\u202ey"):
        until(lambda: "calling" in out.getvalue())
    with Bar(screen) as bar:
        bar("fetching \x1b[2J\n\u202ex", 1, 2)
    written = out.getvalue() + err.getvalue()
    assert "calling x]52;c;aGk= y" in written
    assert not {"\x07", "\u202e", "\n"} & set(written)
    assert "\x1b[2J" not in written


def test_a_branch_and_a_host_of_anybodys_making_stay_in_one_short_line(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    head = tmp_path / ".git" / "HEAD"
    head.write_text("ref: refs/heads/main\n[aish] all is well\n")
    assert git_branch(str(tmp_path)) == "main"
    head.write_text("ref: refs/heads/" + "x" * 4000)
    assert len(git_branch(str(tmp_path))) == 60
    template = PromptTemplate("{git} {model}{mark}")
    shown_prompt = template.fragments({"git": "a\nb\tc\x1b[2J", "model": "m\n", "mark": "shell"})
    assert "".join(text for _, text in shown_prompt) == "a b c[2J m❯"


def test_a_wrong_argument_is_told_as_text(home: Home) -> None:
    done = home.run("cost", "x\x1b]52;c;aGk=\x07\u202ey\nz")
    assert done.returncode == 2
    assert "x\\x1b]52;c;aGk=\\x07\\u202ey\\nz" in done.stderr


def test_a_pipe_gets_every_byte() -> None:
    out = io.StringIO()
    Screen(out, io.StringIO(), terminal=False).write(EVIL["a title"])
    assert out.getvalue() == EVIL["a title"]


def test_directories_models_and_servers_stay_out_of_the_terminals_way(home: Home) -> None:
    folder = home.path / "bad\x1b]0;owned\x07\u202edir"
    folder.mkdir()
    with scripted_server(stream("Hi \x1b]0;owned\x07\x9b2Jthere.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("cd bad*")
            terminal.wait_for("dir")
            terminal.enter("?hello")
            terminal.wait_for("there.")
            raw = bytes(terminal.raw)
    assert b"\x1b]0;owned" not in raw
    assert "\u202e".encode() not in raw
    assert b"\x9b2J" not in raw.replace("\x9b".encode(), b"")


def test_the_instant_prompt_shows_a_directory_as_text(tmp_path: Path) -> None:
    from aish.ui.instant import short_directory

    assert short_directory("/x/\x1b[2J\u202ey") == "/x/?[2J?y"


def test_a_stored_prompt_paints_colours_and_nothing_else() -> None:
    from aish.ui.instant import painted

    prompt = "\x1b[36m~/src\x1b[0m\x1b[1;32m ❯\x1b[0m "
    assert painted(prompt) == prompt
    assert painted("a\x1b]0;owned\x07b\x1b[2Jc\x9b2J\u202e\x1b") == "a]0;owned?b[2Jc?2J?"


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_lines_of_json_are_shown_to_a_terminal_and_piped_as_they_are() -> None:
    from aish.cli.json_lines import json_line

    record = {"line": "a\x9b2J\u202eb"}
    assert json_line(record, Terminal()) == b'{"line":"a2Jb"}\n'
    assert json_line(record, io.BytesIO()).decode() == '{"line":"a\x9b2J\u202eb"}\n'


def test_no_foreign_line_looks_like_one_of_ours() -> None:
    err = Window()
    Screen(io.StringIO(), err).notice("server: done\n[aish] all is well\naish: and more")
    assert (
        err.getvalue() == "[aish] server: done\n       [aish] all is well\n       aish: and more\n"
    )
    rows = list(chart({"a\n[aish] b\x1b[7m": UseSum(calls=1, prompt=5)}, 80))
    assert [row.startswith("a [aish] b[7m") for row in rows] == [True]
