"""One wrong line never discards the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.config.lenient import UNGUARDED, load_what_is_right
from aish.config.load import Loaded

PRESET = '[models.fast]\nendpoint = "http://127.0.0.1:1"\nwindow = 4096\n'


def read(tmp_path: Path, text: str) -> Loaded:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return load_what_is_right(path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("[ui]\nhighlight = maybe\n", "line 2"),
        ("[ui]\nhighlight = \n", "line 2"),
        ("[ui]\nhighlite = true\n", "unknown key"),
        ("[ui]\nhighlight = 3\n", "not allowed"),
        ("[ui\nhighlight = true\n", "line 1"),
        ("[uii]\nprompt = 'x'\n", "unknown key"),
        ("[context]\nmax_turns = -1\n", "not allowed"),
        ('[models.slow]\nmodel = "x"\n', "missing"),
        ('[models.slow]\nendpoint = "nowhere"\n', "not allowed"),
        ('[models.local]\nendpoint = "http://x"\n', "embedded"),
        ('[routing]\nfallback_model = "gone"\n', "no preset named"),
        ("[local]\ncontext = 1\nthreads = 2\n", "not allowed"),
    ],
)
def test_a_wrong_line_is_told_and_the_rest_is_in_force(
    tmp_path: Path, wrong: str, said: str
) -> None:
    loaded = read(tmp_path, f"{wrong}[shell]\ncapture_kb = 7\n{PRESET}")
    assert said in loaded.problems[0].message
    assert loaded.config.shell.capture_kb == 7
    assert loaded.config.models["fast"].window == 4096


def test_every_fault_is_told(tmp_path: Path) -> None:
    loaded = read(
        tmp_path, "modle = 'x'\n[ui]\nhighlight = 1\nprompt = 2\n[memory]\npath = 'rel'\n"
    )
    assert [problem.key for problem in loaded.problems] == [
        "modle",
        "ui.highlight",
        "ui.prompt",
        "memory.path",
    ]


def test_keys_under_a_broken_header_do_not_fall_to_the_section_before(tmp_path: Path) -> None:
    loaded = read(
        tmp_path, "[local]\nreserve = 100\n[models.x\nreserve = 7\n[ui]\nhighlight=false\n"
    )
    assert loaded.config.local.reserve == 100
    assert loaded.config.ui.highlight is False


def test_a_text_that_is_never_closed_spoils_only_itself(tmp_path: Path) -> None:
    loaded = read(tmp_path, f'{PRESET}[ui]\nprompt = """oops\n[shell]\ncapture_kb = 7\n')
    assert loaded.config.models["fast"].window == 4096
    assert loaded.config.shell.capture_kb == 7
    assert loaded.problems


@pytest.mark.parametrize(
    "wrong",
    [
        '[cost]\ncap_at_dollars = "5"\n',
        "[cost]\ncap_at_dollars = 5,0\n",
        "[cost\ncap_at_dollars = 5\n",
        "[cost]\ncap_at_dolars = 5\n",
        "[secrets]\ndefault = 'stelth'\n",
        "[models.x]\nendpoint='http://x'\nredact = 'vualt'\n",
    ],
)
def test_a_fault_in_what_guards_money_or_secrets_leaves_only_the_embedded_model(
    tmp_path: Path, wrong: str
) -> None:
    loaded = read(tmp_path, f"{wrong}[shell]\ncapture_kb = 7\n{PRESET}")
    assert loaded.config.models == {}
    assert loaded.config.model == "local"
    assert loaded.config.shell.capture_kb == 7
    assert UNGUARDED in loaded.problems[-1].message


def test_a_good_file_has_no_problems(tmp_path: Path) -> None:
    assert read(tmp_path, PRESET).problems == ()
    assert load_what_is_right(tmp_path / "none.toml").problems == ()
