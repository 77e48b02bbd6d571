# ruff: noqa: E501  (the probes read better on one line)
"""Nothing a command does in a trial is seen outside before it is applied."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.outside import Outside
from support.probes import EVERYWHERE, python
from support.trials import Bench, tree

OF_TRIALS = {
    **EVERYWHERE,
    "the trial's own folder": 'rm -rf "$TRIALS"/*; echo bad > "$TRIALS/bad"; true',
    "everything of the user": 'cd "$OUT"/.. && rm -rf -- * .[!.]*; true',
    "write to what standard input came from": "echo bad > /proc/self/fd/0; true",
    "a program that sees itself in a trial": '[ "$(ls /proc | grep -c "^[0-9]")" -lt 20 ] || echo ESCAPED',
    "an overlay of its own over the folder": (
        "unshare -Urm bash -c 'mkdir -p u w; mount -t overlay overlay -o userxattr,lowerdir=$OUT,upperdir=u,workdir=w $OUT;"
        ' echo bad > "$OUT/file"\'; true'
    ),
    "a lock on the file": python(
        "f = open(os.environ['OUT'] + '/file', 'r+'); fcntl.flock(f, fcntl.LOCK_EX); f.write('bad')"
    ),
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    world = Outside(tmp_path_factory.mktemp("world") / "out")
    yield world
    world.close()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


def probe(bench: Bench, outside: Outside, script: str, *, network: bool = False) -> str:
    from aish.sandbox.trial import prepare

    work = outside.folder.parent / "work"
    work.mkdir(exist_ok=True)
    trial = prepare(bench.folder / "trials", str(work), network=network)
    env = {**outside.environment(), "TRIALS": str(bench.folder / "trials")}
    try:
        return trial.run(["bash", "-c", script], env=env, captured=True)[1].decode(
            "utf-8", "replace"
        )
    finally:
        trial.discard()


@pytest.mark.parametrize("name", OF_TRIALS)
def test_a_trial_does_not_reach_outside(name: str, bench: Bench, outside: Outside) -> None:
    hostname = os.uname().nodename
    output = probe(bench, outside, OF_TRIALS[name])
    assert "ESCAPED" not in output, output
    outside.check()
    assert os.uname().nodename == hostname
    assert tree(outside.folder.parent / "work") == {}


@pytest.mark.parametrize(
    "name",
    [
        "connect to an abstract socket",
        "connect to a socket somebody listens at",
        "type for the user",
    ],
)
def test_a_trial_with_a_network_still_reaches_no_program_here(
    name: str, bench: Bench, outside: Outside
) -> None:
    output = probe(bench, outside, EVERYWHERE[name], network=True)
    assert "ESCAPED" not in output, output
    outside.check()


def test_what_a_trial_left_running_has_ended_with_it(bench: Bench, outside: Outside) -> None:
    marker = f"aish-left-{os.getpid()}"
    probe(
        bench, outside, f"setsid bash -c 'exec -a {marker} sleep 300' >/dev/null 2>&1 & sleep 0.2"
    )
    found = subprocess.run(["pgrep", "-f", f"^{marker}"], capture_output=True, check=False)
    assert found.returncode == 1


def test_a_file_given_as_standard_input_cannot_be_written_to(tmp_path: Path) -> None:
    source = tmp_path / "input"
    source.write_text("precious\n")
    bench = Bench(tmp_path / "bench")
    from aish.sandbox.trial import prepare

    trial = prepare(bench.folder / "trials", str(tmp_path))
    with source.open() as stdin:
        argv = trial.argv(["bash", "-c", "cat; echo bad > /proc/self/fd/0; echo bad > /dev/stdin"])
        done = subprocess.run(argv, stdin=stdin, capture_output=True, check=False)
    trial.discard()
    assert done.stdout == b"precious\n"
    assert source.read_text() == "precious\n"


def test_a_watch_outside_sees_no_change_of_a_trial(bench: Bench, outside: Outside) -> None:
    import ctypes

    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    changes = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
    libc.inotify_add_watch(watch, os.fsencode(outside.folder), changes)
    probe(bench, outside, 'echo bad > "$OUT/file"; rm -r "$OUT/folder"; touch "$OUT/new"')
    with pytest.raises(BlockingIOError):
        os.read(watch, 4096)
    os.close(watch)
