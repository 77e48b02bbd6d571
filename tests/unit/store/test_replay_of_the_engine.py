"""Whatever happens in a conversation, its log gives back what the live one holds."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aish.core.actions import ProposedCommand
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError, Garbled
from aish.core.events import Ran, Retried, Undone
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request, Usage
from aish.core.output_blocks import exec_block
from aish.engine.ports import Decision
from aish.engine.turn import run_turn
from aish.journal.recording import load
from aish.store.session_log import About
from aish.store.sessions import Sessions
from aish.ui.playing import play
from support.faulty_disk import FaultyDisk
from support.users import ScriptedUser

SPEC = ModelSpec("fake", "http://fake", "fake-1", window=1500, reserve=100)


class Fate:
    """The model, the user and the shell of one question, which goes as its name says."""

    def __init__(self, name: str) -> None:
        self.name = name

    def spec(self) -> ModelSpec:
        return SPEC

    def count(self, messages: list[Message]) -> int | None:
        return None

    def fall_back(self, error: AishError) -> str:
        return ""

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        if self.name == "refused":
            raise Garbled("no")
        if self.name == "stopped at once":
            raise KeyboardInterrupt
        yield Delta("well " * 30)
        if self.name == "stopped":
            raise KeyboardInterrupt
        if self.name == "cut":
            raise Garbled("cut")
        command = "\nCMD: make\nCMD: ls\n" if self.name in ("run", "skip") else ""
        yield Delta(command, usage=Usage(100, 30), finish="stop")

    def approve(self, proposal: ProposedCommand) -> Decision:
        return Decision("run", proposal.command) if self.name == "run" else Decision("skip")

    def run(self, command: str) -> ExecResult:
        return ExecResult(command, 1, f"output of {command}\n")


QUESTIONS = ("answered", "refused", "stopped at once", "stopped", "cut", "run", "skip")
STEPS = st.sampled_from([*QUESTIONS, "typed", "private", "resumed", "undone", "retried"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.lists(STEPS, max_size=25))
def test_a_log_gives_back_the_live_conversation(steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        sessions = Sessions(Path(directory), disk=FaultyDisk("", 0))
        user = ScriptedUser()
        log = sessions.start(About(), user)
        context = Context(ContextManagementConfig(1500, 100))
        outputs: list[str] = []  # waiting for the next question
        for step in steps:
            if step == "resumed" and log.started:
                log.close()
                log, session = sessions.resume(log.id, user)
                context = Context(ContextManagementConfig(1500, 100))
                load(context, session.transcript)
            elif step == "undone" and context.turns:
                log(Undone(context.undo()))
            elif step == "retried" and context.turns:
                log(Retried(context.rollback()))
            elif step in ("typed", "private"):
                result = ExecResult("ls", 0, "files\n", private=step == "private")
                log(Ran(result))
                if not result.private:
                    context.add_exec_output(exec_block(result))
            elif step in QUESTIONS:
                fate = Fate(step)
                with suppress(KeyboardInterrupt):
                    play(run_turn(f"{step}?", context, fate, fate, fate), log)
            if log.started:
                kept = sessions.read(log.id).transcript
                assert kept.turns == context.turns
                outputs = list(kept.pending)
            live = "".join(f"[exec output]\n{output}\n\n" for output in outputs)
            assert live == context.pending_output
        log.close()
        assert user.told == []
