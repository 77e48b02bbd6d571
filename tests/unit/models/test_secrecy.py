"""What a session knows to be secret before anything was said, and from whom it is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.config.schema import Config, McpConfig, McpServerConfig, ModelConfig
from aish.core.messages import ModelSpec
from aish.models.secrecy import Secrecy
from aish.store.logins import LoginFile

KEYED = Config(models={"far": ModelConfig("https://models.example", api_key_env="FAR_KEY")})


def test_a_value_of_the_vault_is_known_beside_a_key_of_the_same_name(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.write_text("FAR_KEY = an-older-elephant\npw = one-elephant\npw = another-elephant\n")
    vault.chmod(0o600)
    secrecy = Secrecy(KEYED, vault, {"FAR_KEY": "the-new-elephant"})
    said = "an-older-elephant, one-elephant, another-elephant, the-new-elephant"
    assert secrecy.without_secrets(said) == "[secret], [secret], [secret], [secret]"


@pytest.mark.parametrize(
    "server",
    [
        McpServerConfig(url="https://tools.example", token_env="TOKEN"),
        McpServerConfig(url="https://tools.example", headers={"X-Api-Key": "$TOKEN"}),
        McpServerConfig(url="https://tools.example", headers={"Cookie": "Bearer blue-elephant"}),
        McpServerConfig(command=["tools"], env={"GH_TOKEN": "${TOKEN}", "HOME": "$HOME"}),
        McpServerConfig(command=["tools"], env={"PASSWORD": "a blue-elephant 77"}),
    ],
)
def test_what_opens_a_server_of_tools_is_known(server: McpServerConfig, tmp_path: Path) -> None:
    config = Config(mcp=McpConfig(servers={"tools": server}))
    environ = {"TOKEN": "blue-elephant", "HOME": "/home/elephant"}
    secrecy = Secrecy(config, tmp_path / "vault", environ)
    told = secrecy.redactor.redact("/home/elephant with a blue-elephant 77", "vault")
    assert told.startswith("/home/elephant")
    assert "blue" not in told


def test_a_model_elsewhere_that_is_no_longer_configured_sees_no_secrets(tmp_path: Path) -> None:
    """The overlay it came from may have been left while its request was on the way."""
    secrecy = Secrecy(Config(), tmp_path / "vault", {})
    assert (
        secrecy.policy_of(ModelSpec("gone", "https://models.example", "m", 0, 0))
        == "vault+autodetect"
    )
    assert secrecy.policy_of(ModelSpec("local", "http://127.0.0.1:8080", "m", 0, 0)) == "off"


@pytest.mark.parametrize(
    "server",
    [
        McpServerConfig(url="https://tools.example/mcp?apiKey=red-panda-62"),
        McpServerConfig(url="https://me:red-panda-62@tools.example/mcp"),
        McpServerConfig(command=["tools", "--api-key", "red-panda-62"]),
        McpServerConfig(command=["tools", "--access-token=red-panda-62"]),
        McpServerConfig(command=["docker", "run", "-e", "SHOP_TOKEN=red-panda-62", "tools"]),
        McpServerConfig(command=["remote", "--header", "Authorization: Bearer red-panda-62"]),
        McpServerConfig(command=["remote", "https://tools.example/mcp?key=red-panda-62"]),
        McpServerConfig(command=["tools", "--key", "red-panda-62"]),
        McpServerConfig(command=["tools", "--shopApiKey=red-panda-62"]),
        McpServerConfig(command=["tools", "--authToken", "red-panda-62"]),
        McpServerConfig(command=["env", "DB_PASS=red-panda-62", "tools"]),
        McpServerConfig(command=["docker", "run", "--env=SHOP_TOKEN=red-panda-62", "tools"]),
        McpServerConfig(command=["docker", "run", "-eTOKEN=red-panda-62", "tools"]),
        McpServerConfig(command=["remote", "--header=Authorization: Bearer red-panda-62"]),
        McpServerConfig(command=["remote", "--url=https://tools.example/?key=red-panda-62"]),
        McpServerConfig(command=["tools", "postgresql://me:red-panda-62@db.example/shop"]),
        McpServerConfig(command=["tools", "redis://:red-panda-62@db.example:6379"]),
        McpServerConfig(command=["sh", "-c", "SHOP_TOKEN=red-panda-62 exec tools"]),
        McpServerConfig(command=["sh", "-c", "tools --token 'red-panda-62' 2>&1"]),
        McpServerConfig(command=["tools"], env={"AUTH_HEADER": "Bearer red-panda-62"}),
        McpServerConfig(command=["tools"], env={"DB_URL": "postgres://me:red-panda-62@db/shop"}),
    ],
)
def test_a_key_in_what_starts_a_server_of_tools_is_known(
    server: McpServerConfig, tmp_path: Path
) -> None:
    config = Config(mcp=McpConfig(servers={"shop": server}))
    secrecy = Secrecy(config, tmp_path / "vault", {})
    assert secrecy.forbids_keeping("the red-panda-62 song")
    assert secrecy.redactor.redact("a red-panda-62", "vault") == "a $AISH_SECRET_001"


def test_what_only_tells_of_a_key_is_none(tmp_path: Path) -> None:
    words = ["tools", "--token-limit", "40961", "--key-file", "/etc/tools", "--auth-type", "oauth2"]
    words += ["--token", "read", "--auth", "none", "--monkey", "banana-77", "-e", "DEBUG=trace-77"]
    words += ["ssh://builder-77@host.example", "https://host.example/path?key=value&page=two-77"]
    words += ["sh", "-c", "exec tools --token $SHOP_TOKEN --key"]
    config = Config(mcp=McpConfig(servers={"shop": McpServerConfig(command=words)}))
    told = " ".join(words)
    assert Secrecy(config, tmp_path / "vault", {}).redactor.redact(told, "vault") == told


def test_a_key_of_a_server_that_was_named_by_hand_is_known(tmp_path: Path) -> None:
    secrecy = Secrecy(Config(), tmp_path / "vault", {})
    secrecy.know_server(
        "tools --api-key correcthorse --header 'Authorization: Bearer bluewhale-9' "
        "https://me:redpanda-7@x.example/mcp"
    )
    said = secrecy.without_secrets("correcthorse, redpanda-7, bluewhale-9")
    assert said == "[secret], [secret], [secret]"


def test_the_tokens_of_a_login_are_known_as_soon_as_they_are_kept(tmp_path: Path) -> None:
    kept = tmp_path / "logins.json"
    secrecy = Secrecy(Config(), tmp_path / "vault", {}, kept)
    said = "red-panda-62, blue-whale-93, grey-goose-17"
    assert secrecy.redactor.redact(said, "vault") == said
    tokens = {"access_token": "red-panda-62", "refresh_token": "blue-whale-93"}
    client = {"client_id": "aish-client-5", "client_secret": "grey-goose-17"}
    LoginFile(kept).save("https://tools.example", {"tokens": tokens, "client": client})
    assert secrecy.without_secrets(said) == "[secret], [secret], [secret]"
    LoginFile(kept).save("https://tools.example", {})
    assert secrecy.without_secrets(said) == "[secret], [secret], [secret]"
    fresh = Secrecy(Config(), tmp_path / "vault", {}, kept)
    assert fresh.without_secrets("aish-client-5") == "aish-client-5"


@pytest.mark.parametrize(
    "text", ["[", "[1]", '{"a": 1}', '{"a": {"tokens": [{}], "b": {"c_token": 1}}}']
)
def test_a_file_of_logins_that_is_none_names_no_secrets(text: str, tmp_path: Path) -> None:
    kept = tmp_path / "logins.json"
    kept.write_text(text)
    assert Secrecy(Config(), tmp_path / "vault", {}, kept).without_secrets("tokens") == "tokens"
