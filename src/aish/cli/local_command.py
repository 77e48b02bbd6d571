"""The built-in models: fetch, choose and remove them, run the server, look at it, stop it."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from aish.config.load import load
from aish.config.places import cache_dir, config_file, data_dir
from aish.core.errors import ConfigError
from aish.models.embedded import embedded_here, runtime_dir
from aish.ui.progress import Bar
from aish.ui.screen import Screen

ACTIONS = ("install", "use", "remove", "list", "serve", "status", "stop")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("name", nargs="?", default="", help="tiny, small or good")
    parser.add_argument("--json", action="store_true", help="with status: as one JSON object")
    parser.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE",
        help="with install: a GGUF file you have",
    )
    parser.add_argument(
        "--background",
        action="store_true",
        help="with install: the smallest now, the one that fits behind the prompt",
    )


def run(options: Namespace) -> int:
    name = options.name
    actions: dict[str, Callable[[], int]] = {
        "install": lambda: (
            install_behind(name) if options.background else install(name, options.source)
        ),
        "use": lambda: use(name),
        "remove": lambda: remove(name),
        "list": show,
        "serve": serve,
        "status": lambda: status(as_json=options.json),
        "stop": stop,
    }
    return actions[options.action]()


def install(name: str = "", source: Path | None = None) -> int:
    """Fetch a model unless it is there; without a name the one that fits this machine.

    Raises: AishError.
    """
    from aish.local.catalogue import fitting, named, path_of, present, this_machine
    from aish.local.download import install as fetch

    screen = Screen.of_process()
    model = named(name) if name else fitting(this_machine(data_dir()))
    if model in present(data_dir()):
        screen.notice(f"{model.name} is installed: {path_of(data_dir(), model)}")
        return 0
    screen.notice(f"{model.title} ({model.size / 1e6:.0f} MB, {model.licence}, {model.origin})")
    started = time.monotonic()
    with Bar(screen) as bar:
        path = fetch(data_dir(), model, progress=bar, source=source)
    screen.notice(f"installed {path} in {time.monotonic() - started:.0f} s")
    return 0


def install_behind(name: str) -> int:
    """Something that answers now, and the better model while the user is at work.

    Raises: AishError.
    """
    from aish.local.background_download import begin
    from aish.local.catalogue import TINY, fitting, named, present, this_machine

    screen = Screen.of_process()
    with suppress(ConfigError):  # aish itself says what is wrong with it
        name = name or load(config_file()).config.local.model
    if not wanted(name, os.environ):
        screen.notice("no built-in model is fetched")
        return 0
    if not present(data_dir()):
        install(TINY.name)
    model = named(name) if name else fitting(this_machine(data_dir()))
    if model not in present(data_dir()):
        begin(data_dir(), model.name)
        screen.notice(
            f"{model.name} ({model.title}, {model.size / 1e6:.0f} MB, {model.licence}) is fetched "
            "behind the prompt; :models shows how far it is. To keep it away: "
            "aish config set local.model tiny"
        )
    return 0


def wanted(name: str, environ: Mapping[str, str]) -> bool:
    """Whether a built-in model is to be fetched: not offline, nor beside a file of the user's."""
    from aish.local.catalogue import MODELS

    return not environ.get("AISH_OFFLINE") and name in ("", *(model.name for model in MODELS))


def use(name: str) -> int:
    """Choose a model for good; `auto` leaves it to aish again.

    Raises: UsageError.
    """
    from aish.core.errors import UsageError
    from aish.local.catalogue import named, present, remember

    if not name:
        raise UsageError("which model?", "aish local use tiny|small|good|auto")
    if name == "auto":
        remember(data_dir(), "")
    elif named(name) not in present(data_dir()):
        raise UsageError(f"{name} is not installed", f"aish local install {name}")
    else:
        remember(data_dir(), name)
    Screen.of_process().notice(f"built-in model: {name}")
    return 0


def remove(name: str) -> int:
    """Delete a model's file, and what there is of one that was never whole.

    Raises: UsageError.
    """
    from aish.core.errors import UsageError
    from aish.local.catalogue import STAGING, named, path_of

    if not name:
        raise UsageError("which model?", "aish local remove tiny|small|good")
    model = named(name)
    path = path_of(data_dir(), model)
    partial = path.parent / STAGING
    found = [path, partial / f"{model.file}.joining", partial / f"{model.name}.json"]
    there = [file for file in found if file.exists()]
    for file in there:
        file.unlink()
    (partial / f"{model.name}.progress").unlink(missing_ok=True)
    Screen.of_process().notice(f"removed {name}" if there else f"{name} was not installed")
    return 0


def show() -> int:
    """Every built-in model: what it is, what it needs, and whether it is here."""
    from textwrap import fill

    from aish.local.background_download import arrival
    from aish.local.catalogue import MODELS, choose, fitting, present, this_machine

    screen = Screen.of_process()
    there, used = present(data_dir()), choose(data_dir())
    fits = fitting(this_machine(data_dir()))
    coming = arrival(data_dir())
    for model in MODELS:
        mark = "*" if model is used else " "
        state = "installed" if model in there else "not installed"
        if coming is not None and coming.name == model.name:
            state = coming.line
        elif model is fits and model not in there:
            state += ", fits this machine"
        about = f"{model.title}, {model.size / 1e6:.0f} MB, {model.licence}, {model.origin}"
        row = f"{mark} {model.name:<6} {state}; {about}"
        screen.line(fill(row, screen.width, subsequent_indent=" " * 9) if screen.terminal else row)
    return 0


def serve() -> int:
    """Run the model server in the foreground, until Ctrl-C.

    Raises: LocalModelError.
    """
    embedded = embedded_here(load(config_file()).config.local)
    command = embedded.supervisor.command(foreground=True)
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606  (becomes the server)


def status(*, as_json: bool = False) -> int:
    """What is installed and what runs."""
    from aish.local.catalogue import choose, path_of
    from aish.local.supervisor import running

    used = choose(data_dir())
    found = path_of(data_dir(), used) if used else None
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
