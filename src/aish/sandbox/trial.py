"""A trial: commands run on overlays of the real files, which they cannot change."""

from __future__ import annotations

import marshal
import os
import secrets
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aish.core.errors import SandboxError
from aish.core.values import dataclass, field
from aish.sandbox import kernel
from aish.sandbox.layers import Cover, below, here

LEFT_BEHIND = 86_400  # seconds
INSTEAD = "`aish sandbox run -- COMMAND` runs it with the rest of the system read-only"
_SOURCE = str(Path(__file__).resolve().parents[2])
_START = "import sys; sys.path.insert(0, sys.argv[1]); import aish.sandbox.inside as i; "
_START += "i.main(sys.argv[2])"
_REMOVE = '{ chmod -R u+rwX "$1"; rm -rf "$1"; } >/dev/null 2>&1 &'  # overlays leave modes of 000


@dataclass(frozen=True, slots=True)
class Layer:
    """One overlay: the real folder and what was laid over it."""

    path: str  # of the real folder
    upper: Path


@dataclass(slots=True)
class Trial:
    """The folder of one trial; it may be entered several times before it is over."""

    folder: Path
    cwd: str
    cover: Cover
    network: bool = False
    began_ns: int = 0  # by the clock that stamps files
    layers: tuple[Layer, ...] = ()
    own_stamps: dict[str, int] = field(default_factory=dict)  # ctimes that applying made itself

    def argv(
        self,
        command: Sequence[str],
        env: Mapping[str, str] | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        at: str = "",
        keep: int = -1,
    ) -> list[str]:
        """The program that runs `command` inside, with the caller's terminal and environment.

        `env` is added to the environment; `environment` stands in for it, inside only. `at` is
        where it starts, if that is there; `keep` is a descriptor it gets besides the usual three.

        Raises: SandboxError.
        """
        if not kernel.supported():
            raise SandboxError(
                f"nothing can be tried on {kernel.machine()}", "only x86_64 and aarch64 are known"
            )
        try:
            plan = self._write_plan(
                command,
                {"env": dict(env or {}), "environment": environment, "at": at, "keep": keep},
            )
        except OSError as error:
            raise SandboxError(f"a trial cannot be prepared: {error}", INSTEAD) from error
        return [sys.executable, "-I", "-S", "-c", _START, _SOURCE, str(plan)]

    def run(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        captured: bool = False,
    ) -> tuple[int, bytes]:
        """Run it to its end; its status, and what it printed when `captured`.

        Raises: SandboxError when the trial cannot be made.
        """
        stdin = subprocess.DEVNULL if captured else None
        output = subprocess.PIPE if captured else None
        argv, errors = self.argv(command, env), subprocess.STDOUT if captured else None
        try:
            process = subprocess.Popen(argv, stdin=stdin, stdout=output, stderr=errors)
        except OSError as error:
            raise SandboxError(f"a trial cannot be begun: {error}", INSTEAD) from error
        printed = b""
        while True:
            try:
                printed += process.communicate()[0] or b""
                break
            except KeyboardInterrupt:
                continue  # the command got it too; its end is awaited
        self.check()
        return process.returncode, printed

    def check(self) -> None:
        """Raises: SandboxError when the last command could not be started inside."""
        try:
            report = (self.folder / "report").read_text("utf-8", "replace")
        except OSError:
            report = ""
        if report.startswith(("began", "ended")):
            return
        reason = report.removeprefix("failed ") or "it ended at once"
        raise SandboxError(f"this cannot be tried here: {reason}", INSTEAD)

    def discard(self) -> None:
        """Throw away what was changed, and the trial; another process does the work."""
        gone = self.folder.with_name(f".{self.folder.name}")
        try:
            self.folder.rename(gone)
        except FileNotFoundError:
            return
        remove = ["sh", "-c", _REMOVE, "sh", str(gone)]
        try:
            subprocess.run(remove, stdin=subprocess.DEVNULL, start_new_session=True, check=False)
        except OSError:
            remove_tree(gone)

    def _write_plan(self, command: Sequence[str], start: dict[str, Any]) -> Path:
        (self.folder / "report").unlink(missing_ok=True)
        layers = []
        for number, layer in enumerate(self.layers):
            work = self.folder / str(number) / "work"
            remove_tree(work)  # a volatile overlay leaves a mark there that forbids a second use
            work.mkdir(mode=0o700)
            needed = below(self.cwd, (layer.path,))
            layers.append((layer.path, str(layer.upper), str(work), needed))
        plan = self.folder / "plan"
        plan.touch(0o600)  # whatever the umask
        whole = os.geteuid() == 0
        with plan.open("wb") as file:
            marshal.dump(
                {
                    "argv": list(command),
                    "cwd": self.cwd,
                    **start,
                    "gid_map": _identity_map("gid")
                    if whole
                    else f"{os.getegid()} {os.getegid()} 1",
                    "layers": layers,
                    "network": self.network,
                    "report": str(self.folder / "report"),
                    "root": str(self.folder / "root"),
                    "empty": str(self.folder / "empty"),
                    "still": list(self.cover.still),
                    "folders": list(self.cover.folders),
                    "links": list(self.cover.links),
                    "shown": list(self.cover.shown),
                    "store": os.path.realpath(self.folder.parent),
                    "uid_map": _identity_map("uid")
                    if whole
                    else f"{os.geteuid()} {os.geteuid()} 1",
                    "whole_map": whole,
                },
                file,
            )
        return plan


