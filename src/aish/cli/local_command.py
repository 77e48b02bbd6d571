"""The embedded model: fetch it, run its server in the foreground, look at it, stop it."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace

from aish.app.parts import embedded_for
from aish.config.load import load
from aish.config.places import cache_dir, config_file, data_dir
from aish.models.embedded import runtime_dir
from aish.ui.progress import Bar
from aish.ui.screen import Screen


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("install", "serve", "status", "stop"))
    parser.add_argument("--json", action="store_true", help="with status: as one JSON object")


def run(options: Namespace) -> int:
    match options.action:
        case "install":
            return install()
        case "serve":
            return serve()
        case "status":
            return status(as_json=options.json)
        case _:
            return stop()


def install() -> int:
    """Fetch the model file unless it is there.

    Raises: LocalModelError.
    """
    from aish.local.weights import installed, provision

    screen = Screen.of_process()
    if found := installed(data_dir()):
        screen.notice(f"the embedded model is installed: {found}")
        return 0
    started = time.monotonic()
    with Bar(screen) as bar:
        path = provision(data_dir(), progress=bar)
    screen.notice(f"installed {path} in {time.monotonic() - started:.0f} s")
    return 0


def serve() -> int:
    """Run the model server in the foreground, until Ctrl-C.

    Raises: LocalModelError.
    """
    embedded = embedded_for(load(config_file()).config.local)
    command = embedded.supervisor.command(foreground=True)
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606  (becomes the server)


def status(*, as_json: bool = False) -> int:
    """What is installed and what runs."""
    from aish.local.supervisor import running
    from aish.local.weights import installed

    found = installed(data_dir())
    servers = running(runtime_dir(cache_dir()))
    if as_json:
        import json
        from dataclasses import asdict

        about = {
            "installed": str(found) if found else None,
            "servers": [asdict(server) for server in servers],
        }
        Screen.of_process().write(json.dumps(about) + "\n")
        return 0
    screen = Screen.of_process()
    screen.line(f"model file  {found or 'not installed (aish local install)'}")
    if not servers:
        screen.line("server      not running (it starts with the first question)")
    for server in servers:
        memory = f"{server.memory_bytes / 1e6:.0f} MB"
        state = f"{server.base_url}, {server.window:,} tokens" if server.base_url else "loading"
        screen.line(f"server      {state}, {memory}, pid {server.pid}")
    return 0


def stop() -> int:
    """End every model server of this user."""
    from aish.local.supervisor import stop_all

    count = stop_all(runtime_dir(cache_dir()))
    Screen.of_process().notice(f"stopped {count}" if count else "no model server was running")
    return 0
