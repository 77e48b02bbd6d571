"""The vault: a file of the user's own secrets, readable by nobody else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from aish.core.errors import ConfigError
from aish.core.secrets.values import SHORTEST

HINT = "one `name = value` per line; values of at least {} characters"
LARGEST = 4 << 20  # bytes


def read_vault(path: Path) -> list[str]:
    """The values, whatever they are called: two of one name are both secret.

    A missing file is an empty vault. No error ever quotes a line.

    Raises: ConfigError, when others may read the file, or it cannot be understood.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        _check_missing(path)
        return []
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from error
    try:
        _check_private(os.fstat(descriptor), path)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(LARGEST + 1)
    finally:
        os.close(descriptor)
    if len(data) > LARGEST:
        raise ConfigError("is larger than 4 MB", path=str(path))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", path=str(path)) from None
    return _parsed(text, path)


def vault_state(path: Path) -> tuple[int, ...]:
    """Another one after every change of the file; () for none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _check_missing(path: Path) -> None:
    """A link to nothing is a vault that is not mounted now: its values would go out unhidden."""
    if path.is_symlink():
        hint = "mount or mend what it leads to, or remove the link"
        raise ConfigError("is a link to nothing", hint, path=str(path))


def _check_private(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError("is not a file", path=str(path))
    if status.st_mode & 0o077:
        raise ConfigError(
            f"may be read by others (mode {stat.S_IMODE(status.st_mode):04o})",
            f"chmod 600 {path}",
            path=str(path),
        )
    if status.st_uid != os.geteuid():
        raise ConfigError("belongs to another user", f"chown {os.geteuid()} {path}", path=str(path))


def _parsed(text: str, path: Path) -> list[str]:
    values: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = line.removeprefix("export ").partition("=")
        value = _unquoted(value.strip())
        if not equals or not name.strip() or len(value) < SHORTEST:
            raise ConfigError(
                f"line {number} cannot be used", HINT.format(SHORTEST), path=str(path)
            )
        values.append(value)
    return values


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
