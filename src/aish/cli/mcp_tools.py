"""What aish offers to other programs: six tools, each through the same doors as for a person."""

from __future__ import annotations

import functools
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from aish.cli.ask_command import QuestionResult
from aish.config.places import memory_file, sessions_dir
from aish.core.actions import proposed_commands
from aish.core.errors import AishError, ConfigError, UsageError
from aish.core.mask import all_masked
from aish.session.approval import NeverRun
from aish.shell.aside import run_aside
from aish.shell.direct import DirectShell
from aish.shell.fold import fold
from aish.ui.playing import play

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from aish.app.parts import Parts
    from aish.core.events import Event
    from aish.core.messages import ExecResult
    from aish.core.safety.verdict import Verdict
    from aish.sandbox.changes import FileChange
    from aish.ui.screen import Screen

JsonObject = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")
LONGEST = 600.0  # seconds one command may run, whatever is asked for
KEPT = 64 * 1024  # bytes of its output
DIFF_LINES = 200  # of one file
LOOK_AGAIN = 0.1  # seconds until a question that waits for its turn sees that one was cancelled
# Of the call under way: set when nobody waits for it any more.
_cancelled: ContextVar[threading.Event] = ContextVar("cancelled", default=threading.Event())  # noqa: B039
READ_ONLY = ("try_command", "memory_search", "session_search", "fit_messages")


