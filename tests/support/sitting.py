"""A sitting at the prompt without a terminal: real files, a scripted model, shell and user."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

from aish.config.schema import Config, CostConfig, RoutingConfig
from aish.core.actions import ProposedCommand
from aish.core.context.counted import ESTIMATE, Counted
from aish.core.context.tokens import count_messages, estimate_tokens, get_tokenizer
from aish.core.errors import AishError, UsageError
from aish.core.events import Event
from aish.core.located import At
from aish.core.logged import Unlogged
from aish.core.mask import Mask, NoMask
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request
from aish.core.user import Nobody
from aish.engine.ports import Decision
from aish.journal.recording import Recorder
from aish.memory.remembering import Remembering
from aish.models.reports import ModelRow
from aish.models.routes import Routing
from aish.models.secrecy import Secrecy
from aish.models.wallet import Spending
from aish.session.approval import NeverRun
from aish.session.ports import Project
from aish.session.session import Session
from aish.ui import meta
from aish.ui.face import Face
from aish.ui.person import Person
from aish.ui.screen import Screen
from support.supplies import PlainSupplies


class EstimatedCounts:
    """Counts without a server."""

    def text(self, text: str) -> Counted:
        return Counted(estimate_tokens(text), ESTIMATE)

    def chat(self, messages: Sequence[Message]) -> Counted:
        return Counted(count_messages(messages, get_tokenizer("fake-1")), ESTIMATE)


class ScriptedModels:
    """Answers with one text after the other; an exception is raised in its turn."""

    counts = EstimatedCounts()
    routing = Routing(RoutingConfig())
    secrecy = Secrecy(Config(), Path("/nonexistent/vault"), {})
    spending = Spending(
        CostConfig(),
        Path("/nonexistent/ledger"),
        user=Nobody(),
        place=At("/"),
        conversation=Unlogged(),
    )

    def __init__(self, *answers: str | Delta | BaseException, window: int = 4096) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []
        self.current = "fast"
        self.window = window
        self.finish = "stop"
        self.proposing: Mapping[str, Any] | None = None  # of a small model

    @property
    def known_window(self) -> int:
        return self.window

    def names(self) -> list[str]:
        return ["fast", "other"]

    @property
    def current_label(self) -> str:
        return self.current

    def choices(self) -> list[str]:
        return self.names()

    def use(self, name: str) -> None:
        self.current = name

    def expected(self) -> ModelSpec:
        return self.named().spec()

    @property
    def learned_window(self) -> int:
        return 0

    def learn_window(self) -> bool:
        return True

    def choose(self, text: str) -> ScriptedModel:
        return self.named()

    def named(self, name: str = "") -> ScriptedModel:
        return ScriptedModel(self, name or self.current)

    def delegate(self, name: str, prompt: str, *, for_model: bool) -> tuple[ScriptedModel, str]:
        if name not in self.names():
            raise UsageError(f"there is no preset {name}")
        return self.named(name), prompt

    def look(self) -> Iterable[ModelRow]:
        return ()

    def warm(self) -> None:
        pass

    def idle(self) -> float:
        return inf


class ScriptedModel:
    """One of them, for one question."""

    prompt = ""

    def __init__(self, models: ScriptedModels, name: str) -> None:
        self._models = models
        self._name = name

    def spec(self) -> ModelSpec:
        window = self._models.window
        return ModelSpec(
            *(self._name, "http://fake", "fake-1"),
            window=window,
            reserve=128,
            proposing=self._models.proposing,
        )

    def expected(self) -> ModelSpec:
        return self.spec()

    def others(self) -> list[str]:
        return [] if self._name == "fast" else ["fast"]

    def count(self, messages: list[Message]) -> int | None:
        return None

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        answers = self._models.answers
        self._models.requests.append(request)
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, BaseException):
            raise answer
        yield answer if isinstance(answer, Delta) else Delta(text=answer)
        yield Delta(finish=self._models.finish)

    def fall_back(self, error: AishError) -> str:
        return ""


class ScriptedShell:
    """Says what it was told to run."""

    def __init__(self, cwd: Path) -> None:
        self.cwd = str(cwd)
        self.status = 0
        self.environment = ""
        self.job_count = 0
        self.ignored_ends = 0
        self.ended = None
        self.commands: list[str] = []
        self.before: Callable[[], None] = lambda: None  # each command

    def enter(self, line: str) -> ExecResult:
        return self.run(line)

    def interrupt(self) -> None:
        self.status = 130

    def run(self, command: str) -> ExecResult:
        self.before()
        self.commands.append(command)
        private = command[:1].isspace()
        return ExecResult(command, 0, f"output of {command}\n", cwd=self.cwd, private=private)


class CarefulScriptedShell(ScriptedShell):
    """Also notes what it was to try, and keeps what some commands replace."""

    def __init__(self, cwd: Path, keeps: str = "") -> None:
        super().__init__(cwd)
        self._keeps = keeps
        self.trials: list[tuple[str, bool]] = []

    def tried(self, command: str, *, network: bool = False) -> ExecResult:
        self.trials.append((command, network))
        return ExecResult(command, 0, f"tried {command}\n", cwd=self.cwd)

    def keeps(self, command: str) -> bool:
        return command.startswith(self._keeps)


class FixedMemory:
    """Remembers one thing."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.asked: list[str] = []

    def background(self, question: str) -> str:
        self.asked.append(question)
        return self._text


