"""Servers that want to know who asks: a login in the browser, kept for the next time."""

from __future__ import annotations

import json
import stat
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import support
from aish.core.tools import Tool
from aish.core.user import Nobody
from aish.store.logins import LoginFile
from aish.tools.server import ServerSettings
from aish.tools.servers import ToolServers
from support.serving import free_port, served

PROGRAM = str(Path(support.__file__).with_name("mcp_login_server.py"))
PATIENCE = 120.0
PAGE = "open this in a browser to log in: "


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Browser(Nobody):
    """Opens whatever address it is shown, as the user would."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def tell(self, text: str) -> None:
        self.heard.append(text)
        if text.startswith(PAGE):
            threading.Thread(target=self._open, args=(text.removeprefix(PAGE),)).start()

    def _open(self, address: str) -> None:
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            self.heard.append(page.read().decode())


def test_a_login_is_asked_for_made_and_kept(tmp_path: Path) -> None:
    port, file, browser = free_port(), tmp_path / "logins.json", Browser()
    url = f"http://127.0.0.1:{port}/mcp"
    with served(sys.executable, PROGRAM, str(port), port=port):
        servers = ToolServers(browser, LoginFile(file))
        servers.connect(ServerSettings("private", url=url, timeout=PATIENCE))
        servers.wait(PATIENCE)
        wants = "it wants a login: `:mcp login private`"
        until(lambda: servers.servers()[0].error == wants)  # a busy machine: it is tried again
        assert browser.heard == []  # nothing is opened by itself
        assert not file.exists()
        assert servers.login("private")
        until(lambda: servers.servers()[0].state == "ready")
        treasure = servers.call_all([(Tool("private", "secret"), {})])[0]
        assert "garden" in treasure.text
        assert "You can close this page" in browser.heard[-1]
        servers.close()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        kept = json.loads(file.read_text())[url]
        assert kept["tokens"]["access_token"].startswith("access-")

        later = ToolServers(browser, LoginFile(file))  # another aish, another day
        later.connect(ServerSettings("private", url=url, timeout=PATIENCE))
        later.wait(PATIENCE)
        assert later.servers()[0].state == "ready"
        assert not later.login("private")
        later.logout("private")
        until(lambda: later.servers()[0].state == "failed")
        assert json.loads(file.read_text()) == {}
        later.close()


def test_a_token_of_the_configuration_needs_no_login(tmp_path: Path) -> None:
    port, browser = free_port(), Browser()
    with served(sys.executable, PROGRAM, str(port), port=port):
        servers = ToolServers(browser, LoginFile(tmp_path / "logins.json"))
        headers = {"Authorization": "Bearer wrong"}
        url = f"http://127.0.0.1:{port}/mcp"
        servers.connect(ServerSettings("private", url=url, headers=headers, timeout=PATIENCE))
        servers.wait(PATIENCE)
        assert servers.servers()[0].state == "failed"
        assert not servers.login("private")
        servers.close()
