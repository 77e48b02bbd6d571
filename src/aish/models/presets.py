"""The configured models: which one is in use, what it needs, and how it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED, Config, ModelConfig
from aish.core.errors import AishError, ConfigError, UsageError
from aish.models.counting import Counting
from aish.models.pricing import price_text, tariff_of
from aish.models.routes import Chosen, Routing, Way
from aish.models.secrecy import on_this_machine

if TYPE_CHECKING:
    from aish.broker.chat import ChatClient
    from aish.broker.http import HttpClient
    from aish.broker.probe import Probe, Probes
    from aish.broker.retry import Retry
    from aish.broker.sealed import Source
    from aish.core.context.settings import Compress
    from aish.core.messages import Delta, Message, ModelSpec, Request
    from aish.core.money.cost import Tariff
    from aish.models.embedded import Embedded
    from aish.models.reports import ModelRow
    from aish.models.secrecy import Secrecy
    from aish.models.token_counts import TokenCounts
    from aish.models.wallet import Spending

ASSUMED_WINDOW = 4096  # for a server that does not say


class Presets:
    """Every preset of the configuration, and the embedded model beside them."""

    def __init__(
        self,
        config: Config,
        embedded: Embedded,
        environ: Mapping[str, str],
        *,
        spending: Spending,
        secrecy: Secrecy,
        confirm: Callable[[str], bool] = lambda _: False,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._config = config
        self._embedded = embedded
        self._environ = environ
        self._confirm = confirm
        self._notice = notice
        self.spending = spending
        self.secrecy = secrecy
        self.routing = Routing(config.routing)
        self._windows: dict[str, int] = {}
        self._warming: threading.Thread | None = None
        self.counting = Counting(
            lambda: self._http, secrecy, allowed=config.tokenize.use_endpoint != "never"
        )
        self.current = config.model

    @cached_property
    def _http(self) -> HttpClient:
        from aish.broker.http import HttpClient

        return HttpClient()

    @property
    def known_window(self) -> int:
        if self.current == EMBEDDED:
            return self._config.local.context
        return self._config.models[self.current].window or self._windows.get(self.current, 0)

    def names(self) -> list[str]:
        return [*self._config.models, EMBEDDED]

    def use(self, name: str) -> None:
        self._check(name)
        self.current = name

    def _check(self, name: str) -> None:
        if name not in self.names():
            raise UsageError(f"there is no model {name!r}", f"one of: {', '.join(self.names())}")

    def expected(self, name: str = "") -> ModelSpec:
        """A model, the one in use for "", as far as it is known without its server or its key."""
        name = name or self.current
        if name == EMBEDDED:
            return self._embedded.expected()
        from dataclasses import replace

        spec = self.configured(name, needs_key=False)
        window = spec.window or self._windows.get(name, 0) or ASSUMED_WINDOW
        return replace(spec, window=window)

    def resolved(self, name: str) -> ModelSpec:
        """A preset by its name, its window known.

        Raises: AishError.
        """
        if name == EMBEDDED:
            return self._embedded.spec()
        from dataclasses import replace

        spec = self.configured(name)
        return replace(spec, window=self._window(spec))

    @cached_property
    def counts(self) -> TokenCounts:
        """How many tokens something is for the model in use, by the best count there is."""
        from aish.models.token_counts import TokenCounts

        return TokenCounts(self)

    def count(self, spec: ModelSpec, messages: list[Message]) -> int | None:
        """What a model's server says these messages are."""
        counted = self.counting.chat(spec, messages)
        return counted.tokens if counted else None

    def choose(self, text: str) -> Chosen:
        """The model a question goes to: the same to its end, but for one hop."""
        return Chosen(self, self.routing.way_for(text, self.current), self.routing, self._confirm)

    def named(self, name: str = "") -> Chosen:
        """One preset by its name; the one in use for "". It falls back to nothing.

        Raises: UsageError for a name that is no preset.
        """
        self._check(name or self.current)
        return Chosen(self, Way(name or self.current))

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """The answer: secrets hidden on the way and put back, its price set aside and paid.

        Raises: BrokerError; CapReached, and then nothing was sent.
        """
        return self._source.stream(request)

    @cached_property
    def _source(self) -> Source:
        servers = _Servers(self._http, self._embedded, self._tell_retry)
        return self.secrecy.sealed(self.spending.metered(servers, self.tariff))

    def delegate(self, name: str) -> Chosen:
        """Another preset, for something of its own; the user says whether words leave the machine.

        Raises: UsageError for a name that is no preset, and without that yes.
        """
        chosen = self.named(name)
        here, there = (on_this_machine(self.address(x)) for x in (self.current, name))
        if here and not there and not self._confirm(f"Ask {name} at {self.address(name)}?"):
            raise UsageError(f"{name} was not asked", "only a yes at the terminal sends it out")
        return chosen

    def address(self, name: str) -> str:
        """Where a preset's server is; the embedded one is on this machine."""
        return "http://localhost" if name == EMBEDDED else self._config.models[name].endpoint

    def may_leave(self, messages: list[Message]) -> bool:
        """Whether no text of these messages holds a secret."""
        return not any(self.secrecy.holds_secrets(str(m.get("content") or "")) for m in messages)

    def tariff(self, spec: ModelSpec) -> Tariff:
        """How a model is billed."""
        known = self._probes.known(spec)
        return tariff_of(spec, self._config.models.get(spec.name), known.price if known else None)

    def _tell_retry(self, retry: Retry) -> None:
        self._notice(f"{retry.error.message}; asking again in {retry.seconds:.1f} s")

    def warm(self) -> None:
        """Load the client and start the embedded model while the question is still typed."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._get_ready, daemon=True)
            self._warming.start()

    def look(self) -> Iterator[ModelRow]:
        for name in self.names():
            yield self._row(name)

    def probe(self, name: str) -> tuple[ModelSpec, Probe]:
        """Ask one configured server about itself.

        Raises: ConfigError, when its key is missing.
        """
        spec = self.configured(name)
        return spec, self._probes.of(spec, afresh=True)

    @cached_property
    def _probes(self) -> Probes:
        from aish.broker.probe import Probes

        return Probes(self._http)

    def configured(self, name: str, *, needs_key: bool = True) -> ModelSpec:
        """A preset as the configuration has it.

        Raises: ConfigError.
        """
        from aish.core.messages import ModelSpec

        preset = self._config.models[name]
        return ModelSpec(
            name=name,
            endpoint=preset.endpoint,
            model=preset.model,
            window=preset.window,
            reserve=preset.reserve,
            api_key=self._key(name, preset) if needs_key else "",
            connect_timeout=preset.connect_timeout_ms / 1000,
            idle_timeout=preset.timeout_ms / 1000,
            token_budget=self._config.context.token_budget or None,
            tool_role=preset.tool_role,
            compress=self._compress() if preset.local_compress else None,
        )

    def _compress(self) -> Compress:
        from aish.core.context.settings import Compress

        how = self._config.context.compress
        return Compress(how.keep_turns, how.max_turn_chars)

    def _key(self, name: str, preset: ModelConfig) -> str:
        if not preset.api_key_env:
            return ""
        key = self._environ.get(preset.api_key_env, "").strip()
        if not key:
            raise ConfigError(
                f"the environment variable {preset.api_key_env} is not set",
                f"export {preset.api_key_env}=… before starting aish",
                key=f"models.{name}.api_key_env",
            )
        return key

    def _window(self, spec: ModelSpec) -> int:
        if spec.window:
            return spec.window
        if spec.name not in self._windows:
            _, found = self.probe(spec.name)
            if found.error is not None:
                raise found.error
            self._windows[spec.name] = found.window or ASSUMED_WINDOW
        return self._windows[spec.name]

    def _get_ready(self) -> None:
        import urllib3  # noqa: F401  (the slowest import a question needs)

        if self.current == EMBEDDED:
            self._embedded.warm()

    def _row(self, name: str) -> ModelRow:
        from aish.models.reports import ModelRow

        if name == EMBEDDED:
            return self._embedded.row()
        model = self._config.models[name].model
        try:
            spec, found = self.probe(name)
        except AishError as error:
            return ModelRow(name, model, False, detail=error.message)
        if found.error is not None:
            return ModelRow(name, model, False, spec.window, found.error.message)
        return ModelRow(
            name,
            model,
            True,
            spec.window or found.window,
            f"{found.latency_ms:.0f} ms",
            price=self.price(spec),
            counting=found.counting,
        )

    def price(self, spec: ModelSpec) -> str:
        """What a model costs, for the screen."""
        return price_text(self.tariff(spec))


class _Servers:
    """The servers themselves; the embedded one is kept alive while it answers."""

    def __init__(
        self, http: HttpClient, embedded: Embedded, tell_retry: Callable[[Retry], None]
    ) -> None:
        self._http = http
        self._embedded = embedded
        self._tell_retry = tell_retry

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Raises: BrokerError."""
        from contextlib import nullcontext

        with self._embedded.in_use() if request.spec.name == EMBEDDED else nullcontext():
            yield from self._client.stream(request)

    @cached_property
    def _client(self) -> ChatClient:
        """One for all requests: it learns which parameters a server rejects."""
        from aish.broker.chat import ChatClient

        return ChatClient(self._http, notice=self._tell_retry)
