"""The real embedded model for tests: its weights, and its server."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aish.local.places import LocalServerSettings
from aish.local.supervisor import Endpoint, Supervisor, stop_all
from aish.local.weights import installed, provision

LONG = 4 * 3600.0  # seconds; a server that a killed test left behind ends after them


def weights() -> Path:
    """The real weights, fetched once per machine; parallel test workers wait for each other."""
    named = os.environ.get("AISH_TEST_CACHE")
    cache = Path(named) if named else Path.home() / ".cache" / "aish-tests"
    return installed(cache) or provision(cache)


@contextmanager
def playground() -> Iterator[Path]:
    """A new private directory for runtime files; every model server in it ends with it."""
    directory = Path(tempfile.mkdtemp(prefix="aish-model-"))
    try:
        yield directory
    finally:
        stop_all(directory)
        shutil.rmtree(directory)


@contextmanager
def server(n_ctx: int = 2048, n_parallel: int = 1) -> Iterator[Endpoint]:
    """A running real server of the test's own: base_url, api_key, window, model.

    It is in use to the end of the test, so that it does not make room where memory is short.
    """
    with playground() as directory:
        settings = LocalServerSettings(
            weights(), n_ctx=n_ctx, n_parallel=n_parallel, idle_seconds=LONG
        )
        supervisor = Supervisor(directory, directory / "log", settings)
        with supervisor.in_use():
            yield supervisor.ensure()


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something that happens in another process has happened."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
