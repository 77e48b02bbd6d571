"""Where commands of a run go, and what a session remembers and tries: fakes and real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aish.core.events import Ran
from aish.core.located import At
from aish.core.mask import NoMask
from aish.core.user import Nobody
from aish.memory.remembering import Remembering
from aish.sandbox.trials import Trials
from aish.session.hands import RealHands, Rehearsals, TrialHands, Workbench
from aish.session.ports import Memory
from aish.session.session import Session
from aish.shell.captured import Bounds, Nowhere
from aish.ui.playing import play
from support.runs import FakeHands
from support.sitting import AlwaysRun, CarefulScriptedShell, FixedMemory, ScriptedModels
from support.supplies import PlainSupplies


def rehearsals(folder: Path) -> Rehearsals:
    trials = Trials(folder / "data", 1 << 20)
    return Rehearsals(trials, Bounds(seconds=30), Nowhere(), {"PATH": "/usr/bin:/bin"})


def settled(trial: object, goal: str) -> str:
    del trial
    return f"kept of {goal}"


def real(folder: Path, work: Path) -> Workbench:
    return RealHands(CarefulScriptedShell(work, keeps="rm"), rehearsals(folder), settled)


def tried(folder: Path, work: Path) -> Workbench:
    return TrialHands(rehearsals(folder).begin(str(work)), settled)


HANDS: dict[str, Callable[[Path, Path], Workbench]] = {
    "real": real,
    "trial": tried,
    "fake": lambda _, work: FakeHands(str(work)),
    "fake, tried": lambda _, work: FakeHands(str(work), tried=True),
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", HANDS)
def test_a_command_runs_where_the_hands_are_and_comes_back_with_its_words(
    name: str, tmp_path: Path, work: Path
) -> None:
    hands = HANDS[name](tmp_path, work)
    try:
        done = hands.run("true", "shell")
        assert (done.command, done.status, done.cwd) == ("true", 0, str(work))
        assert hands.cwd == str(work)
        assert hands.keeps("rm a")
    finally:
        hands.discard()


@pytest.mark.parametrize("name", HANDS)
def test_only_what_was_tried_has_something_to_finish(name: str, tmp_path: Path, work: Path) -> None:
    hands = HANDS[name](tmp_path, work)
    try:
        assert hands.finish("it") == ("kept of it" if hands.tried else "")
    finally:
        hands.discard()


@pytest.mark.parametrize(("make", "place"), [(real, "sandbox"), (tried, "shell")])
def test_what_is_confined_or_tried_and_not_applied_leaves_the_files(
    make: Callable[[Path, Path], Workbench], place: str, tmp_path: Path, work: Path
) -> None:
    (work / "precious").write_text("dear")
    hands = make(tmp_path, work)
    try:
        assert hands.confines()
        result = hands.run("rm precious", "sandbox" if place == "sandbox" else "shell")
        assert result.status == 0
    finally:
        hands.discard()
    assert (work / "precious").read_text() == "dear"


def test_real_hands_keep_what_their_shell_keeps(tmp_path: Path, work: Path) -> None:
    hands = real(tmp_path, work)
    assert hands.keeps("rm a")
    assert not hands.keeps("dd of=a")


# What a session needs beside a model ------------------------------------------------------------


def remembering(folder: Path) -> Memory:
    memory = Remembering(
        folder / "memory.jsonl",
        models=ScriptedModels("x"),
        place=At("/"),
        mask=NoMask(),
        user=Nobody(),
        max_chars=2000,
    )
    memory.add("fact", "tests run with make")
    return memory


MEMORIES: dict[str, Callable[[Path], Memory]] = {
    "file": remembering,
    "fixed": lambda _: FixedMemory("tests run with make"),
}


@pytest.mark.parametrize("name", MEMORIES)
def test_what_is_remembered_goes_with_every_question_and_stays_the_same(
    name: str, tmp_path: Path
) -> None:
    models, memory = ScriptedModels("Fine.\n"), MEMORIES[name](tmp_path)
    session = Session(
        supplies=PlainSupplies(4096),
        models=models,
        shell=CarefulScriptedShell(tmp_path),
        approver=AlwaysRun(),
        memory=memory,
    )
    for question in ("how do I test?", "and now?"):
        play(session.ask(question))
    systems = [str(request.messages[0]["content"]) for request in models.requests]
    assert "tests run with make" in systems[0]
    assert systems[0] == systems[1]


def test_what_is_tried_is_not_run_and_the_model_sees_it_with_the_next_question(
    tmp_path: Path,
) -> None:
    models, shell = ScriptedModels("Fine.\n"), CarefulScriptedShell(tmp_path)
    session = Session(
        supplies=PlainSupplies(4096), models=models, shell=shell, approver=AlwaysRun()
    )
    events = list(session.try_out("rm -r logs", network=True))
    assert [type(event) for event in events] == [Ran]
    assert (shell.trials, shell.commands) == ([("rm -r logs", True)], [])
    play(session.ask("what did it do?"))
    assert "tried rm -r logs" in str(models.requests[-1].messages[-1]["content"])
