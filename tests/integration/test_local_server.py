"""The supervisor and the real llama.cpp server with the real embedded model."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aish.local.places import LocalServerSettings, ServerPlace, place_for
from aish.local.supervisor import Endpoint, Supervisor, running, stop_all
from support import embedded

# Small, so that a test machine with two cores loads it in half a second.
SETTINGS: dict[str, Any] = {"n_ctx": 1024}


@pytest.fixture
def runtime() -> Iterator[Path]:
    with embedded.playground() as directory:
        yield directory


def supervisor(runtime: Path, **changes: Any) -> Supervisor:
    settings = replace(LocalServerSettings(embedded.weights(), **SETTINGS), **changes)
    return Supervisor(runtime, runtime / "log", settings)


def place(runtime: Path) -> ServerPlace:
    return place_for(runtime, LocalServerSettings(embedded.weights(), **SETTINGS))


def ask(endpoint: Endpoint, key: str | None, text: str = "Say hello.") -> dict[str, Any]:
    body = {"messages": [{"role": "user", "content": text}], "max_tokens": 8}
    request = urllib.request.Request(
        endpoint.base_url + "/v1/chat/completions",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"}
        | ({"Authorization": f"Bearer {key}"} if key else {}),
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def test_it_answers_whoever_has_the_key_and_nobody_else(runtime: Path) -> None:
    endpoint = supervisor(runtime).ensure()
    answer = ask(endpoint, endpoint.api_key)
    assert answer["choices"][0]["message"]["role"] == "assistant"
    assert 0 < answer["usage"]["completion_tokens"] <= 8
    for wrong in (None, "guess"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(endpoint, wrong)
        assert refused.value.code == 401
        refused.value.close()


def test_the_window_is_what_one_conversation_really_gets() -> None:
    with embedded.server(n_ctx=2048, n_parallel=2) as endpoint:
        assert endpoint.window == 1024
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(endpoint, endpoint.api_key, "word " * 1100)
        error = json.load(refused.value)["error"]
        assert error["n_ctx"] == endpoint.window


def test_a_second_ensure_finds_the_first_server(runtime: Path) -> None:
    first = supervisor(runtime).ensure()
    again = supervisor(runtime, idle_seconds=5.0)
    assert again.ensure() == first
    assert len(running(runtime)) == 1


def test_it_can_be_started_from_a_background_thread_and_tells_of_the_wait(runtime: Path) -> None:
    found: list[Endpoint] = []
    waits: list[float] = []
    wanted = supervisor(runtime)
    thread = threading.Thread(target=lambda: found.append(wanted.ensure(waiting=waits.append)))
    thread.start()
    thread.join(120)
    assert found[0].window == 1024
    assert waits == sorted(waits)
    assert waits


def test_racing_processes_share_one_server(runtime: Path) -> None:
    code = f"""
