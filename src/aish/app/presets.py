"""The configured models: which one is in use, what it needs, and how it answers."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aish.config.schema import EMBEDDED, Config, ModelConfig
from aish.core.errors import AishError, ConfigError, UsageError

if TYPE_CHECKING:
    from aish.app.embedded import Embedded
    from aish.broker.count import ServerCounter
    from aish.broker.http import HttpClient
    from aish.broker.probe import Probe
    from aish.core.messages import Delta, Message, ModelSpec, Request
    from aish.core.settings import Compress
    from aish.ui.ports import ModelRow

ASSUMED_WINDOW = 4096  # for a server that does not say


class Presets:
    """Every preset of the configuration, and the embedded model beside them."""

    def __init__(self, config: Config, embedded: Embedded, environ: Mapping[str, str]) -> None:
        self._config = config
        self._embedded = embedded
        self._environ = environ
        self._windows: dict[str, int] = {}
        self._warming: threading.Thread | None = None
        self._asked: ModelSpec | None = None  # the model of the question at hand
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
        if name not in self.names():
            raise UsageError(f"there is no model {name!r}", f"one of: {', '.join(self.names())}")
        self.current = name

    def spec(self) -> ModelSpec:
        """The model in use, its window known.

        Raises: AishError.
        """
        self._asked = self._resolved()
        return self._asked

    def expected(self) -> ModelSpec:
        """The model in use, as far as it is known without asking its server or for its key."""
        if self.current == EMBEDDED:
            return self._embedded.expected()
        from dataclasses import replace

        spec = self.configured(self.current, needs_key=False)
        return replace(spec, window=self.known_window or ASSUMED_WINDOW)

    def _resolved(self) -> ModelSpec:
        if self.current == EMBEDDED:
            return self._embedded.spec()
        from dataclasses import replace

        spec = self.configured(self.current)
        return replace(spec, window=self._window(spec))

    def count(self, messages: list[Message]) -> int | None:
        """What the server says these messages are; asked only when it matters."""
        if self._config.tokenize.use_endpoint == "never" or self._asked is None:
            return None
        counted = self._counter.count(self._asked.endpoint, self._asked.model, messages)
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

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        from contextlib import nullcontext

        from aish.broker.chat import ChatClient

        with self._embedded.in_use() if request.spec.name == EMBEDDED else nullcontext():
            yield from ChatClient(self._http).stream(request)

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
        from aish.broker.probe import probe

        spec = self.configured(name)
        return spec, probe(self._http, spec)

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
        from aish.core.settings import Compress

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
        from aish.ui.ports import ModelRow

        if name == EMBEDDED:
            return self._embedded.row()
        model = self._config.models[name].model
        try:
            spec, found = self.probe(name)
        except AishError as error:
            return ModelRow(name, model, False, detail=error.message)
        if found.error is not None:
            return ModelRow(name, model, False, spec.window, found.error.message)
        detail = f"{found.latency_ms:.0f} ms, tokens: {found.counting}"
        return ModelRow(name, model, True, spec.window or found.window, detail)
