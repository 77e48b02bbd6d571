"""`aish tokens` and `aish fit`, run as a script runs them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import aish
from support.guarantees import check_shape
from support.home import Home
from support.scripted import plain, scripted_server

QUESTION = {"role": "user", "content": "What is in it?"}
SYSTEM = {"role": "system", "content": "You are helpful."}


def long_chat(turns: int) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = [SYSTEM]
    for at in range(turns):
        call = {"id": f"c{at}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
        said.append({"role": "user", "content": f"{at}: look again " * 5})
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append({"role": "tool", "tool_call_id": f"c{at}", "content": "a file\n" * 30})
        said.append({"role": "assistant", "content": "nothing new"})
    return [*said, QUESTION]


def test_a_text_is_estimated_and_says_so(home: Home) -> None:
    done = home.run("tokens", "--model", "claude-x", "Hello", "there")
    assert done.returncode == 0
    assert done.stdout == f"{aish.estimate_tokens('Hello there', 'claude-x')} (estimate)\n"
    assert done.stderr == ""


def test_without_a_model_the_estimate_says_why(home: Home) -> None:
    found = json.loads(home.run("tokens", "--json", "Hello there").stdout)
    assert found["tokens"] == aish.estimate_tokens("Hello there")
    assert found["method"] == "estimate"
    assert found["note"] == "the embedded model is not installed"


def test_a_server_that_counts_is_asked(home: Home) -> None:
    with scripted_server() as server:
        server.answer("/tokenize", plain(200, {"tokens": [1, 2, 3]}))
        server.answer("/v1/chat/completions/input_tokens", plain(200, {"input_tokens": 17}))
        home.use_server(server.url)
        assert home.run("tokens", "Hello there").stdout == "3 (server: tokenize)\n"
        (home.path / "chat.json").write_text(json.dumps([QUESTION]))
        done = home.run("tokens", "--messages", "chat.json")
        assert done.stdout == "17 (server: whole chat)\n"
        home.use_server(server.url, more="tokenize = {use_endpoint = false}")
        assert "estimate" in home.run("tokens", "Hello there").stdout


def test_a_server_that_does_not_count_leaves_an_estimate(home: Home) -> None:
    with scripted_server() as server:
        home.use_server(server.url)
        done = home.run("tokens", "--json", "Hello there")
    found = json.loads(done.stdout)
    assert (found["method"], found["note"]) == ("estimate", "the server does not count")


def test_text_is_read_from_a_pipe(home: Home) -> None:
    piped = home.run("tokens", "--json", stdin="word " * 3000)
    assert json.loads(piped.stdout)["tokens"] == aish.estimate_tokens("word " * 3000)
    assert json.loads(home.run("tokens", "--json", stdin="").stdout)["tokens"] == 0
    messages = home.run("tokens", "--json", "--messages", "-", stdin=json.dumps([QUESTION]))
    assert json.loads(messages.stdout)["tokens"] == aish.estimate_tokens([QUESTION])


def test_fitted_messages_are_valid_and_within_the_window(home: Home) -> None:
    chat = long_chat(100)
    done = home.run("fit", "--window", "1000", "--reserve", "200", "-", stdin=json.dumps(chat))
    assert done.returncode == 0
    fitted = json.loads(done.stdout)
    check_shape(fitted)
    assert fitted[0] == SYSTEM
    assert fitted[-1] == QUESTION
    assert aish.estimate_tokens(fitted) <= 800
    assert f"{len(fitted)} of {len(chat)} messages" in done.stderr


def test_what_fits_comes_back_as_it_was(home: Home) -> None:
    chat = {"messages": long_chat(2), "tools": [{"type": "function", "function": {"name": "ls"}}]}
    (home.path / "chat.json").write_text(json.dumps(chat))
    done = home.run("fit", "--window", "100000", "--reserve", "200", "--json", "chat.json")
    found = json.loads(done.stdout)
    assert found["messages"] == chat["messages"]
    assert (found["was_trimmed"], found["dropped_count"]) == (False, 0)
    assert found["token_count"] == aish.estimate_tokens(found["messages"], tools=chat["tools"])
    assert done.stderr == ""


def test_a_presets_server_has_the_last_word_on_the_length(home: Home) -> None:
    counts = [plain(200, {"input_tokens": count}) for count in (1200, 900, 700)]
    with scripted_server() as server:
        server.answer("/v1/chat/completions/input_tokens", *counts)
        home.use_server(server.url)
        done = home.run(
            *("fit", "--model", "fast", "--window", "1000", "--reserve", "200", "--json", "-"),
            stdin=json.dumps(long_chat(100)),
        )
    found = json.loads(done.stdout)
    assert (found["token_count"], found["method"]) == (700, "server: whole chat")


def test_what_is_repeated_is_explained(home: Home) -> None:
    chat = long_chat(100)
    chat[9]["content"] = "Never touch /srv/archive."
    words = ("fit", "--window", "1000", "--reserve", "200", "--explain", "-")
    done = home.run(*words, stdin=json.dumps(chat))
    assert "left out: the window is full" in done.stderr
    assert "repeated, because it still holds:" in done.stderr
    assert "- rule: Never touch /srv/archive." in done.stderr
    found = json.loads(home.run(*words, "--json", stdin=json.dumps(chat)).stdout)
    assert "- rule: Never touch /srv/archive." in found["repeated"].splitlines()


def test_what_cannot_fit_is_exit_six_with_a_breakdown(home: Home) -> None:
    chat = [SYSTEM, {"role": "user", "content": "word " * 2000}]
    words = ("fit", "--window", "1000", "--reserve", "200", "-")
    done = home.run(*words, stdin=json.dumps(chat))
    assert done.returncode == 6
    assert done.stdout == ""
    assert "Cannot fit request" in done.stderr
    assert "conversation" in done.stderr
    found = json.loads(home.run(*words, "--json", stdin=json.dumps(chat)).stdout)
    assert found["need"] > found["have"] == 800
    assert found["breakdown"]["reserve"] == 200


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "7", "null", "[7]", "{}", '[{"role": "user", "content": 7}]', "[" * 100_000),
        '[{"role": "robot", "content": "hi"}]',
        '[{"role": "assistant", "tool_calls": [7]}]',
        '[{"role": "user", "content": [7]}]',
        '{"messages": [], "tools": {"a": 1}}',
        '{"messages": [], "tools": [7]}',
        '[{"role": ["user"], "content": "hi"}]',
    ],
)
def test_bad_messages_are_exit_two_and_one_line(home: Home, text: str) -> None:
    for words in (("fit", "--window", "9999", "-"), ("tokens", "--messages", "-")):
        done = home.run(*words, stdin=text)
        assert done.returncode == 2, done.stderr
        assert len(done.stderr.splitlines()) <= 2
        assert done.stderr.startswith("aish: standard input: ")


def test_a_file_that_is_not_there_is_said(home: Home) -> None:
    done = home.run("fit", "--window", "99", "nowhere.json")
    assert done.returncode == 2
    assert done.stderr == "aish: nowhere.json: cannot be read: No such file or directory\n"
    for words in (("--window", "0"), ("--window", "9", "--reserve", "-1"), ()):
        assert home.run("fit", *words, "nowhere.json").returncode == 2
