"""`aish tokens`: how many tokens a text or a chat is, by the best count there is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aish.app.chat_file import read_chat
from aish.config.load import load
from aish.config.places import config_file
from aish.config.schema import Config
from aish.core.context.counted import ESTIMATE, Counted
from aish.core.context.tokens import Tokenizer, count_messages, get_tokenizer
from aish.core.errors import AishError, UsageError
from aish.core.messages import Message, ModelSpec
from aish.ui.screen import Screen

if TYPE_CHECKING:
    from aish.broker.count import ServerCounter
    from aish.broker.http import HttpClient
    from aish.models.presets import Presets

Tools = Sequence[Mapping[str, Any]]


class TokenCounts:
    """Counts as a model would: its server, else a tokenizer of its own, else an estimate."""

    def __init__(self, config: Config, presets: Presets, name: str = "") -> None:
        """`name` is a preset or, where there is none of that name, a model's; "" the one in use."""
        self._config = config
        self._presets = presets
        self._other = "" if not name or name in presets.names() else name
        if name and not self._other:
            presets.use(name)
        self._spec: ModelSpec | None = None

    def text(self, text: str) -> Counted:
        """One text by itself, without what a chat template adds."""
        spec, note = self._server()
        if spec is not None:
            tokens = self._counter.count_text(spec.endpoint, spec.model, text)
            if tokens is not None:
                return Counted(tokens, "server: tokenize")
        return self._locally(spec, note, lambda tokenizer: tokenizer.count(text))

    def chat(self, messages: Sequence[Message], tools: Tools = ()) -> Counted:
        """A whole request, with what the template adds."""
        spec, note = self._server()
        if spec is not None:
            found = self._counter.count(spec.endpoint, spec.model, messages, tools)
            if found is not None:
                return Counted(found.tokens, found.method)
        return self._locally(spec, note, lambda own: count_messages(messages, own, tools))

    def model(self) -> str:
        """The model's own name, as far as it is known without asking."""
        return self._other or self._presets.expected().model

    def tokenizer(self, model: str) -> tuple[Tokenizer, bool]:
        """What counts for this model here, and whether it is the model's own."""
        from aish.broker.tokenizers import tiktoken_for

        exact = tiktoken_for(model) if model else None
        return exact or get_tokenizer(model), exact is not None

    def _server(self) -> tuple[ModelSpec | None, str]:
        """The server to ask, or why there is none."""
        if self._other or self._config.tokenize.use_endpoint == "never":
            return None, ""
        try:
            self._spec = self._presets.spec()
        except AishError as error:
            return None, error.message
        return self._spec, "the server does not count"

    def _locally(
        self, spec: ModelSpec | None, note: str, count: Callable[[Tokenizer], int]
    ) -> Counted:
        tokenizer, exact = self.tokenizer(spec.model if spec else self.model())
        return Counted(count(tokenizer), tokenizer.name if exact else ESTIMATE, note)

    @cached_property
    def _http(self) -> HttpClient:
        from aish.broker.http import HttpClient

        return HttpClient()

    @cached_property
    def _counter(self) -> ServerCounter:
        from aish.broker.count import ServerCounter

        return ServerCounter(self._post)

    def _post(self, url: str, body: Mapping[str, Any], timeout: float) -> tuple[int, bytes]:
        import msgspec

        from aish.broker.chat import auth_headers

        headers = {"Content-Type": "application/json"}
        if self._spec is not None:
            headers |= auth_headers(self._spec.api_key)
        data = msgspec.json.encode(hidden(url, body))
        return self._http.fetch("POST", url, body=data, headers=headers, timeout=timeout)


def hidden(url: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """What may leave this machine to be counted: no credentials, as in any request."""
    from aish.core.secrets.redact import Redactor, default_policy

    policy = default_policy(loopback=_is_here(url))
    return body if policy == "off" else Redactor().redact_messages([dict(body)], policy)[0]


def _is_here(url: str) -> bool:
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def tokens(text: str, *, model: str, messages: str, as_json: bool) -> int:
    """Print how many tokens a text is, or the messages in a file.

    Raises: AishError.
    """
    import msgspec

    from aish.app.wiring import presets_for

    screen = Screen.of_process()
    chat = read_chat(messages) if messages else None
    if chat is None:
        text = text or _piped()
    config = load(config_file()).config
    counts = TokenCounts(config, presets_for(config, screen), model)
    counted = counts.text(text) if chat is None else counts.chat(chat.messages, chat.tools)
    if as_json:
        record = {"tokens": counted.tokens, "method": counted.method, "exact": counted.exact}
        screen.line(msgspec.json.encode(record | {"note": counted.note}).decode())
    else:
        note = f"; {counted.note}" if counted.note and not counted.exact else ""
        screen.line(f"{counted.tokens} ({counted.method}{note})")
    return 0


def _piped() -> str:
    """All of standard input; what is counted must be all there.

    Raises: UsageError.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("there is no text to count", 'aish tokens "some text", or pipe it in')
    return sys.stdin.buffer.read().decode("utf-8", "replace")
