"""Trials that begin and end at the same time."""

from __future__ import annotations

import threading
from pathlib import Path

from aish.sandbox.trial import prepare


def test_a_trial_begins_while_others_end(tmp_path: Path) -> None:
    store, over = tmp_path / "trials", threading.Event()
    store.mkdir()

    def come_and_go() -> None:
        while not over.is_set():
            for number in range(20):
                (store / str(number)).mkdir()
            for number in range(20):
                (store / str(number)).rmdir()

    others = threading.Thread(target=come_and_go)
    others.start()
    try:
        trials = [prepare(store, str(tmp_path)) for _ in range(40)]
    finally:
        over.set()
        others.join()
    assert all(trial.folder.is_dir() for trial in trials)
