"""A pipe, a device, a folder or a link where a file should be; numbers nobody means; no umask."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aish.sandbox import kernel
from support.home import AISH, Home
from support.scripted import scripted_server, stream

DROP_FROM_BOUNDS, READS_ALL, OPENS_ALL = 24, 1, 2  # PR_CAPBSET_DROP and two capabilities of root


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link_to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


BAD: dict[str, Callable[[Path], None]] = {
    "a pipe": fifo,
    "a folder": folder,
    "a link to a device": link_to_zero,
}


def quick(home: Home, *words: str) -> subprocess.CompletedProcess[str]:
    """aish, which must not hang; on a loaded machine it has a minute."""
    return subprocess.run(
        [*AISH, *words],
        env=home.env,
        cwd=home.path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_neither_hang_nor_are_followed(home: Home, kind: str) -> None:
    home.config.parent.mkdir(parents=True)
    BAD[kind](home.config)
    done = quick(home, "config", "check")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    home.config.rename(home.path / "away")
    home.data.mkdir(parents=True)
    for name in ("memory.jsonl", "ledger.jsonl"):
        BAD[kind](home.data / name)
    for words in (("memory", "list"), ("memory", "add", "x"), ("cost",)):
        done = quick(home, *words)
        assert done.returncode == 8, (words, done.stderr)
        assert len(done.stderr.splitlines()) <= 2


def test_a_link_to_a_real_config_is_followed_and_one_to_a_memory_is_not(home: Home) -> None:
    home.config.parent.mkdir(parents=True)
    real = home.path / "dotfiles.toml"
    real.write_text('model = "local"\n')
    home.config.symlink_to(real)
    assert quick(home, "config", "check").returncode == 0
    home.data.mkdir(parents=True)
    elsewhere = home.path / "elsewhere"
    elsewhere.write_text("precious\n")
    (home.data / "memory.jsonl").symlink_to(elsewhere)
    assert quick(home, "memory", "add", "x").returncode == 8
    assert elsewhere.read_text() == "precious\n"


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_prompt_cache_and_a_bad_head_do_not_hold_up_the_prompt(home: Home, kind: str) -> None:
    home.cache.mkdir(parents=True)
    BAD[kind](home.cache / "prompt")
    (home.path / ".git").mkdir()
    BAD[kind](home.path / ".git" / "HEAD")
    home.configure('[ui]\nprompt = "{git} {mark} "\n')
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("echo he''re")
        terminal.wait_for("\nhere")


def test_a_memory_that_is_a_link_to_nothing_is_told_with_a_question(home: Home) -> None:
    home.data.mkdir(parents=True)
    (home.data / "memory.jsonl").symlink_to(home.path / "not mounted")
    with scripted_server(stream("Hi.\n")) as server:
        home.use_server(server.url)
        done = quick(home, "hello")
    assert done.stdout == "Hi.\n"
    assert "nothing is remembered now: memory.jsonl cannot be read" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[local]\ncontext = " + "9" * 5000 + "\n",
        "[local]\ncontext = " + "9" * 300 + "\n",
        "[cost]\ncap_at_dollars = inf\n",
        "[cost]\ncap_at_dollars = nan\n",
        "[cost]\ncap_at_dollars = " + "9" * 400 + "\n",
        "x = " + "[" * 5000 + "]" * 5000 + "\n",
        "[" + ".".join("a" * 3000) + "]\n",
    ],
)
def test_numbers_and_depths_nobody_means_are_one_line(home: Home, text: str) -> None:
    home.configure(text)
    done = quick(home, "config", "check")
    assert done.returncode == 3
    assert len(done.stderr) < 1000
    assert "internal error" not in done.stderr


def open_to_all() -> None:
    os.umask(0)


def test_without_a_umask_nothing_is_readable_by_others(home: Home) -> None:
    with scripted_server(stream("Hi.\n")) as server:
        home.use_server(server.url)
        home.config.parent.chmod(0o700)
        subprocess.run(
            [*AISH],
            env=home.env,
            cwd=home.path,
            input="?hello\necho out\n:remember tea\n:save x\n:sessions\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            preexec_fn=open_to_all,
        )
    made = [*home.data.rglob("*"), *home.cache.rglob("*")]
    assert made
    loose = [
        f"{path} {oct(stat.S_IMODE(path.lstat().st_mode))}"
        for path in made
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    ]
    assert loose == []
    assert not list(home.cache.glob("shell/*/history"))  # what was typed does not stay behind


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["doctor"],
        ["config", "set", "ui.theme", "light"],
        ["memory", "add", "tea"],
        ["try", "--apply", "--", "true"],
    ],
    ids=" ".join,
)
def test_whatever_begins_a_home_without_a_umask_keeps_its_folders_private(
    home: Home, words: list[str]
) -> None:
    subprocess.run(
        [*AISH, *words],
        env=home.env,
        cwd=home.path,
        input="echo out\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=open_to_all,
    )
    made = [path for name in (".local", ".config", ".cache") for path in home.path.glob(name)]
    made += [inner for path in made for inner in (*path.glob("*"), *path.glob("*/*"))]
    assert made
    assert [path for path in made if path.lstat().st_mode & 0o077 and not path.is_symlink()] == []


def shut_out(home: Home, folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """aish in a folder, with lines typed into it; the folder opens for nobody, not even root."""

    def shut() -> None:
        folder.chmod(0)
        if os.geteuid() == 0:
            kernel.prctl(DROP_FROM_BOUNDS, READS_ALL)
            kernel.prctl(DROP_FROM_BOUNDS, OPENS_ALL)

    try:
        return subprocess.run(
            [*AISH],
            env=home.env,
            cwd=folder,
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            preexec_fn=shut,
        )
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("where", ["here", "sessions", "data"])
def test_a_folder_that_nobody_may_look_into_ends_nothing(home: Home, where: str) -> None:
    here = home.path / "somebody's"
    folder = {"here": here, "sessions": home.data / "sessions", "data": home.data}[where]
    folder.mkdir(parents=True)
    with scripted_server(stream("Hi.\n")) as server:
        home.use_server(server.url)
        text = "echo one\n?hello\n:project\n:sessions\n:resume x\n:remember tea\necho two\n"
        done = shut_out(home, folder, text)
    shown = done.stdout.splitlines()
    assert (shown[0], shown[-1]) == ("one", "two")
    assert "Hi." in shown
    assert done.returncode == 0
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("what", ["here", "home"])
def test_no_part_of_a_folders_name_is_code_for_the_shell(home: Home, what: str) -> None:
    odd = home.path / "x\ntouch RAN; #@CWD@ '$(touch RAN)`touch RAN`\"\ttouch RAN"
    odd.mkdir()
    env = {**home.env, "HOME": str(odd)} if what == "home" else home.env
    done = subprocess.run(
        [*AISH],
        env=env,
        cwd=odd if what == "here" else home.path,
        input='echo one\n[[ $PWD == *RAN || $HOME == *RAN ]] && echo "as it is called"\n',
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "one\nas it is called\n"
    assert not list(home.path.rglob("RAN"))
