"""The parts of one process, each made once and when it is first needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config import places
from aish.config.schema import Config
from aish.core.money.bill import Bill
from aish.models.embedded import embedded_here
from aish.models.presets import Presets
from aish.models.secrecy import Secrecy
from aish.models.wallet import Spending
from aish.session.approval import Gate, PlanOnly
from aish.session.session import Session
from aish.shell.command_reader import CommandReader
from aish.shell.process_place import ProcessPlace
from aish.ui.person import Person

if TYPE_CHECKING:
    from aish.config.schema import SafetyConfig
    from aish.core.context.window import Context
    from aish.core.events import Event
    from aish.core.located import Located
    from aish.core.logged import Logged
    from aish.core.mask import Mask
    from aish.engine.notes import BackgroundNotes
    from aish.engine.ports import Approver, Tools
    from aish.journal.recording import Recorder
    from aish.memory.remembering import Remembering
    from aish.project.around import AroundHere
    from aish.project.surroundings import Surroundings
    from aish.sandbox.safeguards import Safeguards
    from aish.session.approval import Asker, Keeps, Second
    from aish.session.configured_servers import ConfiguredServers
    from aish.session.ports import Project, Workplace
    from aish.session.running import Teams
    from aish.store.spill import SpillFolder, UnkeptOutputs
    from aish.tools.servers import ToolServers
    from aish.tools.toolbox import Toolbox
    from aish.tools.toolset import Toolset
    from aish.ui.screen import Screen

NEVER_CUT = 500  # characters of a question that fit any prompt


def secrecy_for(config: Config) -> Secrecy:
    vault = places.vault_file(config.secrets.vault)
    return Secrecy(config, vault, os.environ, _logins_file())


def _logins_file() -> Path:
    return places.data_dir() / "logins.json"


def safeguards_for(config: SafetyConfig, mask: Mask, conversation: Logged) -> Safeguards:
    """Trials, undo, which belongs to the conversation, and the sandbox."""
    from aish.sandbox.safeguards import Safeguards

    own = (str(places.config_file().parent), str(places.data_dir()), str(places.cache_dir()))
    home, kept = os.environ.get("HOME", ""), config.undo_mb
    return Safeguards(places.data_dir(), kept, home, own, conversation=conversation, mask=mask)


class Parts:
    """What the shell, a single question and the subcommands are put together from.

    One wallet and one set of placeholders for the whole process: a cap that each asker had anew
    would be none.
    """

    def __init__(
        self,
        config: Config,
        screen: Screen,
        place: Located | None = None,
        *,
        secrecy: Secrecy | None = None,
        bill: Bill | None = None,
        kept: bool = True,
    ) -> None:
        """`place`: where the user is; this process, unless a shell is.

        Unless it is to be `kept`, nothing of a conversation is written down.
        """
        self.config = config
        self._screen = screen
        self.user = Person(screen)
        self._place = place or ProcessPlace()
        self._bill = bill or Bill()
        self._kept = kept
        self._context: Context | None = None
        self.secrecy = secrecy or secrecy_for(config)

    @cached_property
    def presets(self) -> Presets:
        return Presets(
            self.config,
            embedded_here(self.config.local, self.user),
            os.environ,
            cache=places.cache_dir(),
            spending=self.spending,
            secrecy=self.secrecy,
            user=Person(self._screen, quiet=not self._screen.terminal),
        )

    @cached_property
    def spending(self) -> Spending:
        return Spending(
            self.config.cost,
            places.data_dir() / "ledger.jsonl",
            user=self.user,
            place=self._place,
            conversation=self.journal,  # a cap belongs to the conversation
            bill=self._bill,
            mask=self.secrecy,
        )

    @cached_property
    def journal(self) -> Recorder:
        from aish.journal.recording import Recorder

        return Recorder(
            places.sessions_dir(),
            model=lambda: self.presets.current,
            place=self._place,
            user=self.user,
            mask=self.secrecy,
            keep_days=self.config.sessions.keep_days,
        )

    @cached_property
    def memory(self) -> Remembering:
        from aish.memory.remembering import Remembering

        chosen = self.config.memory
        return Remembering(
            places.memory_file(self.config.memory.path),
            models=self.presets,
            place=self._place,
            mask=self.secrecy,
            user=self.user,
            max_chars=chosen.inject_max_chars,
            prune_days=chosen.prune_older_than_days,
            summarizer=chosen.summarizer_model,
        )

    @cached_property
    def surroundings(self) -> Surroundings:
        from aish.config.trust import TrustFile
        from aish.project.surroundings import Surroundings, Wanted

        return Surroundings(
            os.environ,
            user=self.user,
            trust=TrustFile(places.data_dir() / "trust.jsonl"),
            wanted=Wanted.by(self.config.project),
            spill=self._spill,
            resources=self.tools,
        )

    @cached_property
    def tools(self) -> Toolset:
        """The tools of other programs."""
        from aish.store.logins import LoginFile
        from aish.store.spill import LARGEST, spill_to
        from aish.tools.toolset import Toolset
        from aish.ui.spinner import SpinnerSign

        results = places.cache_dir() / "results"
        return Toolset(
            self._servers,
            LoginFile(_logins_file()),
            self._toolbox,
            self.user,
            sign=SpinnerSign(self._screen),
            spill=spill_to(results, self.secrecy, 2 * LARGEST, kept=self._kept).begin,
        )

    @cached_property
    def _servers(self) -> ConfiguredServers:
        from aish.session.configured_servers import ConfiguredServers

        return ConfiguredServers(self.config.mcp, self._place)

    def _toolbox(self, servers: ToolServers) -> Toolbox:
        from aish.store.tool_definitions import ToolDefinitions
        from aish.tools.toolbox import Toolbox
        from aish.ui.spinner import SpinnerSign
        from aish.ui.tool_question import tool_approver

        return Toolbox(
            servers,
            ToolDefinitions(places.data_dir() / "tools.jsonl", self.secrecy),
            tool_approver(
                self._screen, self.spending, lambda: self.config.norris.answer_minutes * 60
            ),
            auto_approve=self._servers.auto_approve(),
            deepest=self.config.mcp.max_tool_depth,
            judge=self.judge,
            place=self._place,
            sign=SpinnerSign(self._screen),
        )

    def offered_tools(self) -> Tools | None:
        return self.tools.offered()

    def look_through(self, text: str) -> None:
        if len(text) > NEVER_CUT:
            self.secrecy.look(text)

    @property
    def notes(self) -> BackgroundNotes | None:
        """Who has a model write about what leaves the prompt; None until that is switched on."""
        wanted = self.presets.notes.wanted or "_notes" in vars(self)
        return self._notes if wanted else None

    @cached_property
    def _notes(self) -> BackgroundNotes:
        from aish.engine.notes import BackgroundNotes

        return BackgroundNotes(self.presets.notes)

    @cached_property
    def safeguards(self) -> Safeguards:
        return safeguards_for(self.config.safety, self.secrecy, self.journal)

    def adopt(self, config: Config) -> None:
        """Another configuration from now on: a project's overlay was entered or left.

        What only a start can change (`config.overlay.AT_START`) waits for one.
        """
        self.config = config
        made = vars(self)
        if "presets" in made:
            self.presets.adopt(config)
        if "safeguards" in made:
            self.safeguards.keep(config.safety.undo_mb)
        if "memory" in made:
            self.memory.limit(config.memory.inject_max_chars)
        if "surroundings" in made:
            self.surroundings.adopt(config.project)
        if self._context is not None:
            self._context.config = self.presets.context_settings()

    @cached_property
    def _spill(self) -> SpillFolder | UnkeptOutputs:
        from aish.store.spill import spill_to

        return spill_to(places.cache_dir() / "output", self.secrecy, kept=self._kept)

    def new_context(self) -> Context:
        """An empty conversation; of an output it cuts, the whole stays in a file."""
        from aish.core.context.prompt import BASE
        from aish.core.context.window import Context

        if "memory" in vars(self):
            self.memory.begin()
        if "surroundings" in vars(self):
            self.surroundings.forget_place()
        context = Context(self.presets.context_settings(), spill=self._spill.keep)
        context.set_block("base", BASE)
        self._context = context
        return context

    def around(self) -> AroundHere:
        from aish.project.around import AroundHere

        return AroundHere(self._place, os.environ.get("PATH", os.defpath), self.judge)

    def close(self) -> None:
        """The session is over; what was never made needs no end."""
        if "_notes" in vars(self):
            self._notes.pause()
        if "tools" in vars(self):
            self.tools.close()
        if "journal" in vars(self):
            self.journal.close()
        if "judge" in vars(self):
            self.judge.close()

    @cached_property
    def judge(self) -> CommandReader:
        """What reads commands before they are asked about."""
        return CommandReader(
            os.environ.get("HOME", "/"), os.environ.get("USER", ""), self.config.safety.rules
        )

    def typed_reader(self) -> CommandReader | None:
        """What reads the lines that the user types, where they are read now."""
        return self.judge if self.config.safety.read_typed else None

    def gate(self, asker: Asker, shell: Workplace, keeps: Keeps | None = None) -> Gate:
        """The question before a command of the model runs.

        `keeps` knows whether a command leaves its old files.
        """
        safety, second = lambda: self.config.safety, self.second_opinion()
        return Gate(asker, self.judge, shell, safety, keeps=keeps, second=second)

    def second_opinion(self) -> Second | None:
        """What another model says of a command, where the user named one."""
        if not (name := self.config.safety.second_opinion):
            return None
        from aish.engine.second_opinion import SecondOpinion

        return SecondOpinion(self.presets, name)

    def session(
        self,
        shell: Workplace,
        approver: Approver,
        *,
        project: Project | None = None,
        teams: Teams | None = None,
        consumers: Sequence[Callable[[Event], None]] = (),
    ) -> Session:
        """One conversation."""
        return Session(
            supplies=self,
            models=self.presets,
            shell=shell,
            approver=approver,
            journal=self.journal if self._kept else None,
            memory=self.memory,
            project=project,
            teams=teams,
            planner=PlanOnly(self.judge, shell),
            consumers=consumers,
        )
