"""The configured models: which one is in use, what it needs, and how it answers."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED, Config
from aish.core.errors import AishError, UsageError
from aish.models.ahead import Ahead
from aish.models.counting import Counting
from aish.models.embedded import NAMES, Embedded
from aish.models.notes import ModelNotes
from aish.models.pricing import price_text, stated_price, tariff_of
from aish.models.probing import ASSUMED_WINDOW, Probing
from aish.models.routes import ChosenModel, Destination, Routing
from aish.models.secrecy import on_this_machine
from aish.models.servers import Connection, Servers, way_to_servers
from aish.models.specs import budgeted, spec_of, with_window

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    from aish.broker.probe import Probe
    from aish.broker.redacting import Source
    from aish.core.context.settings import ContextManagementConfig
    from aish.core.messages import Delta, Message, ModelSpec, Request
    from aish.core.money.cost import Tariff
    from aish.core.user import User
    from aish.models.reports import ModelRow
    from aish.models.secrecy import Secrecy
    from aish.models.server_cache import KnownServers
    from aish.models.token_counts import TokenCounts
    from aish.models.wallet import Spending


class Presets:
    """Every preset of the configuration, and the embedded model beside them."""

    def __init__(
        self,
        config: Config,
        embedded: Embedded,
        environ: Mapping[str, str],
        *,
        cache: Path,
        spending: Spending,
        secrecy: Secrecy,
        user: User,
    ) -> None:
        self._config = config
        self._embedded = embedded
        self._environ = environ
        self._cache = cache
        self._user = user
        self.spending = spending
        self.secrecy = secrecy
        self.routing = Routing(config.routing)
        self._windows: dict[str, int] = {}
        self._warming: threading.Thread | None = None
        self._ahead = Ahead(embedded, config.local.ahead)
        self._connection = Connection()
        self.counting = Counting(
            self._connection, secrecy, allowed=config.tokenize.use_endpoint is not False
        )
        self.notes = ModelNotes(self, config.context)
        self.current = config.model

    def adopt(self, config: Config) -> None:
        """Another configuration from now on; what the user chose meanwhile stays."""
        if config.routing != self._config.routing:
            self.routing = Routing(config.routing)
        if self.current == self._config.model:
            self.current = config.model
        self.counting.allowed = config.tokenize.use_endpoint is not False
        if config.models != self._config.models:
            self._windows.clear()
        self.secrecy.adopt(config)
        self.spending.adopt(config.cost)
        self.notes.adopt(config.context)
        self._config = config

    @property
    def known_window(self) -> int:
        if self.current == EMBEDDED:
            return self._config.local.context
        return self._windows.get(self.current, 0) or self._config.models[self.current].window

    def context_settings(self) -> ContextManagementConfig:
        """How a conversation is kept within the window of the model in use."""
        from aish.core.context.settings import ContextManagementConfig

        chosen = self._config.context
        return ContextManagementConfig(
            max_context_tokens=self.known_window or ASSUMED_WINDOW,
            max_turns=chosen.max_turns or None,
            token_budget=chosen.token_budget or None,
            preserve_recent_turns=chosen.preserve_recent_turns,
            max_age=chosen.max_age,
            max_tokens_per_output=chosen.max_tokens_per_output,
            max_summary_chars=chosen.max_summary_chars,
            count_always=self._config.tokenize.use_endpoint is True,
        )

    def learn_window(self) -> bool:
        """Ask the server of the model in use, once, where the window is not known."""
        if self.current != EMBEDDED and self.current not in self._windows:
            with suppress(AishError):
                self._window(self.configured(self.current))
        return bool(self.known_window)

    @property
    def learned_window(self) -> int:
        """The window of the model in use where its server named it in a refusal; else 0."""
        if self.current == EMBEDDED:
            return 0
        spec = self.configured(self.current, needs_key=False)
        window, learned = self.usable_window(spec)
        return window if learned else 0

    def usable_window(self, spec: ModelSpec) -> tuple[int, bool]:
        """A window as stated, or as learned from a refusal, and whether it is; 0: not known."""
        stated = spec.window or self._known.entry(spec).window
        learned = self._known.learned(spec, stated or ASSUMED_WINDOW)
        return learned or stated, bool(learned)

    def doubts_window(self, name: str) -> bool:
        """Forget a window that was only named in a refusal; whether there was one.

        Where nothing fits into it the server itself may say so once more: it may have been wrong.
        """
        spec = None if name == EMBEDDED else self.configured(name, needs_key=False)
        if spec is None or not self.usable_window(spec)[1]:
            return False
        self._known.forget_refusal(spec)
        return True

    def names(self) -> list[str]:
        return [*self._config.models, EMBEDDED]

    @property
    def current_label(self) -> str:
        """The model in use, as it is told: the embedded one with its own name."""
        name = self._embedded.name if self.current == EMBEDDED else ""
        return f"{self.current} ({name})" if name else self.current

    def choices(self) -> list[str]:
        """What `use` takes: the presets, and the built-in models that are here."""
        names = self.names()
        return [*names, *(name for name in self._embedded.installed() if name not in names)]

    def use(self, name: str) -> None:
        """Raises: UsageError."""
        if name in NAMES and name not in self.names():
            self._embedded.use(name)
            name = EMBEDDED
        self._check(name)
        self.current = name

    @contextmanager
    def using(self, name: str) -> Iterator[None]:
        """Another model for what is asked meanwhile; "" is the one in use.

        Raises: UsageError.
        """
        before = self.current, self._embedded.chosen
        try:
            if name:
                self.use(name)
            yield
        finally:
            self.current, self._embedded.chosen = before

    def _check(self, name: str) -> None:
        if name not in self.names():
            raise UsageError(f"there is no model {name!r}", f"one of: {', '.join(self.names())}")

    def expected(self, name: str = "") -> ModelSpec:
        """A model, the one in use for "", as far as it is known without its server or its key."""
        name = name or self.current
        if name == EMBEDDED:
            return budgeted(self._embedded.expected(), self._config)
        spec = self.configured(name, needs_key=False)
        window = self._windows.get(name, 0) or spec.window or ASSUMED_WINDOW
        return with_window(spec, window, self._config)

    def resolved(self, name: str) -> ModelSpec:
        """A preset by its name, its window known.

        Raises: AishError.
        """
        if name == EMBEDDED:
            return budgeted(self._embedded.spec(), self._config)
        spec = self.configured(name)
        return with_window(spec, self._window(spec), self._config)

    @cached_property
    def counts(self) -> TokenCounts:
        """How many tokens something is for the model in use, by the best count there is."""
        from aish.models.token_counts import TokenCounts

        return TokenCounts(self)

    def count(self, spec: ModelSpec, messages: list[Message]) -> int | None:
        """What a model's server says these messages are."""
        counted = self.counting.chat(spec, messages)
        return counted.tokens if counted else None

    def choose(self, text: str) -> ChosenModel:
        """The model a question goes to: the same to its end, but for one hop."""
        self._warming = None  # the server may have ended before the next question
        return ChosenModel(
            self, self.routing.destination_for(text, self.current), self.routing, self._user
        )

    def named(self, name: str = "") -> ChosenModel:
        """One preset by its name; the one in use for "". It falls back to nothing.

        Raises: UsageError for a name that is no preset.
        """
        self._check(name or self.current)
        return ChosenModel(self, Destination(name or self.current))

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """The answer: secrets hidden on the way and put back, its price set aside and paid.

        Raises: BrokerError; CapReached, and then nothing was sent.
        """
        return self._source.stream(request)

    @cached_property
    def _source(self) -> Source:
        return way_to_servers(
            Servers(self._connection.http, self._embedded),
            self.spending,
            self.secrecy,
            self._known,
            prices=self,
            user=self._user,
        )

    def others(self, asking: str) -> list[str]:
        """Presets that an answer of this one may ask; none without somebody to allow it.

        A built-in model is told of none: it has enough to do with its own answer.
        """
        wanted = self._config.routing.delegate and asking != EMBEDDED
        if not wanted or not self._user.present:
            return []
        return [name for name in self._config.models if name != asking]

    def delegate(self, name: str, prompt: str, *, for_model: bool) -> tuple[ChosenModel, str]:
        """Another preset and what it is asked; the user says whether words leave the machine.

        What a model wants asked (`for_model`) always needs a yes, and has its secrets hidden: they
        were put back for the user, not for another model.

        Raises: UsageError for a name that is no preset, and without that yes.
        """
        chosen = self.named(name)
        if for_model:
            prompt = self.secrecy.redactor.redact(prompt, "vault+autodetect")
        here, there = map(self.stays_here, (self.current, name))
        question = f"Ask {name} at {self.shown_address(name)}?"
        if for_model:
            question = f"The model wants to ask {name} ({self.shown_address(name)}):\n"
            question += "\n".join(f"  │ {line}" for line in prompt.split("\n")) + f"\nAsk {name}?"
        if (for_model or (here and not there)) and not self._user.confirm(question):
            raise UsageError(f"{name} was not asked", "only a yes at the terminal sends it out")
        return chosen, prompt

    def address(self, name: str) -> str:
        """Where a preset's server is; the embedded one is on this machine."""
        return "http://localhost" if name == EMBEDDED else self._config.models[name].endpoint

    def shown_address(self, name: str) -> str:
        """The same for the screen: without a login or a key in it."""
        return shown_endpoint(self.address(name))

    def stays_here(self, name: str) -> bool:
        """Whether what a preset is asked stays on this machine."""
        if name == EMBEDDED:
            return True
        preset = self._config.models[name]
        return on_this_machine(preset.endpoint) and not preset.forwards

    def may_leave(self, messages: list[Message]) -> bool:
        """Whether no text of these messages holds a secret."""
        return not any(self.secrecy.holds_secrets(str(m.get("content") or "")) for m in messages)

    def tariff(self, spec: ModelSpec) -> Tariff:
        """How a model is billed."""
        preset, known = self._config.models.get(spec.name), self._known.entry(spec)
        return tariff_of(
            spec,
            preset,
            known.offered(),
            known.seen(stated_price(preset)),
            was_free=self._known.was_free(spec),
        )

    def asked_tariff(self, spec: ModelSpec) -> Tariff:
        """The same once its server was asked: of one whose window is set, nobody did."""
        self._probing.find_price(spec)
        return self.tariff(spec)

    @contextmanager
    def in_turn(self, spec: ModelSpec) -> Iterator[None]:
        """Under a cap, a server that is thought to be free is asked alone until it has answered.

        It may report a cost all the same, and then all that were asked beside it cost as much.

        Raises: CapReached, when another aish takes too long with that; StoreError.
        """
        if not self._is_untried(spec):
            yield
            return
        with self._alone(spec):
            if untried := self._is_untried(spec):
                yield
        if not untried:
            yield

    def _is_untried(self, spec: ModelSpec) -> bool:
        from aish.core.money.cost import is_free

        tariff = self.tariff(spec)
        return is_free(tariff) and not tariff.proven

    @contextmanager
    def _alone(self, spec: ModelSpec) -> Iterator[None]:
        from aish.core.errors import CapReached, Locked, StoreError
        from aish.core.money.caps import unchecked

        with ExitStack() as stack:
            try:
                stack.enter_context(self.spending.one_at_a_time(0.5))
            except Locked:
                first = "another aish asks a model for the first time, and a cap is set"
                self._user.tell(f"{spec.name} waits: {first}")
                try:
                    stack.enter_context(self.spending.one_at_a_time(spec.idle_timeout))
                except Locked:
                    raise CapReached(
                        f"{spec.name} was not asked: {first}",
                        "ask again when it has its answer",
                    ) from None
            except StoreError as trouble:
                raise unchecked(trouble) from None
            yield

    def reported(self, spec: ModelSpec, micro: int) -> None:
        """A request cost something that no price announced, or (0) nothing, as was thought."""
        from aish.core.money.cost import is_free

        if micro or is_free(self.tariff(spec)):
            self._known.reported(spec, micro, stated_price(self._config.models.get(spec.name)))

    def warm(self) -> None:
        """Load the client and start the embedded model while the question is still typed."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._get_ready, daemon=True)
            self._warming.start()

    def idle(self) -> float:
        """Get ready for a first question while nobody types.

        Returns the seconds until it is worth calling again; it may be called in any thread.
        """
        return self._ahead.idle() if self.current == EMBEDDED else inf

    def look(self) -> Generator[ModelRow, None, None]:
        """Every preset, all asked at the same time."""
        from concurrent.futures import ThreadPoolExecutor

        names = self.names()
        together = ThreadPoolExecutor(len(names))
        try:
            yield from together.map(self._row, names)
        finally:
            together.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C nobody waits for them

    def probe(self, name: str) -> tuple[ModelSpec, Probe]:
        """Ask one configured server about itself.

        Raises: ConfigError, when its key is missing.
        """
        spec = self.configured(name)
        return spec, self._probing.look(spec, count=self.counting.allowed)

    def probes(self) -> dict[str, Future[tuple[ModelSpec, Probe]]]:
        """The same of every configured server, all asked at the same time."""
        from concurrent.futures import ThreadPoolExecutor

        names = list(self._config.models)
        with ThreadPoolExecutor(max(1, len(names))) as together:
            return {name: together.submit(self.probe, name) for name in names}

    @cached_property
    def _known(self) -> KnownServers:
        from aish.models.server_cache import KnownServers

        return KnownServers(self._cache / "servers.json")

    @cached_property
    def _probing(self) -> Probing:
        return Probing(self._connection, self._known, self._user)

    def configured(self, name: str, *, needs_key: bool = True) -> ModelSpec:
        """A preset as the configuration has it.

        Raises: ConfigError.
        """
        return spec_of(name, self._config, self._environ, needs_key=needs_key)

    def _window(self, spec: ModelSpec) -> int:
        stated = spec.window or self._probing.window(spec)
        self._windows[spec.name] = self._known.learned(spec, stated) or stated
        return self._windows[spec.name]

    def _get_ready(self) -> None:
        import urllib3  # noqa: F401  (the slowest import a question needs)

        if self.current == EMBEDDED:
            self._ahead.typing()

    def _row(self, name: str) -> ModelRow:
        from aish.models.reports import ModelRow

        if name == EMBEDDED:
            return self._embedded.row()
        model = self._config.models[name].model
        try:
            spec, found = self.probe(name)
        except AishError as error:
            return ModelRow(name, model, False, detail=error.message)
        trouble = found.error
        if trouble is not None and not found.may_answer:
            return ModelRow(name, model, False, spec.window, trouble.message)
        window, learned = self.usable_window(spec)
        if window:
            self._windows[name] = window
        return ModelRow(
            name,
            model,
            True,
            window,
            trouble.message if trouble else f"{found.latency_ms:.0f} ms",
            price=self.price(spec),
            counting=found.counting,
            learned=learned,
        )

    def price(self, spec: ModelSpec) -> str:
        """What a model costs, for the screen."""
        return price_text(self.tariff(spec))


def shown_endpoint(endpoint: str) -> str:
    from aish.broker.address import shown_address

    return shown_address(endpoint)