def prepare(store: Path, cwd: str, *, network: bool = False, home: str = "") -> Trial:
    """A new trial below `store`, which is made private.

    Raises: SandboxError.
    """
    try:
        where = os.path.realpath(cwd, strict=True)
        make_private(store)
        store.chmod(0o700)
        _sweep(store)
        folder = store / secrets.token_hex(6)
        folder.mkdir(mode=0o700)
        (folder / "root").mkdir()
        (folder / "empty").mkdir(mode=0o755)
        found = here((where, os.path.realpath(home)) if home else (where,))
        layers: list[Layer] = []
        for path in found.layers:
            upper = folder / str(len(layers)) / "upper"
            upper.parent.mkdir(mode=0o700, exist_ok=True)
            upper.mkdir(exist_ok=True)
            try:
                _like(path, upper)
            except FileNotFoundError:
                if below(where, (path,)):
                    raise
                continue  # somebody removed it just now
            layers.append(Layer(path, upper))
        (folder / "began").touch()
        began = (folder / "began").stat().st_ctime_ns
    except OSError as error:
        raise SandboxError(f"a trial cannot be prepared: {error}", INSTEAD) from error
    return Trial(folder, where, found, network, began, tuple(layers))


def make_private(folder: Path) -> None:
    """Make what is missing of a path, each part for the user alone, whatever the umask.

    Raises: OSError.
    """
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _sweep(store: Path) -> None:
    """Trials that a crash left behind go after a day; others may end while this looks."""
    for folder in store.iterdir():
        with suppress(FileNotFoundError):
            if time.time() - folder.lstat().st_mtime > LEFT_BEHIND:
                remove_tree(folder)


def _like(path: str, upper: Path) -> None:
    """The root of an overlay has the mode and owner of the upper folder."""
    real = os.stat(path)
    if os.geteuid() == 0:
        with suppress(OSError):  # in a container an owner may have no number here
            os.chown(upper, real.st_uid, real.st_gid)
    upper.chmod(stat.S_IMODE(real.st_mode))
    os.utime(upper, ns=(real.st_atime_ns, real.st_mtime_ns))


def _identity_map(kind: str) -> str:
    """Every identity of this process's own namespace, as itself."""
    lines = Path(f"/proc/self/{kind}_map").read_text().splitlines()
    ranges = (line.split() for line in lines)
    return "".join(f"{first} {first} {count}\n" for first, _, count in ranges)


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours whatever modes the trial left in it; absent is fine."""
    try:
        shutil.rmtree(folder)
        return
    except FileNotFoundError:
        return
    except OSError:
        pass  # a folder without permissions, as overlays make them
    with suppress(OSError):
        folder.chmod(0o700)
    for path, folders, _ in os.walk(folder):
        for name in folders:
            inner = os.path.join(path, name)
            if not os.path.islink(inner):
                with suppress(OSError):
                    os.chmod(inner, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
