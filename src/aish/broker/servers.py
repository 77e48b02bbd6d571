"""What each kind of server says about itself, and where it says it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from aish.broker.address import address_of, headers_for
from aish.broker.decoding import UNREADABLE, decoded
from aish.broker.http_client import HttpClient
from aish.broker.refusal import BUSY
from aish.core.errors import BrokerError
from aish.core.messages import ModelSpec
from aish.core.money.cost import Price
from aish.core.values import dataclass, field

OLLAMA_DEFAULT = 4096  # what it loads a model with unless told otherwise
WINDOW_KEYS = (
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "max_input_tokens",
)
_SIZE = re.compile(r"[0-9]{1,15}")
LARGEST_SIZE = 10**9  # tokens; no window is larger


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a server and its model."""

    server: str = ""
    window: int = 0
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """One endpoint, asked small questions."""

    http: HttpClient
    spec: ModelSpec
    until: float  # on the monotonic clock; later than this nothing more is asked
    unanswered: list[str] = field(default_factory=list)  # paths that may have something to say

    def get(self, path: str) -> dict[str, Any]:
        return self._ask("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._ask("POST", path, msgspec.json.encode(body))

    def _ask(self, method: str, path: str, body: bytes | None) -> dict[str, Any]:
        """The object at a path; empty for a server that has no such thing."""
        left = self.until - time.monotonic()
        if left <= 0:
            self.unanswered.append(path)
            return {}
        try:
            status, answer = self.http.fetch(
                method,
                address_of(self.spec).own(path),
                body=body,
                headers={"Content-Type": "application/json", **headers_for(self.spec)},
                timeout=left,
            )
        except BrokerError:
            self.unanswered.append(path)
            return {}  # an extra; what it did answer still counts
        if status in BUSY:
            self.unanswered.append(path)
        said = _read(answer) if status == 200 else None
        return said if isinstance(said, dict) else {}


def llama_cpp(server: Server, facts: Facts) -> Facts | None:
    props = server.get("props")
    n_ctx = _dig(props, "default_generation_settings", "n_ctx") or _dig(props, "n_ctx")
    if "default_generation_settings" not in props:
        return None
    return Facts("llama.cpp", _size(n_ctx) or facts.window)


def vllm(server: Server, facts: Facts) -> Facts | None:
    version = server.get("version")
    if not facts.window or not isinstance(version.get("version"), str):
        return None
    return Facts("vLLM", facts.window)


def sglang(server: Server, facts: Facts) -> Facts | None:
    """The list names the model's length; the server may have been started with less."""
    info = server.get("get_server_info")
    if "max_total_num_tokens" not in info and "context_length" not in info:
        return None
    limits = [facts.window, _size(info.get("context_length")), _size(info.get("max_req_input_len"))]
    return Facts("SGLang", min([limit for limit in limits if limit], default=0))


def tgi(server: Server, _: Facts) -> Facts | None:
    info = server.get("info")
    window = _size(info.get("max_total_tokens")) or _size(info.get("max_input_tokens"))
    if "model_id" not in info or not window:
        return None
    return Facts("TGI", window)


def ollama(server: Server, _: Facts) -> Facts | None:
    """Its window is what the model is loaded with, not what the model could take.

    Too long a prompt is cut without a word there, so this must not be too large.
    """
    shown = server.post("api/show", {"model": server.spec.model})
    info = shown.get("model_info")
    if not isinstance(info, dict):
        return None
    trained = next((_size(v) for k, v in info.items() if k.endswith(".context_length")), 0)
    loaded = _loaded_in_ollama(server)
    window = loaded or _num_ctx(shown.get("parameters")) or min(trained or OLLAMA_DEFAULT, 4096)
    return Facts("Ollama", window)


def _loaded_in_ollama(server: Server) -> int:
    running = server.get("api/ps").get("models")
    for entry in running if isinstance(running, list) else ():
        if isinstance(entry, dict) and server.spec.model in (entry.get("name"), entry.get("model")):
            return _size(entry.get("context_length"))
    return 0


def _num_ctx(parameters: Any) -> int:
    """The Modelfile's own setting, out of lines like `num_ctx    8192`."""
    for line in parameters.splitlines() if isinstance(parameters, str) else ():
        name, _, value = line.strip().partition(" ")
        if name == "num_ctx" and _SIZE.fullmatch(value.strip()):
            return int(value)
    return 0


def koboldcpp(server: Server, facts: Facts) -> Facts | None:
    if server.get("api/extra/version").get("result") != "KoboldCpp":
        return None
    window = server.get("api/extra/true_max_context_length").get("value") or server.get(
        "api/v1/config/max_context_length"
    ).get("value")
    return Facts("KoboldCpp", _size(window) or facts.window)


def lm_studio(server: Server, facts: Facts) -> Facts | None:
    listed = server.get("api/v0/models").get("data")
    if not isinstance(listed, list):
        return None
    found = offer([entry for entry in listed if isinstance(entry, dict)], server.spec.model)
    return Facts("LM Studio", found.window or facts.window)


SERVERS: dict[str, Callable[[Server, Facts], Facts | None]] = {
    "llama.cpp": llama_cpp,
    "vllm": vllm,
    "ollama": ollama,
    "sglang": sglang,
    "koboldcpp": koboldcpp,
    "lm studio": lm_studio,
    "tgi": tgi,
}
# Who a server says owns its models, where that gives it away.
HINTS = {
    "llamacpp": "llama.cpp",
    "vllm": "vllm",
    "sglang": "sglang",
    "library": "ollama",
    "koboldcpp": "koboldcpp",
    "organization_owner": "lm studio",
}


@dataclass(frozen=True, slots=True)
class KnownHost:
    """A hosted service that does not need to be asked what it is."""

    name: str
    windows: Mapping[str, int] = field(default_factory=dict)  # by the beginning of the model id

    def window(self, model: str) -> int:
        starts = [start for start in self.windows if model.startswith(start)]
        return self.windows[max(starts, key=len)] if starts else 0


KNOWN_HOSTS = {
    "openrouter.ai": KnownHost("OpenRouter"),
    "api.openai.com": KnownHost(
        "OpenAI",
        {
            "gpt-5": 400_000,
            "gpt-4.1": 1_047_576,
            "gpt-4o": 128_000,
            "gpt-4-turbo": 128_000,
            "gpt-4": 8_192,
            "gpt-3.5-turbo": 16_385,
            "o1": 200_000,
            "o3": 200_000,
            "o4": 200_000,
        },
    ),
    "api.anthropic.com": KnownHost("Anthropic", {"claude-": 200_000}),
}


def listed_models(body: bytes) -> list[dict[str, Any]] | None:
    """The entries of a model list; some servers send the list itself. None: it is no list."""
    said = _read(body)
    listed = said.get("data", said.get("models")) if isinstance(said, dict) else said
    if not isinstance(listed, list):
        return [] if isinstance(said, dict) and "data" in said else None
    return [entry for entry in listed if isinstance(entry, dict)]


def offer(listed: list[dict[str, Any]], model: str) -> Facts:
    """What a list says of one model: its window, under any of its names, and its price."""
    entry = next((entry for entry in listed if entry.get("id") == model), None)
    if entry is None and len(listed) == 1:
        entry = listed[0]
    if entry is None:
        return Facts()
    windows = [_size(entry.get(key)) for key in WINDOW_KEYS]
    window = next((size for size in windows if size), 0)
    provider = _size(_dig(entry, "top_provider", "context_length"))
    if provider:
        window = min(window or provider, provider)
    return replace(Facts(), window=window, price=_price(entry.get("pricing")))


def _price(pricing: Any) -> Price | None:
    """OpenRouter's prices: dollars per token, as text."""
    if not isinstance(pricing, dict):
        return None
    try:
        prompt, output = float(pricing["prompt"]), float(pricing["completion"])
        read = float(pricing.get("input_cache_read") or prompt)
        write = float(pricing.get("input_cache_write") or prompt)
        output = max(output, float(pricing.get("internal_reasoning") or 0))
        fee = float(pricing.get("request") or 0)
    except (KeyError, TypeError, ValueError):
        return None
    # Its router of models says -1: it depends. A dollar for a token is nobody's price, nor is NaN.
    if not all(0 <= price < 1 for price in (prompt, output, read, write, fee)):
        return None
    return Price.per_million(prompt * 1e6, output * 1e6, read * 1e6, write * 1e6, fee)


def _read(body: bytes) -> Any:
    try:
        return decoded(body)
    except UNREADABLE:
        return None


def _dig(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _size(value: Any) -> int:
    """A number of tokens; some servers write it as a text, or with a point."""
    if isinstance(value, str) and _SIZE.fullmatch(value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 < value <= LARGEST_SIZE else 0
