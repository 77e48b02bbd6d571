"""Settings seen from outside: counting, room for answers, colours, `-p`, `--config`."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from aish.store.jsonl import writing
from support.home import AISH, Home
from support.scripted import plain, scripted_server, stream

COUNTS = "/v1/chat/completions/input_tokens"


@pytest.mark.parametrize(
    ("setting", "asked"), [("true", True), ("false", False), ('"auto"', False)]
)
def test_the_server_counts_when_it_is_told_to(home: Home, setting: str, asked: bool) -> None:
    with scripted_server(stream("Hi.\n")) as server:
        server.answer(COUNTS, plain(200, {"input_tokens": 300}))
        home.use_server(server.url, more=f"tokenize = {{use_endpoint = {setting}}}")
        home.run("ask", "hello")
        assert any(seen.path == COUNTS for seen in server.seen) is asked
        assert server.chats


def test_a_server_that_only_tokenizes_texts_serves_the_budget(home: Home) -> None:
    with scripted_server(stream("Hi.\n")) as server:
        server.answer("/tokenize", plain(200, {"tokens": list(range(5000))}))
        home.configure(
            'model = "fast"\ntokenize = {use_endpoint = true}\n'
            f'[models.fast]\nendpoint = "{server.url}"\nwindow = 4096\nreserve = 100\n'
        )
        done = home.run("ask", "hello " * 1800)
        assert done.returncode == 6, "by the server's count it cannot fit"
        assert not server.chats
        home.run("ask", "hello")
        assert server.chats, "of so short a question no such count is believed"


def test_the_room_for_answers_is_one_setting_for_all_models(home: Home) -> None:
    with scripted_server(stream("Hi.\n")) as server:
        home.configure(
            'model = "a"\n[context]\nreserved_output_tokens = 300\n'
            f'[models.a]\nendpoint = "{server.url}"\nwindow = 4096\n'
            f'[models.b]\nendpoint = "{server.url}"\nwindow = 4096\nreserve = 77\n'
        )
        home.run("ask", "hello")
        home.run("ask", "--model", "b", "hello")
        assert [chat.json["max_tokens"] for chat in server.chats] == [300, 77]


def test_p_prints_the_answer_and_runs_nothing_and_config_names_the_file(home: Home) -> None:
    with scripted_server(stream("Look.\nCMD: touch made\n")) as server:
        other = home.path / "other.toml"
        other.write_text(f'model = "x"\n[models.x]\nendpoint = "{server.url}"\nwindow = 4096\n')
        done = home.run("--config", str(other), "-p", "hello", "there")
        again = home.run(f"--config={other}", "ask", "hello")
        shown = home.run("--config", str(other), "config", "path")
        after = home.run("-p", "--config", str(other), "hello")
    assert done.stdout == after.stdout == "Look.\nCMD: touch made\n"
    assert again.returncode == 0
    assert shown.stdout.strip() == str(other)
    assert server.chats[0].json["messages"][-1]["content"].endswith("hello there")
    assert not (home.path / "made").exists()
    assert home.run("--config").returncode == 2
    (home.path / "unmounted.toml").symlink_to("/no/such/volume.toml")
    assert home.run("--config", "unmounted.toml", "-c", "echo ran").returncode == 2
    lost = home.run("--config", "no/such.toml", "-c", "echo ran")
    assert (lost.returncode, lost.stdout) == (2, "")
    assert lost.stderr == "aish: --config 'no/such.toml': there is no such file\n"


def test_a_script_waits_for_its_turn_to_write_the_memory(home: Home) -> None:
    path = home.data / "memory.jsonl"
    home.run("memory", "add", "first")
    with writing(path):
        waiting = subprocess.Popen(
            [*AISH, "memory", "add", "--json", "second"],
            env=home.env,
            cwd=home.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waiting.stderr is not None
        assert "waiting" in waiting.stderr.readline()
        time.sleep(0.2)
        assert waiting.poll() is None
    out, _ = waiting.communicate(timeout=60)
    assert json.loads(out)["id"] == 2


def test_an_item_is_named_as_it_is_shown(home: Home) -> None:
    home.run("memory", "add", "likes tea")
    assert home.run("memory", "edit", "#1", "likes milk").returncode == 0
    assert home.run("memory", "forget", "#2").returncode == 0
    far = home.run("memory", "forget", "9" * 5000)
    assert (far.returncode, "is no item's number" in far.stderr) == (2, True)
    assert "is no item's number" in home.run(stdin=f":memory forget {'9' * 5000}\n").stderr


def test_a_twin_made_by_an_edit_is_noticed(home: Home) -> None:
    for text in ("likes tea", "likes coffee"):
        home.run("memory", "add", text)
    done = home.run("memory", "edit", "2", "likes tea")
    assert "already remembered as #1; #2 is forgotten" in done.stdout
    assert len(json.loads(home.run("memory", "list", "--json").stdout)) == 1


@pytest.mark.parametrize(("theme", "colour"), [("auto", b"36m"), ("light", b"34m"), ("none", b"")])
def test_a_theme_is_for_the_background(home: Home, theme: str, colour: bytes) -> None:
    with scripted_server(stream("Use `ls` here.\n")) as server:
        home.use_server(server.url, more=f'ui = {{theme = "{theme}"}}')
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?how")
            terminal.wait_for("Use ls here." if theme != "none" else "Use `ls` here.")
            raw = bytes(terminal.raw)
    answer = raw[raw.index(b"Use ") :]
    assert (colour + b"ls" in answer) if colour else b"\x1b[36m" not in raw


def test_unknown_themes_and_keys_are_one_line(home: Home, tmp_path: Path) -> None:
    for line in ('theme = "pink"', 'keys = "ed"'):
        home.configure(f"[ui]\n{line}\n")
        done = home.run("config", "check")
        assert done.returncode == 3
        assert "wanted: one of auto" in done.stderr


@pytest.mark.parametrize(
    "line", [":history {}", ":unpin {}", ":tree {}", ":norris --max-steps {} go"]
)
def test_a_number_of_thousands_of_digits_is_one_line(home: Home, line: str) -> None:
    done = home.run(stdin=line.format("9" * 5000) + "\n")
    assert "internal error" not in done.stderr
    assert "9999" in done.stderr
