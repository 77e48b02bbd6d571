"""Logins to servers of tools: tokens, in one file for the user alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aish.core.errors import StoreError
from aish.store.disk import DISK, Disk, open_regular

LARGEST = 16 << 20  # bytes


class LoginFile:
    """What each server gave us to prove who asks, by its address."""

    def __init__(self, path: Path, *, disk: Disk = DISK) -> None:
        self._path = path
        self._disk = disk

    def load(self, server: str) -> dict[str, Any]:
        """What is kept of a server; nothing where the file cannot be read."""
        found = self._all().get(server)
        return found if isinstance(found, dict) else {}

    def save(self, server: str, kept: Mapping[str, Any]) -> None:
        """Keep this of a server; nothing at all: forget it.

        Raises: StoreError.
        """
        every = self._all() | {server: dict(kept)}
        known = {name: value for name, value in every.items() if value}
        try:
            self._replace(json.dumps(known, indent=1).encode())
        except OSError as error:
            raise StoreError(f"the login could not be kept: {error.strerror}") from error

    def secrets(self) -> list[str]:
        """Every token, and every secret of a registration."""
        logins = [login for login in self._all().values() if isinstance(login, dict)]
        parts = [part for login in logins for part in login.values() if isinstance(part, dict)]
        found = [pair for part in parts for pair in part.items()]
        return [
            text
            for name, text in found
            if name.endswith(("_token", "_secret")) and isinstance(text, str)
        ]

    def _all(self) -> dict[str, Any]:
        try:
            with os.fdopen(open_regular(self._path), "rb") as file:
                found = json.loads(file.read(LARGEST))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _replace(self, data: bytes) -> None:
        self._disk.make_directory(self._path.parent)
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        descriptor = self._disk.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            while data:
                data = data[self._disk.write(descriptor, data) :]
            self._disk.sync(descriptor)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
        finally:
            os.close(descriptor)
        self._disk.rename(fresh, self._path)
