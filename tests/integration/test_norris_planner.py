"""`aish norris` with a model that plans and another that works, run as a user runs it."""

from __future__ import annotations

from pathlib import Path

from support.home import Home
from support.runs import commands
from support.scripted import scripted_server, stream

DONE = "GOAL: complete\nIt is there.\n"


def configure(home: Home, planner: str, executor: str) -> None:
    home.configure(
        'model = "large"\n[norris]\npreplanner = "large"\nexecutor = "small-one"\n'
        f'[models.large]\nendpoint = "{planner}"\nprice_in = 1\nprice_out = 1\n'
        f'[models.small-one]\nendpoint = "{executor}"\nwindow = 16384\n'
    )


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
