"""A trial works for an ordinary user, who stays that user inside."""

from __future__ import annotations

import _socket  # noqa: F401  (loaded now: the other user cannot read this interpreter's files)
import fcntl  # noqa: F401
import json
import os
import shutil
import subprocess
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aish.sandbox import inside, kernel
from aish.sandbox.applying import apply
from aish.sandbox.changes import scan
from aish.sandbox.trial import Trial, prepare
from aish.sandbox.undo_store import UndoStore
from aish.sandbox.undoing import undo
from support.outside import Outside
from support.probes import EVERYWHERE
from support.trials import LIMIT, tree

SOMEBODY = 61234
NOT_PYTHON = {name: script for name, script in EVERYWHERE.items() if "$PY" not in script}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of the user's own, where anybody may pass."""
    made = Path(tempfile.mkdtemp(prefix="aish-user-", dir="/tmp"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def as_somebody(folder: Path, action: Any) -> dict[str, Any]:
    """What an action returns when another user does it; as ourselves where we are no root."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(SOMEBODY, SOMEBODY, SOMEBODY)
                os.setresuid(SOMEBODY, SOMEBODY, SOMEBODY)
                kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # as after starting a program
            os.environ["HOME"] = str(folder)
            os.write(writing, json.dumps(action()).encode())
        except BaseException:  # noqa: BLE001  (told by the parent)
            os.write(writing, json.dumps({"error": traceback.format_exc()}).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    found: dict[str, Any] = json.loads(text)
    assert "error" not in found, found["error"]
    return found


def inside_trial(trial: Trial, script: str) -> int:
    """Run a script without starting an interpreter, which is another user's."""
    plan = trial.argv(["bash", "-c", script])[-1]
    launcher = os.fork()
    if not launcher:
        inside.main(plan)
    status = os.waitstatus_to_exitcode(os.waitpid(launcher, 0)[1])
    trial.check()
    return status


def owned(folder: Path) -> None:
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, SOMEBODY, SOMEBODY, follow_symlinks=False)


def test_it_is_tried_applied_and_taken_back_by_an_ordinary_user(folder: Path) -> None:
    work = folder / "work"
    (work / "d").mkdir(parents=True)
    for name in ("a", "d/b", "gone", "locked"):
        (work / name).write_text(f"{name}\n")
    (work / "locked").chmod(0o444)
    owned(folder)
    before = tree(work)
    script = """
        id -u > who; echo more >> a; rm gone; mkdir n; echo 1 > n/x; chmod 500 n; rm -f locked
        rm -r d; mkdir d; echo new > d/new; touch secret; chmod 000 secret
        touch /etc/no 2>/dev/null
    """

    def action() -> dict[str, Any]:
        trial = prepare(folder / "trials", str(work), home=str(folder))
        inside_trial(trial, script)
        untouched = sorted(path.name for path in work.iterdir())
        store = UndoStore(folder / "undo", LIMIT)
        applied = apply(trial, scan(trial), store.begin("x", str(work)))
        after = sorted(path.name for path in work.iterdir())
        who = (work / "who").read_text().strip()
        undone = undo(next(store.records()))
        trial.discard()
        refused = [one.reason for one in applied.refused] + [why for _, why in undone.refused]
        return {"untouched": untouched, "after": after, "who": who, "refused": refused}

    found = as_somebody(folder, action)
    assert found["untouched"] == ["a", "d", "gone", "locked"]
    assert found["after"] == ["a", "d", "n", "secret", "who"]
    assert found["who"] == str(SOMEBODY if os.geteuid() == 0 else os.geteuid())
    assert found["refused"] == []
    assert tree(work) == before


SHUT = """
    mkdir -p d/e locked empty none; for f in a d/b d/e/c locked/x none/x; do echo $f > $f; done
    touch -d 2020-01-01 a d/b d/e/c locked/x none/x; touch -d 2020-01-02 d/e d locked empty none .
    chmod 500 locked; chmod 555 empty; chmod 000 none
"""


@pytest.mark.parametrize(
    "script",
    [
        "echo x > d/e/c; rm d/b; chmod 000 d",
        "echo x > d/e/c; chmod 555 d/e; chmod 600 d",
        "mkdir -p n/m; echo 1 > n/m/x; chmod 000 n/m n",
        "chmod 700 locked; echo 1 > locked/new; rm locked/x; chmod 500 locked",
        "chmod 700 locked; echo 1 > locked/new",
        "rmdir empty",
        "rmdir empty; echo 1 > empty",
        "chmod 700 none",
        "chmod 700 none; echo y > none/x; echo 1 > none/new; chmod 000 none",
        "chmod 700 none; rm none/x; chmod 000 none",
        "mv empty e2",
        "echo 1 > d/b; chmod 000 d/b a; rm -r d/e",
        "rm a; mkdir a; echo 1 > a/1; chmod 000 a",
    ],
)
def test_folders_that_are_shut_are_applied_and_taken_back(folder: Path, script: str) -> None:
    """Root sees them from outside; the user who shuts them could not look."""
    real, work = folder / "real", folder / "work"
    for made in (real, work):
        made.mkdir()
        subprocess.run(["bash", "-c", SHUT], cwd=made, check=True)
    owned(folder)
    before = tree(work, folder_times=True)
    time.sleep(0.01)
    since = time.time_ns()

    def applied() -> dict[str, Any]:
        subprocess.run(["bash", "-c", script], cwd=real, capture_output=True, check=False)
        trial = prepare(folder / "trials", str(work), home=str(folder))
        inside_trial(trial, script)
        store = UndoStore(folder / "undo", LIMIT)
        found = apply(trial, scan(trial), store.begin("x", str(work)))
        trial.discard()
        return {"refused": [one.reason for one in found.refused]}

    def undone() -> dict[str, Any]:
        found = undo(next(UndoStore(folder / "undo", LIMIT).records()))
        return {"refused": found.refused}

    assert as_somebody(folder, applied) == {"refused": []}
    assert tree(work, since=since) == tree(real, since=since)
    assert as_somebody(folder, undone) == {"refused": []}
    assert tree(work, folder_times=True) == before


def test_no_probe_of_an_ordinary_user_reaches_outside(folder: Path) -> None:
    outside = Outside(folder / "world" / "out")
    work = folder / "world" / "work"
    work.mkdir()
    owned(folder)
    outside.before = tree(outside.folder)
    names = "; ".join(f"export {name}='{value}'" for name, value in outside.environment().items())

    def action() -> dict[str, Any]:
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        reading, writing = os.pipe()
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        os.close(writing)
        for script in NOT_PYTHON.values():
            trial = prepare(folder / "trials", str(work), home=str(folder))
            inside_trial(trial, f"{names}; {script}")
            trial.discard()
        os.close(1)
        os.close(2)
        with os.fdopen(reading, "rb") as said:
            return {"said": said.read().decode("utf-8", "replace")}

    try:
        found = as_somebody(folder, action)
        assert "ESCAPED" not in found["said"], found["said"]
        outside.check()
    finally:
        outside.close()
