"""Check what aish needs and say what to do about what is missing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Literal

from aish import __version__
from aish.app.parts import Parts
from aish.broker.error_text import one_line
from aish.config.places import data_dir, make_private, vault_file
from aish.config.schema import EMBEDDED, Config
from aish.config.vault import read_vault
from aish.core.errors import AishError, BrokerError, ConfigError, Rejected
from aish.core.values import dataclass
from aish.models.embedded import embedded_here
from aish.models.presets import Presets, shown_endpoint
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen
from aish.ui.style import DIM, GREEN, RED, YELLOW, harmless


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(options: Namespace) -> int:
    return doctor(as_json=options.json)


if TYPE_CHECKING:
    from concurrent.futures import Future

    from aish.broker.probe import Probe
    from aish.core.messages import ModelSpec

CheckLevel = Literal["ok", "warn", "fail"]
COLUMN = 18  # where the details stand
NARROW = 60  # a terminal with fewer columns has them below the names
MARKS = {"ok": ("✓", GREEN), "warn": ("!", YELLOW), "fail": ("✗", RED)}


@dataclass(frozen=True)
class ReportLine:
    """One line of the report."""

    name: str
    level: CheckLevel
    detail: str
    hint: str = ""


def doctor(*, as_json: bool = False) -> int:
    """Print the findings; 1 when something that aish needs fails."""
    screen = Screen.of_process()
    findings = []
    for finding in examine(screen):
        findings.append(finding)
        if not as_json:
            show(screen, finding)
    if as_json:
        import json

        screen.line(json.dumps([asdict(finding) for finding in findings]))
    return 1 if any(finding.level == "fail" for finding in findings) else 0


def examine(screen: Screen) -> Iterator[ReportLine]:
    """Look at everything, one finding after the other."""
    yield ReportLine("aish", "ok", f"{__version__} ({os.path.dirname(os.path.dirname(__file__))})")  # noqa: PTH120
    yield _python()
    yield _terminal()
    try:
        loaded = load_here(screen, os.environ.get("PWD", ""), lenient=True)
        state = "" if loaded.exists else " (not there: defaults in force)"
        if loaded.problems:
            count = f"{loaded.path}: {len(loaded.problems)} faults, the rest is in force"
            yield ReportLine("config", "fail", count, "`aish config check` names them")
        else:
            yield ReportLine("config", "ok", f"{loaded.path}{state}")
        config = loaded.config
    except ConfigError as error:
        yield ReportLine("config", "fail", error.message, error.hint or "`aish config example`")
        config = Config()
    yield _shell(config)
    yield _data()
    yield from _vault(config)
    presets = Parts(config, screen).presets
    probed = presets.probes()
    for name in presets.names():
        yield _embedded(config) if name == EMBEDDED else _endpoint(presets, name, probed[name])
    yield from _protection()


def _python() -> ReportLine:
    return ReportLine("python", "ok", f"{platform.python_version()} ({sys.executable})")


def _terminal() -> ReportLine:
    term = os.environ.get("TERM", "")
    encoding = (sys.stdout.encoding or "").lower()
    if not sys.stdout.isatty():
        return ReportLine("terminal", "ok", "none (output is redirected): plain text")
    size = os.get_terminal_size(sys.stdout.fileno())
    detail = f"{term or 'TERM is not set'}, {size.columns}×{size.lines}, {encoding}"
    if term in ("", "dumb"):
        return ReportLine("terminal", "warn", detail, "set TERM, as in TERM=xterm-256color")
    if "utf" not in encoding:
        return ReportLine("terminal", "warn", detail, "set a UTF-8 locale, as in LANG=C.UTF-8")
    return ReportLine("terminal", "ok", detail)


def _shell(config: Config) -> ReportLine:
    program = config.shell.program or "bash"
    found = shutil.which(program)
    if found is None:
        return ReportLine(
            "shell", "fail", f"{program} is not on PATH", "install bash, or set [shell] program"
        )
    try:
        answer = subprocess.run(
            [found, "-c", 'printf %s "${BASH_VERSION:-unknown}"'],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return ReportLine("shell", "fail", f"{found} does not run: {error}", "set [shell] program")
    return ReportLine("shell", "ok", f"{found} {answer}")


def _data() -> ReportLine:
    """Whether history and logs can be written."""
    folder = data_dir()
    try:
        make_private(folder)
        probe = folder / f".doctor-{os.getpid()}"
        probe.touch(0o600)
        probe.write_bytes(b"x")
        probe.unlink()
    except OSError as error:
        return ReportLine(
            "data", "fail", f"{folder}: {error.strerror}", "make it writable, or set XDG_DATA_HOME"
        )
    free = shutil.disk_usage(folder).free
    if free < 200e6:
        return ReportLine("data", "warn", f"{folder}: {free / 1e6:.0f} MB free", "free some space")
    return ReportLine("data", "ok", str(folder))


def _vault(config: Config) -> Iterator[ReportLine]:
    """The user's own secrets, where there are some: without them nothing goes to a model."""
    path = vault_file(config.secrets.vault)
    if not os.path.lexists(path):
        return
    try:
        count = len(read_vault(path))
    except ConfigError as error:
        hint = error.hint or "mend it, or move it away"
        yield ReportLine("vault", "fail", error.message, hint)
        return
    yield ReportLine("vault", "ok", f"{path}, {count} value{'s' * (count != 1)}")


