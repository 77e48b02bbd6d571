"""Long autonomous runs: they fit, they forget nothing, they do not grow, and a crash ends none."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aish.core.context.tokens import count_messages, get_tokenizer
from support.home import AISH, Home
from support.person import Person
from support.runs import Running, commands
from support.scripted import (
    STREAM_HEADERS,
    ScriptedServer,
    Step,
    event,
    finish_event,
    scripted_server,
    text_event,
)

WINDOW = 4096
STEPS = 200
GOAL = "count everything there is, seven times over, and lose nothing on the way"
TASKS = "".join(f"TASK: count part {n} of the things and write it down\n" for n in range(1, 13))


def answer(text: str, *before: Callable[[], None]) -> list[Step]:
    """An answer of a server that does not say what it used."""
    return [*before, STREAM_HEADERS, text_event(text), finish_event(), event("[DONE]")]


def too_long(body: dict[str, Any]) -> bool:
    tokens = count_messages(body["messages"], get_tokenizer("scripted"))
    return bool(tokens + body["max_tokens"] > WINDOW)


def test_two_hundred_steps_fit_a_small_window_and_memory_stays_flat(home: Home) -> None:
    sizes: list[int] = []
    process: list[subprocess.Popen[bytes]] = []

    def measure() -> None:
        sizes.append(resident(process[0].pid))

    texts = [TASKS + commands("seq 1 900"), *(commands(f"seq {n} 900") for n in range(2, STEPS))]
    with scripted_server(
        *(answer(text, measure) for text in texts), answer("GOAL: complete\n", measure)
    ) as server:
        configure(home, server)
        process.append(start(home, str(STEPS)))
        assert process[0].wait(400) == 0
        bodies = [request.json for request in server.chats]
    assert len(bodies) == STEPS
    assert all(GOAL in body["messages"][0]["content"] for body in bodies)
    wanted = [f"{n}. count part {n} of" for n in range(1, 13)]
    systems = [body["messages"][0]["content"] for body in bodies[1:]]
    assert all(task in system for system in systems for task in wanted)
    assert not any(map(too_long, bodies))
    # What the first fifty steps load and learn is there by then; after that nothing adds up.
    assert sizes[-1] - sizes[50] < 8_000, sizes[::25]


def test_a_run_killed_in_the_middle_goes_on_with_a_whole_conversation(home: Home) -> None:
    process: list[subprocess.Popen[bytes]] = []

    def kill() -> None:
        os.kill(process[0].pid, signal.SIGKILL)

    scripts = [
        answer(TASKS + commands("echo first")),
        answer(commands("echo second; echo third")),
        answer("CMD: never", kill),
        answer(commands("echo fourth")),
        answer("GOAL: complete\nAll four.\n"),
    ]
    with scripted_server(*scripts) as server:
        configure(home, server)
        process.append(start(home))
        assert process[0].wait(60) == -signal.SIGKILL
        session = next((home.data / "sessions").glob("*.jsonl")).stem
        with Person(home, "sessions", "resume", session, idle=0.5) as person:
            assert "a run stands at step 3" in person.scrollback
            prompts = person.prompts
            person.say(":norris continue")
            person.at_prompt(prompts + 1)
            assert "goal complete: All four." in person.scrollback
        messages = server.chats[3].json["messages"]
    roles = [message["role"] for message in messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert GOAL in messages[0]["content"]
    assert "12. count part 12" in messages[0]["content"]
    assert "$ echo first\nfirst" in messages[3]["content"]
    assert "second\nthird" in messages[5]["content"]


def test_every_cut_of_its_log_resumes_to_a_conversation_that_goes_on(tmp_path: Path) -> None:
    """Killed after any record at all: roles alternate, and the run is there from its first one."""
    whole = Running(
        tmp_path / "whole", TASKS + commands("ls"), commands("rm x", "pwd"), "GOAL: blocked\n"
    ).pursue(GOAL)
    whole.journal.close()
    log = next((tmp_path / "whole" / "sessions").glob("*.jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    for cut in range(3, len(lines)):
        folder = tmp_path / str(cut)
        (folder / "sessions").mkdir(parents=True)
        (folder / "sessions" / log.name).write_bytes(b"".join(lines[:cut]))
        again = Running(folder, "GOAL: complete\n")
        for event_ in again.session.resume(log.stem):
            again.events.append(event_)
        again.go_on()
        roles = [message["role"] for message in again.said(0)[1:]]
        assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"], cut
        assert GOAL in again.said(0)[0]["content"]
        again.journal.close()


def configure(home: Home, server: ScriptedServer) -> None:
    home.configure(
        f'model = "fast"\n[models.fast]\nendpoint = "{server.url}"\n'
        f'window = {WINDOW}\nreserve = 512\nmodel = "scripted"\n'
    )


def start(home: Home, most: str = "30") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*AISH, "norris", "--max-steps", most, GOAL],
        env=home.env,
        cwd=home.path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def resident(pid: int) -> int:
    """Kilobytes of memory of its own."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    raise AssertionError("no such line")
