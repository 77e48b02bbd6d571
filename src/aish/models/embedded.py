"""The embedded model as a preset: its server is found or started when a question needs it."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.places import cache_dir, data_dir
from aish.config.schema import EMBEDDED, LocalConfig
from aish.core.errors import AishError, LocalModelError, UsageError
from aish.core.user import Nobody
from aish.models.ahead import Unasked

if TYPE_CHECKING:
    from aish.core.messages import ModelSpec
    from aish.core.user import User
    from aish.local.catalogue import BuiltIn
    from aish.local.supervisor import Endpoint, Supervisor
    from aish.models.reports import ModelRow

# Seconds without a word from it: a full window takes minutes to read on two cores, more beside a
# build. A server that hangs is found out when it is asked for its health, before the question.
READING = 900.0
RESERVE = 512  # tokens kept free for the answer where nobody says how many
INSTALL = "run `aish local install` (once), or set [local] model to a GGUF file of yours"
NAMES = ("tiny", "small", "good")


def embedded_here(config: LocalConfig, user: User | None = None) -> Embedded:
    """The embedded model of this user, with its directories."""
    return Embedded(config, data=data_dir(), cache=cache_dir(), user=user or Nobody())


class Embedded:
    """The model behind the preset `local`."""

    def __init__(self, config: LocalConfig, *, data: Path, cache: Path, user: User) -> None:
        self._config = config
        self._data = data
        self._cache = cache
        self._user = user
        self._broken: set[str] = set()  # built-in models that did not load
        self._bare: set[str] = set()  # those whose adapter did not load
        self._in_force: tuple[tuple[Path, Path | None], Supervisor] | None = None
        self._told = ""
        self.chosen = ""  # by the user, for this session
        self.unasked = Unasked(cache / "unasked")

    @property
    def _own_file(self) -> Path | None:
        """The file the user named; of such a model nothing is known."""
        named = self.chosen or self._config.model
        return Path(named).expanduser() if named and named not in NAMES else None

    def use(self, name: str) -> None:
        """Answer with this built-in model, in this session.

        Raises: UsageError, when it is not there.
        """
        from aish.local.catalogue import named, present

        if named(name) not in present(self._data):
            raise UsageError(f"{name} is not installed", f"aish local install {name}")
        self.chosen = name

    @property
    def name(self) -> str:
        """Of the built-in model that answers; "" for the user's own file, or when none is there."""
        model = self._model()
        return model.name if model else ""

    def installed(self) -> list[str]:
        """The built-in models that can be used."""
        from aish.local.catalogue import present

        return [model.name for model in present(self._data)]

    @property
    def supervisor(self) -> Supervisor:
        """Of the model to use now: a better one may have arrived since the last question.

        Raises: LocalModelError, when no model file is there.
        """
        from aish.local.places import LocalServerSettings
        from aish.local.supervisor import Supervisor

        file, adapter = wanted = self.model_file(), self._adapter()
        if self._in_force is None or self._in_force[0] != wanted:
            settings = LocalServerSettings(
                model=file,
                n_ctx=self._config.context,
                threads=self._config.threads,
                idle_seconds=self._config.idle_minutes * 60,
                adapter=adapter,
            )
            found = Supervisor(runtime_dir(self._cache), self._cache / "logs", settings)
            if self._in_force is not None:
                self._in_force[1].retire()  # two models would fill the memory
            self._in_force = wanted, found
        return self._in_force[1]

    def _model(self) -> BuiltIn | None:
        """The built-in model to use; None for the user's own file, or when none is there."""
        from aish.local.catalogue import choose, present

        if self._own_file is not None:
            return None
        wanted = choose(self._data, self.chosen or self._config.model)
        if wanted is None or wanted.name not in self._broken:
            return wanted
        sound = [model for model in present(self._data) if model.name not in self._broken]
        return sound[-1] if sound else wanted

    def _adapter(self) -> Path | None:
        model = self._model()
        return model.adapter if model is not None and model.name not in self._bare else None

    def model_file(self) -> Path:
        """The GGUF file to serve.

        Raises: LocalModelError.
        """
        from aish.local.catalogue import path_of

        if self._own_file is not None:
            return self._own_file
        found = self._model()
        if found is None:
            raise LocalModelError("the embedded model is not installed", INSTALL)
        return path_of(self._data, found)

    def spec(self) -> ModelSpec:
        """The running server; started when there is none, of a smaller model when one is broken.

        Raises: LocalModelError.
        """
        from dataclasses import replace

        self._tell_arrival()
        self.unasked.clear()
        while True:
            model = self._model()
            try:
                running = self._running()
                break
            except LocalModelError as error:
                if model is None or not self._give_up_on(model, error):
                    raise
        return replace(
            self.expected(),
            endpoint=running.base_url,
            model=running.model,
            window=running.window,
            api_key=running.api_key,
        )

    def _give_up_on(self, model: BuiltIn, error: LocalModelError) -> bool:
        """Go on with another model, and say so; False when there is none, or it only loads."""
        if "does not load" not in error.message and "died at its start" not in error.message:
            return False
        if self._adapter() is not None:
            self._bare.add(model.name)
            self._user.tell(f"{model.name} does not load with its adapter; it goes on without")
            return True
        self._broken.add(model.name)
        other = self._model()
        if other is None or other.name in self._broken:
            return False
        self._user.tell(f"{model.name} does not load; {other.name} answers ({error.hint})")
        return True

    def _tell_arrival(self) -> None:
        """Say once which model answers while a better one is on its way, or that it has come."""
        if self._own_file is not None:
            return
        from aish.local.background_download import arrival

        model = self._model()
        coming = arrival(self._data)
        if coming is not None and model is not None and coming.name != self._told:
            self._told = coming.name
            self._user.tell(f"{model.name} answers; {coming.line}")
        elif coming is None and model is not None and model.name == self._told:
            self._told = ""
            self._user.tell(f"{model.name} has arrived and answers from now on")

    def expected(self) -> ModelSpec:
        """What is known of the model while its server may not run."""
        from aish.core.messages import ModelSpec

        spec = ModelSpec(
            name=EMBEDDED,
            endpoint="",
            model="",
            window=self._config.context,
            reserve=RESERVE,
            calls_by_grammar=True,
            idle_timeout=READING,
        )
        model = self._model()
        if model is None:
            return spec
        from dataclasses import replace

        from aish.local.sampling import examples, nearest, proposing, talking

        adapted = self._adapter() is not None
        return replace(
            spec,
            examples=examples(model, adapted=adapted),
            like=nearest(model),
            options=talking(model, adapted=adapted),
            proposing=proposing(model, adapted=adapted),
        )

    def in_use(self) -> AbstractContextManager[None]:
        return self.supervisor.in_use()

    def _running(self, *, read: bool = False) -> Endpoint:
        """The server, started where none runs; then it is given what every request begins with.

        `read`: it may take the time to read that, where no server before it has. A question that
        comes meanwhile waits, in whatever session: it would be answered after the reading anyway,
        and in between it would spoil what is kept.

        Raises: LocalModelError.
        """
        supervisor = self.supervisor
        with supervisor.reading():
            new = supervisor.status() is None
            running = supervisor.ensure()
            if new or read:
                self._read_ahead(supervisor, running, new=new, read=read)
            return running

    def start_ahead(self) -> None:
        """Start the server ahead of the question, and let it read what every request begins with.

        What fails here is said when a question is asked.
        """
        with suppress(AishError), self.in_use():
            self._running(read=True)

    def _read_ahead(
        self, supervisor: Supervisor, running: Endpoint, *, new: bool, read: bool
    ) -> None:
        from aish.core.proposal.wording import MachineFacts, command_messages
        from aish.local.warming import read_ahead, restore
        from aish.shell.release import distribution

        spec = self.expected()
        if spec.proposing is None:
            return
        messages = command_messages("list", MachineFacts(distribution()), spec.examples)
        kept = supervisor.kept(repr((messages, spec.proposing)))
        if read and (new or not kept.is_file()):
            read_ahead(running, messages, spec.proposing, kept)
        elif new:
            restore(running, spec.proposing, kept)

    def arrives(self) -> bool:
        """Whether a better model is on its way."""
        from aish.local.background_download import arrival

        coming = arrival(self._data) if self._own_file is None else None
        return coming is not None and not coming.error

    def row(self) -> ModelRow:
        from aish.local.background_download import arrival
        from aish.models.reports import ModelRow

        try:
            file, model = self.model_file(), self._model()
            running = self.supervisor.status()
        except AishError as error:
            return ModelRow(EMBEDDED, "", False, detail=f"{error.message}: {error.hint}")
        name = f"{model.name} ({model.title}, built in)" if model else file.stem
        detail = "starts with the first question"
        if running:
            detail = f"running, {running.memory_bytes / 1e6:.0f} MB of memory"
        if coming := arrival(self._data) if model else None:
            detail += f"; {coming.line}"
        return ModelRow(EMBEDDED, name, True, self._config.context, detail)


def runtime_dir(cache: Path) -> Path:
    """Where the server and its clients meet: the session's own directory where there is one."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    return Path(base) / "aish" if base.startswith("/") and Path(base).is_dir() else cache / "run"
