"""`aish norris` with a model that plans and another that works, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.home import Home
from support.runs import commands
from support.scripted import scripted_server, stream

DONE = "GOAL: complete\nIt is there.\n"


LONG = 900.0  # seconds that a built-in model may take on a busy machine
TASKS = ("make a folder called backup", "copy a.txt into the folder backup")


def configure_built_in(home: Home, planner: str) -> None:
    """The model that needs no configuration works; another one plans."""
    home.install_model()
    (home.path / "a.txt").write_text("one\n")
    home.configure(
        'model = "large"\n[norris]\npreplanner = "large"\nexecutor = "local"\n'
        f'[models.large]\nendpoint = "{planner}"\nprice_in = 1\nprice_out = 1\n'
    )


def configure(home: Home, planner: str, executor: str) -> None:
    home.configure(
        'model = "large"\n[norris]\npreplanner = "large"\nexecutor = "small-one"\n'
        f'[models.large]\nendpoint = "{planner}"\nprice_in = 1\nprice_out = 1\n'
        f'[models.small-one]\nendpoint = "{executor}"\nwindow = 16384\n'
    )


def records(home: Home) -> list[dict[str, Any]]:
    """What the log of the sessions has."""
    text = "".join(path.read_text() for path in (home.data / "sessions").glob("*.jsonl"))
    return [json.loads(line) for line in text.splitlines()]


def ledger(home: Home) -> str:
    return Path(home.data / "ledger.jsonl").read_text()


def test_one_plans_once_and_the_other_works(home: Home) -> None:
    plan = stream("TASK: look around\nTASK: say hello\nCMD: rm -rf ~\n")
    work = (stream(commands("echo hello > made.txt")), stream(DONE))
    with scripted_server(plan) as planner, scripted_server(*work) as executor:
        configure(home, planner.url, executor.url)
        done = home.run("norris", "greet the world")
    assert done.returncode == 0, done.stderr
    assert (home.path / "made.txt").read_text() == "hello\n"
    assert (len(planner.chats), len(executor.chats)) == (1, 2)
    for request in executor.chats:
        system = request.json["messages"][0]["content"]
        assert "greet the world" in system
        assert "look around" in system
        assert "say hello" in system
    assert '"norris-preplan"' in ledger(home)


def test_without_an_answer_of_the_planner_the_other_does_both(home: Home) -> None:
    work = (stream(commands("echo hello > made.txt")), stream(DONE))
    with scripted_server(*work) as executor:
        configure(home, "http://127.0.0.1:9", executor.url)
        done = home.run("norris", "greet the world")
    assert done.returncode == 0, done.stderr
    assert (home.path / "made.txt").read_text() == "hello\n"
    assert "one model does both" in done.stdout + done.stderr


def test_the_built_in_model_works_through_the_tasks_of_another_or_without(home: Home) -> None:
    with scripted_server(stream("".join(f"TASK: {task}\n" for task in TASKS))) as planner:
        configure_built_in(home, planner.url)
        home.run("norris", "--max-steps", "1", "keep a copy of a.txt in backup", seconds=LONG)
    assert len(planner.chats) == 1
    kept = records(home)
    assert next(one["tasks"] for one in kept if one.get("event") == "tasks") == list(TASKS)
    answers = [one for one in kept if one.get("role") == "assistant"]
    assert answers
    assert all(one["model"].endswith(".gguf") for one in answers)
    assert kept[-1]["event"] == "run_ended"
    assert '"norris-preplan"' in ledger(home)
    done = home.run("norris", "--max-steps", "1", "make a folder called backup", seconds=LONG)
    assert "one model does both" in done.stdout + done.stderr  # nobody plans any more
    assert len([one for one in records(home) if one.get("event") == "run_ended"]) == 2
