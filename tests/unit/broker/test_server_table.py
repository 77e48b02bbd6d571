"""The servers of the guide, each asked as its preset says; the guide's table is what came of it.

python tests/unit/broker/test_server_table.py    writes the table into the guide
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from aish.broker.address import (
    address_of,
    headers_for,
    read_address,
    secrets_of,
    shown_address,
)
from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.config.load import load
from aish.config.schema import Config
from aish.core.messages import ModelSpec, Request
from aish.models.pricing import price_text, tariff_of
from aish.models.specs import spec_of
from support.scripted import scripted_server, stream

GUIDE = Path(__file__).parents[3] / "docs/guide/models.md"
TABLE = re.compile(r"(<!-- servers:[^\n]*-->\n).*?(<!-- end of servers -->)", re.DOTALL)
KEY = "a-key-of-the-tests-0123456789"


class AnyKey(dict[str, str]):
    """An environment in which every variable is set."""

    def get(self, name: str, default: object = "") -> str:
        return f"{KEY}-{name}"


def guide_config(folder: Path) -> Config:
    """The presets of the guide's example."""
    blocks = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (example,) = (block for block in blocks if "[models.azure]" in block)
    path = folder / "config.toml"
    path.write_text(example)
    return load(path).config


def table(config: Config) -> str:
    rows = [
        "| preset | chat completions at | signs in with | body | price |",
        "|---|---|---|---|---|",
    ]
    for name, preset in config.models.items():
        spec = spec_of(name, config, AnyKey())
        url = address_of(spec).api("chat/completions").replace(KEY, "…")
        signs = ", ".join(f"`{header}`" for header in headers_for(spec)) or "nothing"
        body = ", ".join(f"`{option}`" for option in preset.options)
        price = price_text(tariff_of(spec, preset, None))
        rows.append(f"| {name} | `{url}` | {signs} | {body} | {price} |")
    return "\n".join(rows) + "\n"


def test_the_table_of_the_guide_is_what_the_presets_do(tmp_path: Path) -> None:
    found = TABLE.search(GUIDE.read_text())
    assert found is not None
    written = found[0].removeprefix(found[1]).removesuffix(found[2])
    assert written == table(guide_config(tmp_path)), f"run python {__file__}"


AZURE = "https://a.openai.azure.com/openai/v1"
NAMES = [
    *("llamacpp", "ollama", "lmstudio", "vllm", "litellm", "openai", "azure", "gemini"),
    *("groq", "mistral", "deepseek", "openrouter", "gateway"),
]


@pytest.mark.parametrize("name", NAMES)
def test_every_server_of_the_guide_is_asked_as_its_preset_says(name: str, tmp_path: Path) -> None:
    config = guide_config(tmp_path)
    spec = spec_of(name, config, AnyKey())
    address = urlsplit(address_of(spec).api("chat/completions"))
    path = address.path + (f"?{address.query}" if address.query else "")
    with scripted_server() as server:
        server.answer(path, stream("hi"))
        parts = urlsplit(spec.endpoint)
        moved = spec.endpoint.replace(f"{parts.scheme}://{parts.netloc}", server.url)
        here = ModelSpec(
            name,
            moved,
            spec.model,
            4096,
            100,
            spec.api_key,
            options=spec.options,
            headers={**headers_for(spec)},
            query=spec.query,
        )
        request = Request(here, ({"role": "user", "content": "hello"},), 100)
        assert "".join(d.text for d in ChatClient(HttpClient({})).stream(request)) == "hi"
        (seen,) = server.seen
    assert seen.path == path
    for header, value in headers_for(spec).items():
        assert seen.headers[header.lower()] == value
    preset = config.models[name]
    assert {option: seen.json[option] for option in preset.options} == preset.options
    assert seen.json["model"] == preset.model


GROQ = "https://api.groq.com/openai"
GEMINI = "https://generativelanguage.googleapis.com"


