"""The server of the real embedded model, started before anybody asks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from aish.config.schema import LocalConfig
from aish.core.user import Nobody
from aish.local.supervisor import running
from aish.models.ahead import AGAIN, PATIENT, Ahead, Unasked
from aish.models.embedded import Embedded, runtime_dir
from support.embedded import playground, weights


@pytest.fixture
def folder() -> Iterator[Path]:
    with playground() as directory:
        yield directory


@pytest.fixture
def embedded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Embedded:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")
    config = LocalConfig(model=str(weights()), context=512)
    return Embedded(config, data=folder / "data", cache=folder, user=Nobody())


def servers(folder: Path) -> int:
    return len(running(runtime_dir(folder)))


@pytest.mark.parametrize("when", ["typing", "never"])
def test_nothing_starts_at_idle_time_where_that_is_not_wanted(
    folder: Path, embedded: Embedded, when: str
) -> None:
    assert Ahead(embedded, when).idle() == inf
    assert servers(folder) == 0


def test_a_machine_with_nothing_to_spare_is_looked_at_again(
    folder: Path, embedded: Embedded
) -> None:
    ahead = Ahead(embedded, "auto", lambda _: False)
    assert ahead.idle() == AGAIN
    assert servers(folder) == 0


def test_without_a_model_nothing_starts_and_nothing_is_said(folder: Path) -> None:
    embedded = Embedded(LocalConfig(), data=folder / "none", cache=folder, user=Nobody())
    assert Ahead(embedded, "idle").idle() == inf


def test_a_server_starts_at_idle_time_and_is_counted_until_somebody_asks(
    folder: Path, embedded: Embedded
) -> None:
    unasked = Unasked(folder / "unasked")
    ahead = Ahead(embedded, "auto", lambda _: True)
    assert ahead.idle() == inf
    assert (servers(folder), unasked.times) == (1, 1)
    assert Ahead(embedded, "auto", lambda _: True).idle() == inf  # another session: it runs
    assert unasked.times == 1
    embedded.spec()
    assert unasked.times == 0
    embedded.supervisor.stop()


def test_whoever_never_asks_gets_no_server_after_a_few(folder: Path, embedded: Embedded) -> None:
    for _ in range(PATIENT):
        Unasked(folder / "unasked").add()
    assert Ahead(embedded, "idle").idle() == inf
    assert servers(folder) == 0


def test_a_question_waits_for_what_is_read_ahead(embedded: Embedded) -> None:
    answered = threading.Event()

    def ask() -> None:
        embedded.spec()
        answered.set()

    with embedded.supervisor.reading():  # as another session holds it while its server reads
        asking = threading.Thread(target=ask)
        asking.start()
        assert not answered.wait(0.3)
    assert answered.wait(120)
    asking.join()
    embedded.supervisor.stop()
