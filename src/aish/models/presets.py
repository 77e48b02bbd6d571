"""The configured models: which one is in use, what it needs, and how it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aish.config.schema import EMBEDDED, Config, ModelConfig
from aish.core.errors import AishError, ConfigError, UsageError
from aish.models.pricing import price_text, tariff_of
from aish.models.routes import Chosen, Routing
from aish.models.secrecy import on_this_machine

if TYPE_CHECKING:
    from aish.broker.chat import ChatClient
    from aish.broker.count import ServerCounter
    from aish.broker.http import HttpClient
    from aish.broker.probe import Probe, Probes
    from aish.broker.retry import Retry
    from aish.broker.sealed import Source
    from aish.core.context.settings import Compress
    from aish.core.context.window import Context
    from aish.core.messages import Delta, Message, ModelSpec, Request
    from aish.core.money.cost import Tariff
    from aish.models.embedded import Embedded
    from aish.models.reports import ModelRow
    from aish.models.secrecy import Secrecy
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
        self._asked: ModelSpec | None = None  # the model of the question at hand
        self._usual_prompt: str | None = None  # while a class of questions has its own
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

    def spec(self) -> ModelSpec:
        """The model in use, its window known.

        Raises: AishError.
        """
        self._asked = self.resolved(self.current)
        return self._asked

    def expected(self) -> ModelSpec:
        """The model in use, as far as it is known without asking its server or for its key."""
        if self.current == EMBEDDED:
            return self._embedded.expected()
        from dataclasses import replace

        spec = self.configured(self.current, needs_key=False)
        return replace(spec, window=self.known_window or ASSUMED_WINDOW)

    def resolved(self, name: str) -> ModelSpec:
        """A preset by its name, its window known.

        Raises: AishError.
        """
        if name == EMBEDDED:
            return self._embedded.spec()
        from dataclasses import replace

        spec = self.configured(name)
        return replace(spec, window=self._window(spec))

    def count(self, messages: list[Message]) -> int | None:
        """What the server says these messages are; asked only when it matters."""
        return self.count_for(self._asked, messages) if self._asked else None

    def count_for(self, spec: ModelSpec, messages: list[Message]) -> int | None:
        """The same by the server of a model; what it may not see, it does not count either."""
        if self._config.tokenize.use_endpoint == "never":
            return None
        self._asked = spec
        policy = self.secrecy.policy_of(spec)
        if policy != "off":
            messages = self.secrecy.redactor.redact_messages(messages, policy)
        counted = self._counter.count(spec.endpoint, spec.model, messages)
        return counted.tokens if counted else None

    @cached_property
    def _counter(self) -> ServerCounter:
        from aish.broker.count import ServerCounter

        return ServerCounter(self._post)

    def _post(self, url: str, body: Any, timeout: float) -> tuple[int, bytes]:
        import msgspec

        from aish.broker.chat import auth_headers

        headers = {"Content-Type": "application/json"}
        if self._asked is not None:
            headers |= auth_headers(self._asked.api_key)
        return self._http.fetch(
            "POST", url, body=msgspec.json.encode(body), headers=headers, timeout=timeout
        )

    def for_question(self, text: str, context: Context) -> Chosen:
        """The model a question goes to, with the system prompt of its class in the context."""
        way = self.routing.way_for(text, self.current)
        if self._usual_prompt is None and way.prompt:
            self._usual_prompt = context.blocks.get("base", "")
        if self._usual_prompt is not None:
            context.set_block("base", way.prompt or self._usual_prompt)
        return Chosen(self, way, self.routing, self._confirm)

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """The answer: secrets hidden on the way and put back, its price set aside and paid.

        Raises: BrokerError; CapReached, and then nothing was sent.
        """
        yield from self._source.stream(request)

    @cached_property
    def _source(self) -> Source:
        servers = _Servers(self._http, self._embedded, self._tell_retry)
        return self.secrecy.sealed(self.spending.metered(servers, self.tariff))

    def delegate(self, name: str, prompt: str) -> Generator[Delta, None, None]:
        """Ask another preset something of its own, without the conversation.

        Raises: UsageError for a name that is no preset; AishError.
        """
        from aish.core.messages import Request

        self._check(name)
        here, there = (on_this_machine(self.address(x)) for x in (self.current, name))
        if here and not there and not self._confirm(f"Ask {name} at {self.address(name)}?"):
            raise UsageError(f"{name} was not asked", "only a yes at the terminal sends it out")
        spec = self.resolved(name)
        messages: tuple[Message, ...] = ({"role": "user", "content": prompt},)
        yield from self.stream(Request(spec, messages, spec.reserve, purpose="delegate"))

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