def _endpoint(presets: Presets, name: str, probed: Future[tuple[ModelSpec, Probe]]) -> ReportLine:
    """What a server said; what it did not say is not claimed."""
    try:
        spec, found = probed.result()
    except AishError as error:
        return ReportLine(f"model {name}", "fail", error.message, error.hint)
    trouble, (window, learned) = found.error, presets.usable_window(spec)
    if trouble is not None and (not found.may_answer or _is_about_the_key(trouble)):
        return ReportLine(f"model {name}", "fail", trouble.message, trouble.hint)
    room = f"{window:,} tokens" if window else "window not known"
    room += " (as it said when it refused more)" if learned else ""
    counted = f"tokens counted: {found.counting}, " if found.counting else ""
    detail = f"{shown_endpoint(spec.endpoint)}, {spec.model}, {room}, {found.latency_ms:.0f} ms, "
    detail += f"{counted}{presets.price(spec)}"
    level, more, hint = _doubt(name, spec, found, window)
    return ReportLine(f"model {name}", level, detail + more, hint)


def _doubt(name: str, spec: ModelSpec, found: Probe, window: int) -> tuple[CheckLevel, str, str]:
    if found.error is not None:
        return "warn", f"; its list of models: {found.error.message}", "questions may work"
    if found.models and spec.model not in found.models and len(found.models) > 1:
        listed = f"it has: {', '.join(map(one_line, found.models[:6]))}"
        return "warn", "; the server does not list this model", listed
    if not window:
        return "warn", "", f"set window under [models.{name}]"
    return "ok", "", ""


def _is_about_the_key(error: BrokerError) -> bool:
    return isinstance(error, Rejected) and error.status == HTTPStatus.UNAUTHORIZED


def _embedded(config: Config) -> ReportLine:
    """Installed is enough: starting it for a look would cost the user memory."""
    level: CheckLevel = "fail" if config.model == EMBEDDED else "warn"
    embedded = embedded_here(config.local)
    try:
        path = embedded.model_file()
        running = embedded.supervisor.status()
    except AishError as error:
        return ReportLine("embedded model", level, error.message, error.hint)
    if not _importable("xllamacpp"):
        return ReportLine(
            "embedded model",
            level,
            "the server (xllamacpp) is not installed",
            "pip install 'aish-shell[local]'",
        )
    state = f"running, pid {running.pid}" if running else "starts with the first question"
    return ReportLine(
        "embedded model", "ok", f"{path.name}, {config.local.context:,} tokens, {state}"
    )


def _importable(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def _protection() -> Iterator[ReportLine]:
    from aish.sandbox.status import protection

    found = protection()
    hint = "trials need user namespaces and overlayfs (Linux 5.11)"
    yield ReportLine("trials", "ok" if found.trial else "warn", found.trial_text, hint)
    level: CheckLevel = "ok" if found.sandbox == "bwrap" else "warn"
    yield ReportLine("sandbox", level, found.sandbox_text, "install bubblewrap (the program bwrap)")


def show(screen: Screen, finding: ReportLine) -> None:
    mark, colour = MARKS[finding.level]
    shown = _in_rows(screen, f"{finding.name:<15} {finding.detail}", "  ")
    screen.line(f"{screen.paint(mark, colour)} {shown[2:]}")
    if finding.hint and finding.level != "ok":
        hint = _in_rows(screen, f"→ {finding.hint}", _indent(screen))
        screen.line(screen.paint(hint, DIM))


def _in_rows(screen: Screen, text: str, begin: str) -> str:
    """A text broken between words where a terminal is too narrow for it."""
    if not screen.terminal:
        return begin + text
    return textwrap.fill(
        harmless(text),
        max(20, screen.width - 1),
        initial_indent=begin,
        subsequent_indent=_indent(screen),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _indent(screen: Screen) -> str:
    return " " * (COLUMN if screen.width >= NARROW else 4)