from pathlib import Path
from aish.local.places import LocalServerSettings
from aish.local.supervisor import Supervisor
runtime = Path({str(runtime)!r})
settings = LocalServerSettings(Path({str(embedded.weights())!r}), n_ctx={SETTINGS["n_ctx"]})
s = Supervisor(runtime, runtime / "log", settings)
print(s.ensure().base_url, s.status().pid)
"""
    racers = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    told = {racer.communicate(timeout=120)[0] for racer in racers}
    assert [racer.returncode for racer in racers] == [0, 0, 0, 0]
    assert len(told) == 1
    embedded.wait_for(lambda: len(server_processes(runtime)) == 1)


def test_other_settings_get_a_server_of_their_own(runtime: Path) -> None:
    small = supervisor(runtime, n_ctx=512).ensure()
    large = supervisor(runtime).ensure()
    assert small.base_url != large.base_url
    assert (small.window, large.window) == (512, 1024)
    assert len(running(runtime)) == 2
    assert stop_all(runtime) == 2
    assert running(runtime) == []


def test_stop_ends_it_and_removes_the_state(runtime: Path) -> None:
    wanted = supervisor(runtime)
    assert wanted.stop() is False
    wanted.ensure()
    status = wanted.status()
    assert status is not None
    assert status.memory_bytes > 50_000_000
    assert wanted.stop() is True
    assert wanted.status() is None
    assert not place(runtime).state.exists()
    embedded.wait_for(lambda: not Path(f"/proc/{status.pid}").exists())


def test_an_idle_server_ends_itself_and_the_next_question_starts_one(runtime: Path) -> None:
    wanted = supervisor(runtime, idle_seconds=0.4)
    wanted.ensure()
    embedded.wait_for(lambda: wanted.status() is None)
    assert not place(runtime).state.exists()
    with wanted.in_use():
        endpoint = wanted.ensure()
        assert ask(endpoint, endpoint.api_key)["usage"]["completion_tokens"] > 0


def test_a_server_in_use_is_never_idle(runtime: Path) -> None:
    wanted = supervisor(runtime, idle_seconds=0.4)
    with wanted.in_use():
        endpoint = wanted.ensure()
        status = wanted.status()
        # Older than any idle time, as after a very long answer.
        os.utime(place(runtime).state, (0, 0))
        for _ in range(3):
            ask(endpoint, endpoint.api_key)
            os.utime(place(runtime).state, (0, 0))
        assert status is not None
        assert wanted.status() is not None
        assert wanted.ensure() == endpoint
    embedded.wait_for(lambda: wanted.status() is None)


def test_no_key_in_any_command_line_or_environment(runtime: Path) -> None:
    endpoint = supervisor(runtime).ensure()
    assert len(endpoint.api_key) >= 32
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                text = (process / name).read_bytes()
            except OSError:
                continue
            assert endpoint.api_key.encode() not in text


def test_state_and_log_are_the_users_alone_and_hold_no_prompt(runtime: Path) -> None:
    wanted = supervisor(runtime)
    endpoint = wanted.ensure()
    ask(endpoint, endpoint.api_key, "The password is xylophone.")
    assert stat.S_IMODE(place(runtime).state.stat().st_mode) == 0o600
    assert stat.S_IMODE(place(runtime).directory.stat().st_mode) == 0o700
    assert stat.S_IMODE(wanted.log.stat().st_mode) == 0o600
    log = wanted.log.read_text()
    assert "xylophone" not in log
    assert endpoint.api_key not in log


def test_it_is_nobodys_child_and_has_no_terminal(runtime: Path) -> None:
    wanted = supervisor(runtime)
    wanted.ensure()
    status = wanted.status()
    assert status is not None
    fields = Path(f"/proc/{status.pid}/stat").read_text().rpartition(")")[2].split()
    parent, session, terminal = int(fields[1]), int(fields[3]), int(fields[4])
    assert parent != os.getpid()
    assert session != os.getsid(0)
    assert terminal == 0
    assert Path(f"/proc/{status.pid}/cwd").readlink() == Path("/")


def test_in_the_foreground_it_is_the_callers_child_and_ends_on_ctrl_c(runtime: Path) -> None:
    wanted = supervisor(runtime)
    with subprocess.Popen(wanted.command(foreground=True), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}
        endpoint = wanted.ensure()
        status = wanted.status()
        assert status is not None
        assert (status.pid, status.base_url) == (process.pid, endpoint.base_url)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert not place(runtime).state.exists()


def test_a_directory_named_aish_where_the_user_works_is_not_run(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "aish").mkdir()
    (tmp_path / "aish" / "__init__.py").write_text("raise SystemExit('run by accident')")
    monkeypatch.chdir(tmp_path)
    assert supervisor(runtime).ensure().window == 1024


def test_clients_import_neither_llama_cpp_nor_an_http_client() -> None:
    heavy = "{'xllamacpp', 'http.client', 'urllib3', 'ssl', 'asyncio', 'zipfile'}"
    code = f"import sys, aish.local.supervisor as _; print({heavy} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"


def server_processes(runtime: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if b"aish.local.server" in words and str(runtime).encode() in words:
            found.append(int(process.name))
    return found


def gone(boss: Supervisor) -> bool:
    deadline = time.monotonic() + 60
    while boss.status() is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    return boss.status() is None


def test_a_server_whose_place_another_has_taken_ends(runtime: Path) -> None:
    boss = supervisor(runtime)
    boss.ensure()
    boss.retire()
    assert gone(boss)


def test_one_that_somebody_is_asking_goes_on(runtime: Path) -> None:
    boss = supervisor(runtime)
    boss.ensure()
    with boss.in_use():
        boss.retire()
        time.sleep(0.5)
        assert boss.status() is not None
    boss.retire()
    assert gone(boss)
