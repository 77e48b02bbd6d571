"""The tool servers that the configuration names, with what each is started with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aish.config.schema import seconds_of
from aish.config.variables import filled, variable
from aish.core.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from aish.config.schema import McpConfig
    from aish.core.located import Located
    from aish.tools.server import ServerSettings


class ConfiguredServers:
    """The servers of `[mcp.servers]`; their commands start in the working directory."""

    def __init__(self, config: McpConfig, place: Located) -> None:
        self._config = config
        self._place = place

    def names(self) -> list[str]:
        return list(self._config.servers)

    def auto_approve(self) -> list[str]:
        """What needs no question: whole servers, and single tools."""
        return [
            name if tool == "*" else f"{name}__{tool}"
            for name, chosen in self._config.servers.items()
            for tool in chosen.auto_approve
        ]

    def settings(self, name: str) -> ServerSettings:
        """Raises: ConfigError, UsageError."""
        from aish.tools.server import ServerSettings

        chosen, key = self._config.servers[name], f"mcp.servers.{name}"
        if not (chosen.command or chosen.url):
            raise ConfigError("has neither a command nor a url", key=key)
        if chosen.url:
            _check_reach(chosen.url)
        headers = filled(chosen.headers, os.environ, f"{key}.headers")
        if chosen.token_env:
            token = variable(chosen.token_env, os.environ, f"{key}.token_env")
            headers["Authorization"] = f"Bearer {token}"
        return ServerSettings(
            name,
            tuple(os.path.expanduser(word) for word in chosen.command),  # noqa: PTH111
            chosen.url,
            filled(chosen.env, os.environ, f"{key}.env"),
            headers,
            seconds_of(chosen.timeout_ms),
            directory=self._place.cwd,
        )

    def settings_for(self, name: str, address: str) -> ServerSettings:
        """Of an address or a command; without one those of the configuration.

        Raises: ConfigError, UsageError.
        """
        import shlex

        from aish.tools.server import ServerSettings

        if not address and name in self._config.servers:
            return self.settings(name)
        if address.startswith(("http://", "https://")):
            _check_reach(address)
            return ServerSettings(name, url=address)
        try:
            command = tuple(shlex.split(address))
        except ValueError as error:
            raise UsageError(f"the command cannot be read: {error}") from None
        if not command:
            example = ":mcp connect files npx -y @modelcontextprotocol/server-filesystem ."
            raise UsageError("an address or a command is missing", example)
        return ServerSettings(name, command, directory=self._place.cwd)


def _check_reach(url: str) -> None:
    """Raises: UsageError for an address beyond this machine where nothing there is contacted."""
    from aish.broker.http_client import OFFLINE, is_loopback

    if os.environ.get(OFFLINE) and not is_loopback(url):
        raise UsageError(f"{url} is not contacted: {OFFLINE} is set")
