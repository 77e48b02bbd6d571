"""`aish TEXT` and its relatives, run as a user runs them, against a scripted server."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from support.home import AISH, Home
from support.hostile_web import hostile_web
from support.scripted import plain, scripted_server, stream, text_event
from support.tool_calls import calling

ANSWER = stream("Hello ", "**you**.\n", "CMD: touch made-it\n")


def test_the_answer_alone_is_on_standard_output(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        done = home.run("say hello")
    assert done.returncode == 0
    assert done.stdout == "Hello **you**.\nCMD: touch made-it\n"
    assert done.stderr == ""


def test_without_a_terminal_a_proposed_command_never_runs(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        home.run("say hello")
        home.run("--no-exec", "say hello")
    assert not (home.path / "made-it").exists()


def test_json_carries_answer_commands_and_usage(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        done = home.run("ask", "--json", "say", "hello")
    found = json.loads(done.stdout)
    assert found["answer"].startswith("Hello")
    assert found["commands"] == [{"command": "touch made-it", "background": False}]
    assert found["usage"]["prompt_tokens"] == 12
    assert found["finish"] == "stop"


def test_piped_text_goes_to_the_model_with_the_question(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        home.run("what is this?", stdin="line one\nline two\n")
        messages = server.chats[-1].json["messages"]
    assert messages[-1]["content"] == "[exec output]\nline one\nline two\n\nwhat is this?"


def test_the_question_itself_can_be_piped(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        home.run("ask", stdin="why is the sky blue?\n")
        messages = server.chats[-1].json["messages"]
    assert messages[-1]["content"] == "why is the sky blue?"


def test_huge_piped_input_is_cut_in_the_middle(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url, more="")
        home.configure(
            f'model="f"\n[models.f]\nendpoint="{server.url}"\nwindow=1000000\nreserve=10\n[context]\nmax_tokens_per_output=500000\n'
        )
        home.run("what?", stdin="first\n" + "x" * 3_000_000 + "\nlast\n")
        content = server.chats[-1].json["messages"][-1]["content"]
    assert len(content) < 300_000
    assert "first" in content
    assert "last" in content
    assert re.search(r"\d+ characters cut|bytes left out", content)


@pytest.mark.parametrize("words", [["what?"], [" what?"], ["ask", "--json", "what?"]])
def test_what_a_script_pipes_in_is_in_no_file_afterwards(home: Home, words: list[str]) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        done = home.run(*words, stdin="hidden-piece " * 5000)
        sent = server.chats[-1].json["messages"][-1]["content"]
    assert done.returncode == 0
    assert "hidden-piece" in sent
    assert "[the whole output is in" not in sent
    assert found_in(home.path, "hidden-piece") == []


def found_in(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text in path.read_text()]


def test_binary_input_is_refused_with_one_line(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        done = home.run("what?", stdin="\x00\x01\x02")
        assert server.chats == []
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "aish: standard input is binary data, not text"


def test_a_model_is_chosen_by_name(home: Home) -> None:
    with scripted_server(ANSWER) as one, scripted_server(ANSWER) as two:
        home.configure(
            f'model="a"\n[models.a]\nendpoint="{one.url}"\n[models.b]\nendpoint="{two.url}/v1/"\n'
        )
        assert home.run("--model", "b", "hello").returncode == 0
        assert len(two.chats) == 1
        assert one.chats == []
        wrong = home.run("--model", "c", "hello")
    assert wrong.returncode == 2
    assert "one of: a, b, local" in wrong.stderr


def test_the_key_comes_from_the_environment_and_goes_in_the_header(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.configure(
            f'model="a"\n[models.a]\nendpoint="{server.url}"\napi_key_env="MY_KEY"\nwindow=4096\n'
        )
        missing = home.run("hello")
        assert missing.returncode == 3
        assert "MY_KEY is not set" in missing.stderr
        home.env["MY_KEY"] = "sk-test-123"
        home.run("hello")
        assert server.chats[0].headers["authorization"] == "Bearer sk-test-123"


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (401, 5, "wants an API key"),
        (404, 5, "no chat completion address"),
        (400, 5, "rejects the request"),
        (500, 5, "the server failed"),
    ],
)
def test_a_refusal_is_one_line_a_hint_and_an_exit_code(
    home: Home, status: int, code: int, words: str
) -> None:
    with scripted_server(plain(status, {"error": {"message": "no\x1b[2J way"}})) as server:
        home.use_server(server.url)
        done = home.run("hello")
    lines = done.stderr.splitlines()
    assert done.returncode == code
    assert len(lines) == 2
    assert words in lines[0]
    assert "\x1b" not in done.stderr
    assert done.stdout == ""


def test_a_dead_server_is_one_line_with_a_hint(home: Home) -> None:
    home.configure('model="a"\n[models.a]\nendpoint="http://127.0.0.1:9"\n')
    done = home.run("hello")
    assert done.returncode == 4
    assert "cannot connect to http://127.0.0.1:9: connection refused" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_a_cut_stream_fails_and_says_so(home: Home) -> None:
    from support.scripted import STREAM_HEADERS

    with scripted_server([STREAM_HEADERS, text_event("half an ans")]) as server:
        home.use_server(server.url)
        done = home.run("hello")
    assert done.returncode == 4
    assert "cut off" in done.stderr


def test_no_question_is_a_usage_error(home: Home) -> None:
    done = home.run("ask")
    assert done.returncode == 2
    assert "there is no question" in done.stderr


def test_a_closed_pipe_is_no_drama(home: Home) -> None:
    with scripted_server(
        stream(*[f"line {at * at} of an answer\n" for at in range(3000)])
    ) as server:
        home.use_server(server.url)
        words = " ".join([*AISH, "hello"])
        done = subprocess.run(
            ["bash", "-c", f"{words} | head -1"],
            env=home.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stderr == ""


def test_closed_standard_input_is_no_input(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        for words in ("hello", ""):
            done = subprocess.run(
                ["bash", "-c", f"{' '.join(AISH)} {words} <&-"],
                env=home.env,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, "")


def test_dash_c_is_the_users_shell_exactly(home: Home) -> None:
    done = home.run("-c", 'echo "$0 $1"; exit 7', "name", "argument")
    assert done.stdout == "name argument\n"
    assert done.returncode == 7
    assert home.run("-c").returncode == 2


def test_dash_c_reports_a_signal_as_its_shell_does(home: Home) -> None:
    for command in ("bash -c 'kill -9 $$'", "bash -c 'kill -9 $$'; exit $?"):
        bash = subprocess.run(["bash", "-c", command], check=False)
        assert home.run("-c", command).returncode == bash.returncode


def test_version_and_help(home: Home) -> None:
    from aish import __version__

    assert home.run("--version").stdout == f"aish {__version__}\n"
    assert home.run("--help").stdout.startswith("usage: aish")
    for command in ("ask", "classify", "config", "doctor", "local"):
        assert f"usage: aish {command}" in home.run(command, "--help").stdout


def test_a_broken_config_stops_a_single_question_with_its_code(home: Home) -> None:
    home.configure("modle = 'x'\n")
    done = home.run("hello")
    assert done.returncode == 3
    assert "did you mean model?" in done.stderr


def test_a_defect_of_aish_is_one_line_not_a_traceback(home: Home) -> None:
    home.env["HOME"] = "/dev/null/nowhere"
    done = home.run("local", "status")
    assert "Traceback" not in done.stderr


def test_lines_from_a_pipe_are_done_in_order(home: Home) -> None:
    with scripted_server(stream("I see.\n")) as server:
        home.use_server(server.url)
        done = home.run(stdin="echo one; cd /tmp\npwd\n?what did I do\n:model\n")
        content = server.chats[0].json["messages"][-1]["content"]
    assert done.stdout == "one\n/tmp\nI see.\n"
    assert content.startswith("[exec output]\n$ echo one; cd /tmp\none\n\n[exec output]\n$ pwd")
    assert "model: fast" in done.stderr
    assert done.returncode == 0


def test_the_exit_code_of_piped_lines_is_the_last_ones(home: Home) -> None:
    assert home.run(stdin="true\nbash -c 'exit 3'\n").returncode == 3


def test_a_private_line_stays_out_of_the_context(home: Home) -> None:
    with scripted_server(stream("ok\n")) as server:
        home.use_server(server.url)
        home.run(stdin=" echo secret-word\necho public\n?what\n")
        content = server.chats[0].json["messages"][-1]["content"]
    assert "secret-word" not in content
    assert "public" in content


def test_no_question_reaches_a_model_without_being_asked(home: Home) -> None:
    with scripted_server(stream("ok\n")) as server:
        home.use_server(server.url)
        home.run(stdin="ls\necho hi\n:help\n:models\n")
        assert server.chats == []


def test_config_show_names_the_origin_of_each_value(home: Home) -> None:
    home.configure("[ui]\nhighlight = false\n")
    lines = home.run("config", "show").stdout.splitlines()
    row = next(line for line in lines if line.startswith("ui.highlight"))
    assert "false" in row
    assert str(home.config) in row
    assert any("(default)" in line for line in lines)
    found = json.loads(home.run("config", "show", "--json").stdout)
    assert found["ui.highlight"] == {"value": False, "origin": str(home.config)}
    assert home.run("config", "path").stdout.strip() == str(home.config)
    assert "valid" in home.run("config", "check").stdout


def test_doctor_names_what_fails_and_what_to_do(home: Home) -> None:
    home.configure('model="a"\n[models.a]\nendpoint="http://127.0.0.1:9"\n')
    done = home.run("doctor", "--json")
    found = {row["name"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 1
    assert found["python"]["level"] == "ok"
    assert found["shell"]["level"] == "ok"
    assert found["model a"]["level"] == "fail"
    assert found["model a"]["hint"]
    assert found["embedded model"]["level"] == "warn"
    assert "aish local install" in found["embedded model"]["hint"]
    with scripted_server(ANSWER) as server:
        home.use_server(server.url)
        shown = home.run("doctor")
    assert "✓ model fast" in shown.stdout
    assert "4,096 tokens" in shown.stdout


def test_the_embedded_model_missing_is_said_with_the_way_to_get_it(home: Home) -> None:
    done = home.run("hello")
    assert done.returncode == 11
    assert "aish local install" in done.stderr


def test_nothing_is_left_open_to_others(home: Home) -> None:
    home.run(stdin="echo hi\n")
    home.run("memory", "add", "fact", "likes tea")
    files = [path for path in home.data.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".jsonl"}
    assert len(files) >= 2
    for path in (*files, *(path.parent for path in files)):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_tool_over_http_is_called_with_the_token_of_a_variable(home: Home) -> None:
    answers = (calling("web__short"), stream("It said so.\n"))
    with hostile_web("sesame") as url, scripted_server(*answers) as server:
        tables = f'[mcp.servers.web]\nurl = "{url}"\ntoken_env = "SESAME"\nauto_approve = ["short"]'
        home.use_server(server.url, more=tables)
        home.env["SESAME"] = "sesame"
        done = home.run("what does it say?")
    assert done.stdout == "It said so.\n"
    assert server.chats[1].json["messages"][-1]["content"] == "in short"


def test_a_token_that_is_refused_is_said_in_one_line(home: Home) -> None:
    with hostile_web("sesame") as url, scripted_server(stream("Without.\n")) as server:
        tables = f'[mcp.servers.web]\nurl = "{url}"\ntoken_env = "SESAME"'
        home.use_server(server.url, more=tables)
        home.env["SESAME"] = "wrong"
        done = home.run("what does it say?")
    assert done.stdout == "Without.\n"
    assert "without the tools of web: its token is refused (mcp.servers.web)" in done.stderr
    assert "wrong" not in done.stderr
    assert "tools" not in server.chats[0].json


def test_an_answer_that_the_filter_ended_says_so(home: Home) -> None:
    with scripted_server(stream("half an ans", finish="content_filter")) as server:
        home.use_server(server.url)
        done = home.run("hello")
    assert done.stdout == "half an ans\n"
    assert "content filter ended the answer" in done.stderr


def test_too_large_for_a_gateway_is_told_in_its_own_words(home: Home) -> None:
    """It may have nothing to do with the window, and nothing is left to leave out."""
    page = b"<html><title>413 Request Entity Too Large</title></html>"
    with scripted_server(plain(413, page)) as server:
        home.use_server(server.url)
        done = home.run("hello")
    assert done.returncode == 6
    assert '"413 Request Entity Too Large"' in done.stderr


def test_doctor_names_no_model_at_the_length_a_server_may_give_it(home: Home) -> None:
    with scripted_server(ANSWER) as server:
        server.answer("/v1/models", plain(200, {"data": [{"id": "x" * 100_000}, {"id": "other"}]}))
        home.use_server(server.url)
        shown = home.run("doctor").stdout
    assert "does not list this model" in shown and "other" in shown
    assert len(shown) < 10_000