class AlwaysRun:
    def approve(self, proposal: ProposedCommand) -> Decision:
        return Decision("run", proposal.command)


class ScriptedAnswers:
    """Presses one key after the other."""

    def __init__(self, *keys: str, edits: str = "") -> None:
        self.keys = list(keys)
        self.edits = edits
        self.questions: list[str] = []

    def choose(self, question: str, keys: str) -> str:
        self.questions.append(question)
        key = self.keys.pop(0) if self.keys else ""
        return key if key in keys else ""

    def typed_line(self, question: str) -> str:
        self.questions.append(question)
        return self.edits

    def edited(self, text: str) -> str:
        return self.edits


class Sitting:
    """One run of aish in a directory; a second one is the next day."""

    def __init__(
        self,
        folder: Path,
        *answers: str | BaseException,
        keys: Iterable[str] = (),
        window: int = 4096,
        max_chars: int = 2000,
        mask: Mask | None = None,
        models: ScriptedModels | None = None,
        project: Project | None = None,
        consumers: Sequence[Callable[[Event], None]] = (),
    ) -> None:
        self.folder = folder
        self.out, self.err = io.StringIO(), io.StringIO()
        screen = Screen(self.out, self.err)
        self.models = models or ScriptedModels(*(answers or ("Fine.\n",)), window=window)
        self.shell = ScriptedShell(folder)
        self.user = ScriptedAnswers(*keys)
        self.journal = Recorder(
            folder / "sessions",
            model=lambda: self.models.current,
            place=self.shell,
            user=Person(screen),
            mask=mask,
        )
        self.memory = Remembering(
            folder / "memory.jsonl",
            models=self.models,
            place=self.shell,
            mask=mask or NoMask(),
            user=Person(screen),
            max_chars=max_chars,
        )
        conversation = Session(
            supplies=PlainSupplies(window),
            models=self.models,
            shell=self.shell,
            approver=AlwaysRun(),
            journal=self.journal,
            memory=self.memory,
            project=project,
            consumers=consumers,
        )
        self.session = Face(
            conversation,
            models=self.models,
            shell=self.shell,
            screen=screen,
            journal=self.journal,
            memory=self.memory,
            facilities=PlainSupplies(window),
            permissions=NeverRun(),
            answers=self.user,
        )

    def type(self, line: str) -> str:
        """Do a line: `:command`, `?question`, or a command; what was said and shown for it."""
        for stream in (self.out, self.err):
            stream.seek(0)
            stream.truncate()
        if line.startswith(":"):
            meta.run(self.session, line)
        elif line.startswith("?"):
            self.session.ask(line[1:])
        else:
            self.session.execute(line)
        return self.out.getvalue() + self.err.getvalue()

    def system(self) -> str:
        """The system message of the newest request."""
        first = self.models.requests[-1].messages[0]
        return str(first["content"]) if first["role"] == "system" else ""

    def log(self) -> str:
        """Everything on the disk about sessions."""
        folder = self.folder / "sessions"
        return "".join(path.read_text() for path in sorted(folder.glob("*.jsonl")))