class _Turns:
    """One question at a time; one that nobody waits for any more gives its turn to the next.

    Its thread may go on waiting for a silent server, for as long as that has the patience.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._now: tuple[threading.Event, ExitStack] | None = None

    @contextmanager
    def taken(self, cancelled: threading.Event) -> Iterator[ExitStack]:
        """A turn; what is entered into its stack ends with it, or where the next one begins.

        Raises: UsageError, when nobody waits for this one either.
        """
        mine = cancelled, ExitStack()
        with self._changed:
            while self._now and not self._now[0].is_set():
                if cancelled.is_set():
                    raise UsageError("cancelled")
                self._changed.wait(LOOK_AGAIN)
            if self._now:
                self._now[1].close()
            self._now = mine
        try:
            yield mine[1]
        finally:
            with self._changed:
                mine[1].close()
                self._now = None if self._now is mine else self._now
                self._changed.notify_all()


class Served:
    """The tools, over the parts of one process; one question at a time."""

    def __init__(self, parts: Parts, screen: Screen, directory: str) -> None:
        self._parts = parts
        self._screen = screen
        self._root = os.path.realpath(directory)
        self._turns = _Turns()

    def ask(self, question: str, shown: str = "", model: str = "") -> JsonObject:
        """Ask the language model that aish is configured with.

        `shown` is text the question is about (a log, a file). Commands that the answer proposes
        are listed; nothing runs.
        """
        with self._turns.taken(_cancelled.get()) as meanwhile:
            meanwhile.enter_context(self._parts.presets.using(model))
            session = self._parts.session(DirectShell(), NeverRun())
            session.context.add_exec_output(shown)
            outcome = QuestionResult()
            play(session.ask(question), _while_wanted(outcome))
        if outcome.error is not None:
            raise outcome.error
        if outcome.reply is None:
            raise UsageError("the model gave no answer")
        reply, mask = outcome.reply, self._parts.secrecy.without_secrets
        commands = proposed_commands(reply.text, complete=reply.complete)
        return {
            "answer": mask(reply.text),
            "commands": [mask(one.command) for one in commands],
            "model": reply.model,
        }

    def run_command(
        self, command: str, directory: str = "", timeout_seconds: float = 60
    ) -> JsonObject:
        """Run a shell command, if aish reads it as safe.

        What is harmless runs. What is unknown runs on a copy first, and is made real only if it
        adds files to the folder and changes or deletes none. What destroys something is refused,
        with the reason; try_command shows what it would do, and the user can run it themselves.
        """
        place = self._place(directory)
        verdict = self._judged(command, place)
        if verdict.level == "harmless":
            seconds = _seconds(timeout_seconds)
            result = run_aside(
                *("bash", command, place),
                seconds=seconds,
                kept=KEPT,
                stopped=_cancelled.get().is_set,
                look=self._parts.secrecy.look,
            )
            return self._told(result, verdict)
        return self._tried(command, place, verdict, timeout_seconds, apply=True)

    def try_command(
        self, command: str, directory: str = "", timeout_seconds: float = 60
    ) -> JsonObject:
        """Show what a shell command would print and change, without changing anything.

        It runs on a copy of the files, without network, and the copy is thrown away.
        """
        place = self._place(directory)
        verdict = self._parts.judge.judge(command, place)
        return self._tried(command, place, verdict, timeout_seconds, apply=False)

    def memory_search(self, words: str) -> list[JsonObject]:
        """Find what the user had aish remember: the items that have every word."""
        from aish.cli.memory_command import as_json
        from aish.core.memory import search
        from aish.store.memory_file import MemoryFile

        items = MemoryFile(memory_file(self._parts.config.memory.path)).load().items
        return self._hidden([as_json(item) for item in search(items, words)])

    def session_search(self, words: str) -> list[JsonObject]:
        """Find earlier conversations and commands of the user that have every word."""
        from aish.store.session_search import search
        from aish.store.sessions import Sessions

        hits = search(Sessions(sessions_dir()), words, mask=self._parts.secrecy)
        return self._hidden([asdict(hit) for hit in hits])

    def fit_messages(
        self, messages: list[JsonObject], window: int, reserve: int = 1024, model: str = ""
    ) -> JsonObject:
        """Make OpenAI-style chat messages fit a context window of so many tokens.

        Whole exchanges are left out from the middle; the system message, the task and the newest
        request stay. `reserve` tokens are kept for the answer.
        """
        from aish.cli.chat_file import ChatFile, checked
        from aish.cli.fit_command import fitted_chat, statistics_of
        from aish.core.context.settings import ContextManagementConfig

        if window < 1 or reserve < 0:
            raise UsageError("a window has at least 1 token and a reserve at least 0")
        chat: ChatFile = checked({"messages": messages}, "messages")
        settings = ContextManagementConfig(window, reserve)
        made, counted = fitted_chat(chat, settings, model, self._screen)
        return {"messages": made.messages, **statistics_of(chat, made, counted, settings)}

    # What running a command takes

    def _judged(self, command: str, place: str) -> Verdict:
        """What a command may do.

        Raises: UsageError, for one that may not run here.
        """
        if self._parts.config.safety.never_run:
            raise UsageError("the configuration says that nothing runs (safety.never_run)")
        verdict = self._parts.judge.judge(command, place)
        if verdict.denied or verdict.level == "destructive":
            raise UsageError(
                f"refused: {verdict.reason}; nobody can be asked here",
                "try_command shows what it would do; the user can run it in a terminal",
            )
        return verdict

    def _tried(
        self, command: str, place: str, verdict: Verdict, timeout: float, *, apply: bool
    ) -> JsonObject:
        from aish.sandbox.limits import cannot_show

        with self._parts.safeguards.trials.rehearse(place, as_text=fold) as rehearsal:
            stopped = _cancelled.get().is_set
            result = rehearsal.run(command, timeout=_seconds(timeout), stopped=stopped)
            if stopped():
                raise UsageError("cancelled")  # nobody waits for it, so nothing is made real
            found = rehearsal.changes()
            changes = [_change(change) for change in found.changes]
            real = apply and found.only_adds(place)
            if real and not found.nothing:
                rehearsal.apply(found, command)
        told = self._told(result, verdict, changes=changes)
        if not apply:
            return told | {"cannot_show": cannot_show(command, place, network=False)}
        why = "" if real else "it does more than add files, so only a copy was changed"
        return told | {"applied": real} | ({"note": why} if why else {})

    def _told(self, result: ExecResult, verdict: Verdict, **more: Any) -> JsonObject:
        told = {"output": result.output, "verdict": verdict.level, "reason": verdict.reason}
        return self._hidden({"status": result.status, **told, **more})

    def _hidden(self, told: T) -> T:
        """What is told, without recognised secrets."""
        hidden: T = all_masked(told, self._parts.secrecy)
        return hidden

    def explained(self, error: AishError) -> str:
        """An error as what clients show: one line, and what to do; it may quote what it met."""
        hint = f" ({error.hint})" if error.hint else ""
        try:
            return self._parts.secrecy.without_secrets(f"{error.message}{hint}")
        except ConfigError as unread:  # the vault: nobody can tell what is secret
            return unread.message

    def _place(self, directory: str) -> str:
        """Raises: UsageError for a folder outside the one the server was started in."""
        place = os.path.realpath(os.path.join(self._root, directory))  # noqa: PTH118
        inside = place == self._root or place.startswith(self._root.rstrip("/") + "/")
        if not inside or not os.path.isdir(place):  # noqa: PTH112
            raise UsageError(f"there is no folder {directory} below {self._root}")
        return place


def serve(served: Served) -> None:
    """Answer a client until it hangs up."""
    from aish import __version__

    server = server_for(served, __version__)
    # Told to end, it ends what it started first, as after a Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with suppress(KeyboardInterrupt):
        server.run("stdio")


def server_for(served: Served, version: str) -> MCPServer:
    """The tools as the SDK serves them: each with its docstring and the types of its arguments."""
    from mcp.server.mcpserver import MCPServer
    from mcp_types import ToolAnnotations

    server = MCPServer(
        "aish",
        version=version,
        instructions="A shell that reads commands before it runs them, and tries them on a copy.",
        log_level="ERROR",
    )
    tools: Sequence[Callable[..., Any]] = (
        served.ask,
        served.run_command,
        served.try_command,
        served.memory_search,
        served.session_search,
        served.fit_messages,
    )
    for tool in tools:
        hints = ToolAnnotations(read_only_hint=tool.__name__ in READ_ONLY)
        server.add_tool(_guarded(tool, served.explained), annotations=hints)
    return server


def _guarded(tool: Callable[P, Any], explained: Callable[[AishError], str]) -> Callable[P, Any]:
    """In a thread of its own, told when the client cancels; an error of ours is explained."""

    @functools.wraps(tool)
    async def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        from anyio.to_thread import run_sync
        from mcp.server.mcpserver.exceptions import ToolError

        cancelled = threading.Event()
        _cancelled.set(cancelled)
        try:
            return await run_sync(lambda: tool(*args, **kwargs), abandon_on_cancel=True)
        except AishError as error:
            raise ToolError(explained(error)) from None
        finally:
            cancelled.set()

    return guarded


def _while_wanted(consumer: Callable[[Event], None]) -> Callable[[Event], None]:
    """Hands events on until the client cancels."""
    cancelled = _cancelled.get()

    def heard(event: Event) -> None:
        if cancelled.is_set():
            raise UsageError("cancelled")
        consumer(event)

    return heard


def _seconds(wanted: float) -> float:
    return min(max(1.0, wanted), LONGEST)


def _change(change: FileChange) -> JsonObject:
    from itertools import islice

    from aish.sandbox.trials import lines_of

    told: JsonObject = {"path": change.path, "kind": change.kind, "what": change.what}
    if change.what == "file" and change.kind != "deleted":
        told["difference"] = "\n".join(islice(lines_of(change, change.path), DIFF_LINES))
    return told
