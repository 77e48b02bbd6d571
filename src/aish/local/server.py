"""The model server's own process: llama.cpp on loopback, ending itself when nobody asks."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import secrets
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aish.local.machine_load import MEMORY, memory
from aish.local.places import (
    LocalServerSettings,
    ServerPlace,
    ServerState,
    born,
    open_lock,
    try_lock,
    write_state,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

LOG_LIMIT = 1 << 20
# More threads than this slow a small model down; a large one's user sets the number.
THREADS_LIMIT = 8
# Old prompts kept for reuse. llama.cpp's own default is 8 GiB.
PROMPT_CACHE_MIB = 256
# Tokens read between two looks at who still waits: what was given up keeps nobody waiting for long.
# llama.cpp's own default is 2048, most of a minute on a small machine; less reads no slower.
BATCH = 128
# How often a thread looks for the next piece of a prompt before it sleeps. By default it looks on
# for many milliseconds, and keeps from a busy core the very thread that it waits for.
GLANCES = "10000"
LOCK_PATIENCE = 0.5
NICENESS = 5  # a build beside an answer goes first
SCARCE = 0.05  # of the memory: with less to spare, a server nobody asks makes room
SOON = 30.0  # seconds without a question until it does


def main(argv: Sequence[str] | None = None) -> None:
    """Load the model, publish the address, serve until idle or told to end."""
    place, settings, prompts, foreground = _read_arguments(argv)
    report = _Report()
    log = None if foreground else sys.stderr.fileno()
    if not foreground:
        _leave_the_parent()
        _step_back()
    if _become_the_server(place) is None:
        report.say(error="taken")
        return
    if log is not None:
        os.ftruncate(log, 0)  # the log tells of one run only
    place.state.unlink(missing_ok=True)
    try:
        server, state = load(settings, prompts)
    except (ImportError, RuntimeError, OSError, ValueError) as error:
        _let_the_log_settle(log)
        report.say(error="missing" if isinstance(error, ImportError) else "load", text=str(error))
        os._exit(1)
    bell = _listen_for_signals()
    write_state(place, state)
    report.say(ready=True)
    _serve(place, settings.idle_seconds, bell, log)
    # llama.cpp's server was seen to hang for ever in its own clean-up, so it gets none.
    os._exit(0 if server else 1)


def _read_arguments(
    argv: Sequence[str] | None,
) -> tuple[ServerPlace, LocalServerSettings, Path | None, bool]:
    parser = argparse.ArgumentParser(prog="python -m aish.local.server", description=__doc__)
    parser.add_argument("--place", type=Path, required=True, help="directory of state and locks")
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--n-ctx", type=int, default=8192, help="tokens, shared by the slots")
    parser.add_argument("--n-parallel", type=int, default=1, help="slots")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as help")
    parser.add_argument("--idle-seconds", type=float, default=0.0, help="0: never end")
    parser.add_argument("--adapter", type=Path, help="a LoRA in a GGUF file")
    parser.add_argument("--prompts", type=Path, help="where prompts that were read are kept")
    parser.add_argument("--foreground", action="store_true", help="stay a child of the caller")
    args = parser.parse_args(argv)
    settings = LocalServerSettings(
        args.model, args.n_ctx, args.n_parallel, args.threads, args.idle_seconds, args.adapter
    )
    return ServerPlace(args.place), settings, args.prompts, args.foreground


class _Report:
    """The pipe to whoever started this process; everything else printed goes to the log."""

    def __init__(self) -> None:
        self._pipe = os.dup(1)
        os.dup2(2, 1)

    def say(self, **words: Any) -> None:
        """Say one thing and hang up. Nobody listening any more is no reason to stop."""
        with suppress(OSError):
            os.write(self._pipe, json.dumps(words).encode() + b"\n")
        os.close(self._pipe)


def _leave_the_parent() -> None:
    """Let init adopt this process, so that no session has to outlive it to reap it."""
    if os.fork():
        os._exit(0)
    os.chdir("/")
    os.umask(0o077)


def _step_back() -> None:
    """Let others go first: within the session, and the session among others.

    Where the kernel groups processes by session, niceness alone counts for nothing between them.
    """
    os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), "ascii")


def _become_the_server(place: ServerPlace) -> int | None:
    """Take the lock that makes this process the server, or learn that another one is."""
    descriptor = open_lock(place.server_lock)
    # A client that merely looks holds the lock for an instant.
    deadline = time.monotonic() + LOCK_PATIENCE
    while not try_lock(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            os.close(descriptor)
            return None
        time.sleep(0.02)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()} {born(os.getpid())}\n".encode(), 0)
    return descriptor


def load(settings: LocalServerSettings, prompts: Path | None = None) -> tuple[Any, ServerState]:
    """Start llama.cpp's server in this process and say where it listens.

    Raises: ImportError without xllamacpp, RuntimeError when the model does not load.
    """
    os.environ.setdefault("GOMP_SPINCOUNT", GLANCES)  # OpenMP reads it when it is loaded
    from xllamacpp import CommonAdapterLoraInfo, CommonParams, Server

    key = secrets.token_urlsafe(32)
    cores = usable_cores()
    threads = settings.threads or min(max(1, cores - 1), THREADS_LIMIT)
    params = CommonParams()
    params.model.path = str(settings.model)
    params.n_ctx = settings.n_ctx
    params.n_parallel = settings.n_parallel
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.use_jinja = True
    params.ui = False
    params.endpoint_slots = False
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.n_batch = params.n_ubatch = BATCH
    if prompts is not None:
        params.slot_save_path = f"{prompts}/"
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = settings.threads or min(cores, THREADS_LIMIT)
    if settings.adapter is not None:
        adapter = CommonAdapterLoraInfo()
        adapter.path, adapter.scale = str(settings.adapter), 1.0
        params.lora_adapters = [adapter]
    server = Server(params)
    base_url = str(server.listening_address)
    window = _window(base_url, key)
    state = ServerState(os.getpid(), base_url, key, str(settings.model), window, threads)
    return server, state


def _window(base_url: str, key: str) -> int:
    """What one conversation may fill; llama.cpp rounds and divides what it was told."""
    from http.client import HTTPConnection

    connection = HTTPConnection(base_url.removeprefix("http://"), timeout=30)
    connection.request("GET", "/props", headers={"Authorization": f"Bearer {key}"})
    props = json.loads(connection.getresponse().read())
    connection.close()
    return int(props["default_generation_settings"]["n_ctx"])


def usable_cores() -> int:
    """The cores this process may use.

    A prompt is read with all of them; an answer leaves one free. Its threads meet thousands of
    times a second, and where one core has other work each meeting waits for that.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text("ascii").split()
        cores = min(cores, int(quota) // int(period))
    return max(1, cores)


def _let_the_log_settle(log: int | None, quiet: float = 0.2, patience: float = 2.0) -> None:
    """Wait for llama.cpp's logging thread, which may still hold the line that says why."""
    deadline, size = time.monotonic() + patience, -1
    while log is not None and time.monotonic() < deadline and os.fstat(log).st_size != size:
        size = os.fstat(log).st_size
        time.sleep(quiet)


def _listen_for_signals() -> int:
    """A descriptor that becomes readable when this process is told to end."""
    bell, clapper = os.pipe()
    os.set_blocking(clapper, False)
    signal.set_wakeup_fd(clapper, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return bell


def _serve(place: ServerPlace, idle_seconds: float, bell: int, log: int | None) -> None:
    tick = min(5.0, idle_seconds / 4) if idle_seconds else 5.0
    use_lock = open_lock(place.use_lock)
    while True:
        if select.select([bell], [], [], tick)[0]:
            break
        if log is not None and os.fstat(log).st_size > LOG_LIMIT:
            os.ftruncate(log, 0)
        if idle_seconds and _is_idle(place, idle_seconds, use_lock):
            break
        if log is not None and memory_is_scarce() and _is_idle(place, SOON, use_lock):
            break
    place.state.unlink(missing_ok=True)


def memory_is_scarce(meminfo: Path = MEMORY) -> bool:
    """Whether the machine has hardly any memory left; not where nobody can tell."""
    try:
        total, available = memory(meminfo)
    except (OSError, ValueError, KeyError, IndexError):
        return False
    return available < SCARCE * total


def _is_idle(place: ServerPlace, idle_seconds: float, use_lock: int) -> bool:
    """Whether nobody asked for long and nobody asks now; then the lock is kept to the end."""
    if _age(place) < idle_seconds or not try_lock(use_lock, fcntl.LOCK_EX):
        return False
    if _age(place) >= idle_seconds:
        return True
    fcntl.flock(use_lock, fcntl.LOCK_UN)
    return False


def _age(place: ServerPlace) -> float:
    try:
        return time.time() - place.state.stat().st_mtime
    except FileNotFoundError:
        return float("inf")  # nobody can find this server any more


if __name__ == "__main__":
    main()
