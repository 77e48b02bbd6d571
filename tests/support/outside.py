"""A world outside of a trial or sandbox, and whether anything in it was touched."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

from support.trials import tree


class Outside:
    """Files, a process, listeners and shared memory that a confined command must not reach."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heard: list[str] = []
        self._stack = ExitStack()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "file").write_text("precious\n")
        (folder / "folder").mkdir(exist_ok=True)
        (folder / "folder" / "inner").write_text("inner\n")
        os.link(folder / "file", folder / "other name")
        (folder / "link").symlink_to(folder / "file")
        self.process = subprocess.Popen(["sleep", "600"], start_new_session=True)
        self._stack.callback(self._end)
        self.socket = str(folder / "socket")
        self._listen(socket.AF_UNIX, self.socket)
        self.abstract = f"aish-test-{os.getpid()}-{id(self)}"
        self._listen(socket.AF_UNIX, "\0" + self.abstract)
        self.port = self._listen(socket.AF_INET, ("127.0.0.1", 0))
        self._datagrams = self._datagram_listener()
        self.before = tree(folder)

    def _end(self) -> None:
        self.process.kill()
        self.process.wait()

    def _listen(self, family: int, address: tuple[str, int] | str) -> int:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.bind(address)
        listener.listen(8)
        self._stack.callback(listener.close)

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                self.heard.append(f"{address!r}")
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
        self._stack.callback(lambda: _wake(listener))
        name = listener.getsockname()
        return int(name[1]) if family == socket.AF_INET else 0

    def _datagram_listener(self) -> str:
        path = str(self.folder / "datagrams")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        listener.bind(path)
        listener.setblocking(False)
        self._stack.callback(listener.close)
        self._datagram_socket = listener
        return path

    def environment(self) -> dict[str, str]:
        """How a probe finds its way."""
        return {
            "OUT": str(self.folder),
            "VICTIM": str(self.process.pid),
            "SOCK": self.socket,
            "DGRAM": self._datagrams,
            "ABSTRACT": self.abstract,
            "PORT": str(self.port),
            "PY": sys.executable,
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def check(self) -> None:
        """Raises: AssertionError when something was touched."""
        assert tree(self.folder) == self.before
        assert self.process.poll() is None, "the process outside was ended"
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        assert "T (stopped)" not in status
        assert not self.heard, f"somebody connected: {self.heard}"
        try:
            told = self._datagram_socket.recv(100)
        except BlockingIOError:
            return
        raise AssertionError(f"a datagram came through: {told!r}")

    def close(self) -> None:
        self._stack.close()


def _wake(listener: socket.socket) -> None:
    try:
        listener.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
