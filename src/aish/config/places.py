"""Where aish keeps things: the XDG directories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """config.toml: what `AISH_CONFIG` names, else in the XDG directory."""
    if named := environ.get("AISH_CONFIG"):
        return Path(named).expanduser()
    return _xdg(environ, "XDG_CONFIG_HOME", ".config") / "config.toml"


def data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    return _xdg(environ, "XDG_DATA_HOME", ".local/share")


def cache_dir(environ: Mapping[str, str] = os.environ) -> Path:
    return _xdg(environ, "XDG_CACHE_HOME", ".cache")


def sessions_dir() -> Path:
    return data_dir() / "sessions"


def memory_file(named: str = "") -> Path:
    """memory.jsonl: what the configuration names, else in the XDG directory."""
    return Path(named).expanduser() if named else data_dir() / "memory.jsonl"


def vault_file(named: str = "") -> Path:
    """The values that no other machine sees: a file that is named, else beside the config."""
    return Path(named).expanduser() if named else config_file().parent / "vault"


def make_private(folder: Path) -> None:
    """Make what is missing of a path, each part for the user alone, whatever the umask.

    Raises: OSError.
    """
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _xdg(environ: Mapping[str, str], variable: str, below_home: str) -> Path:
    """aish's directory of one kind; a relative value is ignored, as the standard asks."""
    named = environ.get(variable, "")
    home = Path(environ.get("HOME") or Path("~").expanduser())
    return (Path(named) if named.startswith("/") else home / below_home) / "aish"


def project_of(directory: str) -> str:
    """The repository a directory lies in, else the directory."""
    here = Path(directory)
    return str(next((at for at in (here, *here.parents) if os.path.lexists(at / ".git")), here))
