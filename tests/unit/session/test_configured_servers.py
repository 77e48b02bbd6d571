"""Servers of the configuration and of `:mcp connect`: how each is started."""

import pytest

from aish.config.schema import McpConfig, McpServerConfig
from aish.core.errors import UsageError
from aish.core.located import At
from aish.session.configured_servers import ConfiguredServers


def servers() -> ConfiguredServers:
    known = McpServerConfig(command=["demo", "--all"], timeout_ms=5000)
    return ConfiguredServers(McpConfig(servers={"demo": known}), At("/work"))


def test_a_name_alone_is_the_server_of_the_configuration() -> None:
    assert servers().settings_for("demo", "") == servers().settings("demo")


def test_a_command_is_split_as_the_shell_would() -> None:
    settings = servers().settings_for("other", "sh -c 'echo a b'")
    assert settings.command == ("sh", "-c", "echo a b")
    assert settings.directory == "/work"


@pytest.mark.parametrize(("address", "why"), [("", "missing"), ("sh -c 'echo", "cannot be read")])
def test_what_starts_nothing_is_refused_in_words(address: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        servers().settings_for("other", address)