@pytest.mark.parametrize(
    ("endpoint", "base", "root"),
    [
        ("http://h:1", "http://h:1/v1", "http://h:1"),
        ("http://h:1/", "http://h:1/v1", "http://h:1"),
        ("http://h:1/v1/", "http://h:1/v1", "http://h:1"),
        ("http://h:1/v1/chat/completions", "http://h:1/v1", "http://h:1"),
        ("http://h:1/v1/models", "http://h:1/v1", "http://h:1"),
        ("https://h/v1beta/openai/", "https://h/v1beta/openai", "https://h"),
        ("https://h/api/v3", "https://h/api/v3", "https://h/api"),
        (
            "https://h/compatible-mode/v1",
            "https://h/compatible-mode/v1",
            "https://h/compatible-mode",
        ),
        ("https://h/paas/v4/", "https://h/paas/v4", "https://h/paas"),
        ("https://h/inference/chat/completions", "https://h/inference", "https://h/inference"),
        ("https://h/llm", "https://h/llm/v1", "https://h/llm"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1", "http://[::1]:8080"),
        ("http://h:11434/api/chat", "http://h:11434/v1", "http://h:11434"),
        ("  https://h/v1 ", "https://h/v1", "https://h"),
        ("http://h:1//v1//", "http://h:1/v1", "http://h:1"),
        ("http://h:1/models", "http://h:1", "http://h:1"),
        ("http://h:1/v1/messages", "http://h:1/v1", "http://h:1"),
        ("http://h:1/v1/chat", "http://h:1/v1", "http://h:1"),
        ("http://h:1/v1/Chat/Completions/", "http://h:1/v1", "http://h:1"),
        ("https://a.openai.azure.com/", AZURE, "https://a.openai.azure.com/openai"),
        (
            "https://a.services.ai.azure.com/models",
            "https://a.services.ai.azure.com/models",
            "https://a.services.ai.azure.com/models",
        ),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1", "https://openrouter.ai/api"),
        *(
            (f"https://api.groq.com/{end}", f"{GROQ}/v1", GROQ)
            for end in ("", "v1", "openai", "openai/v1/", "v1/chat/completions")
        ),
        *(
            (f"https://generativelanguage.googleapis.com/{end}", f"{GEMINI}/v1beta/openai", GEMINI)
            for end in ("v1beta", "v1", "v1beta/models/gemini-2.5-flash:generateContent", "openai")
        ),
        ("https://openrouter.ai/v1", "https://openrouter.ai/api/v1", "https://openrouter.ai/api"),
        ("https://openrouter.ai/api", "https://openrouter.ai/api/v1", "https://openrouter.ai/api"),
        ("https://openrouter.ai/x/v1", "https://openrouter.ai/x/v1", "https://openrouter.ai/x"),
    ],
)
def test_an_endpoint_is_taken_as_people_paste_it(endpoint: str, base: str, root: str) -> None:
    found = read_address(endpoint)
    assert (found.api("x"), found.own("y")) == (f"{base}/x", f"{root}/y")


def test_a_login_in_an_endpoint_goes_into_a_header_and_onto_no_screen() -> None:
    spec = ModelSpec("m", "https://me:p%40ss@h/v1?key=abc", "x", 1, 1)
    assert headers_for(spec) == {"Authorization": "Basic bWU6cEBzcw=="}
    assert address_of(spec).api("models") == "https://h/v1/models?key=abc"
    assert shown_address(spec.endpoint) == "https://h/v1"


@pytest.mark.parametrize(
    "host", ["a.openai.azure.us", "a.openai.azure.cn", "a.services.ai.azure.com"]
)
def test_azure_signs_in_its_own_way_in_every_cloud(host: str) -> None:
    spec = ModelSpec("m", f"https://{host}/openai/v1", "x", 1, 1, KEY)
    assert headers_for(spec) == {"api-key": KEY}


def test_no_message_repeats_a_key_and_none_is_garbled_for_a_dummy() -> None:
    spec = ModelSpec("m", "https://me:pw@h/v1", "x", 1, 1, KEY)
    assert KEY in secrets_of(spec) and "pw" not in secrets_of(spec)
    for dummy in ("", "x", "-", "none", "EMPTY", "ollama", "lm-studio", "not needed"):
        assert not {dummy, quote_plus(dummy)} & {*secrets_of(replace(spec, api_key=dummy))}
        assert secrets_of(ModelSpec("m", "nowhere", "x", 1, 1, dummy)) == []


def test_a_login_may_be_a_password_alone() -> None:
    spec = ModelSpec("m", "https://:hunter2@h/v1", "x", 1, 1)
    assert headers_for(spec) == {"Authorization": "Basic Omh1bnRlcjI="}


def test_a_header_of_the_preset_replaces_ours_whatever_its_case() -> None:
    spec = ModelSpec("m", "https://h", "x", 1, 1, KEY, headers={"authorization": "Token t"})
    assert headers_for(spec) == {"authorization": "Token t"}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        text = TABLE.sub(
            lambda found: found[1] + table(guide_config(Path(folder))) + found[2], GUIDE.read_text()
        )
    GUIDE.write_text(text)
