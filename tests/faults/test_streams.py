"""Standard streams that are closed, full or of another alphabet, and a directory that is gone."""

from __future__ import annotations

import os
import shlex
import subprocess

import pytest

from support.home import AISH, Home
from support.scripted import scripted_server, stream

CLOSED = "aish: cannot write: standard output is closed\n"
FULL = "aish: cannot write: No space left on device\n"


def aish(home: Home, words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """aish run by a shell, which takes streams away from it."""
    command = " ".join(map(shlex.quote, AISH))
    return subprocess.run(
        ["sh", "-c", words.replace("aish", command, 1)],
        env={**home.env, **more},
        cwd=home.path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("words", ["ask hi", "config show", "--help", "safety check ls"])
@pytest.mark.parametrize(("where", "told"), [(">&-", CLOSED), (">/dev/full", FULL)])
def test_an_answer_that_nobody_gets_is_one_line_and_a_failure(
    home: Home, words: str, where: str, told: str
) -> None:
    with scripted_server(stream("hello\n")) as server:
        home.use_server(server.url)
        done = aish(home, f"aish {words} {where}")
    assert done.stderr == told
    assert done.returncode == 1


def test_records_that_nobody_gets_are_one_line_too(home: Home) -> None:
    for words, record in (("classify", "line"), ("safety check", "cmd")):
        done = aish(home, f'echo \'{{"{record}": "ls"}}\' | aish {words} --jsonl >/dev/full')
        assert (done.stderr, done.returncode) == (FULL, 1)


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_without_a_place_for_notices_an_answer_comes_all_the_same(home: Home, where: str) -> None:
    with scripted_server(stream("hello\n")) as server:
        home.use_server(server.url)
        for words in ("ask hi", "norris --max-steps 1 hi"):
            assert aish(home, f"aish {words} {where}").stdout == "hello\n"
    assert aish(home, f"aish sessions list {where}").returncode == 0
    assert aish(home, f"aish mcp serve {where}").returncode == 0


def test_no_file_gets_the_number_of_a_closed_stream(home: Home) -> None:
    """What a command prints there would be in the session's log, or a ledger."""
    with scripted_server(stream("CMD: echo spilt >&2; echo spilt\n")) as server:
        home.use_server(server.url)
        aish(home, "aish norris --yes-harmless --max-steps 1 go <&- >&- 2>&-")
    kept = [path for path in home.data.rglob("*") if path.is_file()]
    assert kept
    for path in kept:
        assert not [line for line in path.read_text().splitlines() if line.startswith("spilt")]


def test_signs_that_a_locale_has_not_are_no_defect(home: Home) -> None:
    with scripted_server(stream("naïve ✓\n")) as server:
        home.use_server(server.url)
        done = aish(home, "aish ask hi", PYTHONIOENCODING="ascii")
    assert (done.stdout, done.returncode) == ("na?ve ?\n", 0)


def test_in_a_directory_that_is_gone_a_question_is_answered_and_the_rest_says_why(
    home: Home,
) -> None:
    gone = home.path / "gone"
    with scripted_server(stream("hello\n")) as server:
        home.use_server(server.url)

        def there(words: str) -> subprocess.CompletedProcess[str]:
            gone.mkdir()
            return aish(home, f"cd gone && rmdir ../gone && aish {words}")

        assert there("ask 'what is @x.txt'").stdout == "hello\n"
        assert there("safety check ls").returncode == 0
        for words in ("try -- true", "sandbox run -- true"):
            done = there(words)
            assert done.returncode == 12
            assert f"No such file or directory: '{gone}'" in done.stderr


def test_a_file_may_be_no_larger_than_nothing(home: Home) -> None:
    done = aish(home, "ulimit -f 0; aish doctor")
    assert "internal error" not in done.stderr
    assert "a trial cannot be prepared" in done.stdout or os.geteuid()
