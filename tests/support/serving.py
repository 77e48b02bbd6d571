"""Real MCP servers over HTTP, each a process of its own on a free port."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

PATIENCE = 120.0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def served(
    *command: str, port: int, env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """The command, once it listens on the port."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(list(command), stdout=quiet, stderr=quiet, env=env)
    deadline = time.monotonic() + PATIENCE
    try:
        while True:
            assert process.poll() is None, f"{command} ended with {process.returncode}"
            assert time.monotonic() < deadline, f"{command} does not listen"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()
