"""The tools of a session: nothing is loaded without a server, and one that is wrong stops none."""

from __future__ import annotations

from aish.core.errors import ConfigError, UsageError
from aish.tools.server import ServerSettings
from aish.tools.servers import ToolServers
from aish.tools.toolbox import Toolbox
from aish.tools.toolset import MOST_NOTICES, ToldLater, Toolset
from support.tools import MemoryDefinitions, MemoryLogins
from support.users import ScriptedUser


class Chosen:
    """Servers that cannot be started, but for the one that is named `good`."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def names(self) -> list[str]:
        return list(self._names)

    def settings(self, name: str) -> ServerSettings:
        if name != "good":
            raise ConfigError("has neither a command nor a url", key=f"mcp.servers.{name}")
        return ServerSettings(name, ("true",))

    def settings_for(self, name: str, address: str) -> ServerSettings:
        raise UsageError(f"{address} is not contacted")


class Nobody:
    def allows(self, request: object) -> bool:
        del request
        return False


def _toolset(user: ScriptedUser, *names: str) -> Toolset:
    def toolbox(servers: ToolServers) -> Toolbox:
        return Toolbox(servers, MemoryDefinitions(), Nobody())

    return Toolset(Chosen(*names), MemoryLogins(), toolbox, user)


def test_without_a_server_nothing_is_offered_and_nothing_is_made() -> None:
    tools = _toolset(ScriptedUser())
    assert tools.offered() is None
    assert tools.resource("files:demo://hello") is None
    assert "servers" not in vars(tools)
    tools.close()


def test_a_server_with_wrong_settings_is_told_once_and_the_others_go_on() -> None:
    user = ScriptedUser()
    tools = _toolset(user, "bad", "good")
    try:
        tools.connect()
        tools.connect()
        assert user.told == ["bad: mcp.servers.bad: has neither a command nor a url"]
        assert tools.servers.names() == ["good"]
    finally:
        tools.close()


def test_what_servers_say_waits_until_nobody_types_and_only_the_newest_is_told() -> None:
    user = ScriptedUser()
    later = ToldLater(user)
    for number in range(MOST_NOTICES + 2):
        later.tell(f"word {number}")
    assert user.told == []
    later.now()
    later.now()
    assert user.told == [f"word {number}" for number in range(2, MOST_NOTICES + 2)]
