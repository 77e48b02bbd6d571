"""What programs do: rules by name, looked up for each call."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cache

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.paths import BINARIES, canonical
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream

Rule = Callable[[ProgramCall], Stream]

_HELP = frozenset(("--help", "--version", "-help", "--usage", "--help-all"))
_HELP_WORD = re.compile(r"-{0,2}[A-Za-z0-9][\w:.+-]*\Z")
# Programs for which `-h` or `-V` alone is not a question.
_NO_SHORT_HELP = frozenset(["shutdown", "halt", "poweroff", "reboot", "init", "sudo", "su"])
_PROJECT_PROGRAMS = re.compile(
    r"(^|/)(\.venv|venv|\.tox/[^/]+|node_modules|vendor)/(\.?bin)/[\w.-]+\Z"
)
_PROJECT_SCRIPTS = {"./gradlew": "gradle", "./mvnw": "mvn", "./configure": "configure"}


def run(call: ProgramCall) -> Stream:
    """Follow one program; every command of every kind ends here."""
    first = call.words[0]
    if not first.text:
        return UNSEEN
    if not first.known or (first.glob and first.text != "[") or first.many:
        call.destructive(
            "runs-unknown-code", "runs a program whose name is only known when it runs"
        )
        return UNSEEN
    name = first.text
    if name in call.scope.aliases and name not in call.scope.calls:
        return _alias(call, name)
    if name in call.scope.functions:
        return call.reader.call_function(name, call.args, call.scope, call.stdin)
    if "/" in name:
        known = _by_path(call, name)
        if not known:
            return UNSEEN
        call.words = [Field(known), *call.args]
    if _asks_for_help(call):
        return UNSEEN
    from aish.core.safety.programs.generic import BOUNDED, by_table

    before = len(call.reader.effects)
    made = rules().get(call.program, by_table)(call)
    _in_place(call, before)
    unending = call.stdin.endless and call.stdin.origin and not made.endless
    if unending and call.program not in _ENDS_EARLY and call.program not in BOUNDED:
        call.destructive("resource", "reads without end, until the memory or the disk is full")
    return made


def _in_place(call: ProgramCall, before: int) -> None:
    """A file that is written and named as input too: what it held is lost, wherever it is."""
    fresh = [e.path for e in call.reader.effects[before:] if e.kind == "writes" and e.path]
    if not fresh:
        return
    home = call.reader.situation.home
    named = [text.rpartition("=")[2] for text in call.texts if text]
    paths = [canonical(text, call.scope.cwd, home) for text in named if UNKNOWN not in text]
    for path in fresh:
        if paths.count(path) > 1:
            call.destructive(
                "writes", f"replaces {writing.name(call.reader, path)} by what it makes of it", path
            )


def _alias(call: ProgramCall, name: str) -> Stream:
    text = call.scope.aliases[name]
    from aish.core.safety.quoting import quoted

    rest = " ".join(quoted(word.text) for word in call.args)
    scope = call.scope.copy()
    scope.calls = (*scope.calls, name)
    return call.reader.run_text(f"{text} {rest}", scope, call.stdin)


def _by_path(call: ProgramCall, name: str) -> str:
    """The plain name of a program given by its path; empty where it is an unknown file."""
    path = canonical(name, call.scope.cwd, call.reader.situation.home)
    if posixpath.dirname(path) in BINARIES or _PROJECT_PROGRAMS.search(name):
        return posixpath.basename(path)
    if name in _PROJECT_SCRIPTS:
        return _PROJECT_SCRIPTS[name]
    if posixpath.basename(path).startswith(("ld-linux", "ld.so", "ld-musl")):
        return "ld.so"
    if path.startswith("/etc/init.d/"):
        call.destructive("service", f"controls the service {posixpath.basename(path)}")
    elif path in call.scope.files and call.scope.files[path].known():
        call.run_text(call.scope.files[path].text or "")
        call.unsure("runs-unknown-code", "runs a file that this command has just written")
    else:
        call.unsure("runs-unknown-code", f"runs the file {name}, which aish has not read", path)
    return ""


def _asks_for_help(call: ProgramCall) -> bool:
    texts = call.texts
    if call.program in _WRAPPERS or not texts:
        return False
    if texts in (["-h"], ["-V"], ["-v"], ["-?"]) and call.program not in _NO_SHORT_HELP:
        return call.program not in rules() or call.program in _QUIET_VERSION
    if call.program in _BUILTINS:
        return texts[0] == "--help"
    asked = any(text in _HELP and (text != "--version" or text == texts[-1]) for text in texts)
    asked = asked or (texts[-1] == "help" and len(texts) > 1)
    if texts[0] == "help" and call.program in _SUBCOMMANDS:
        asked = True
    return asked and "--" not in texts and all(_HELP_WORD.match(text) for text in texts)


_WRAPPERS = frozenset(
    (
        "sudo doas env xargs find nice nohup timeout time ssh sh bash zsh dash ksh fish python "
        "python3 perl ruby node php lua eval exec command builtin watch parallel busybox toybox "
        "script flock setsid su echo printf awk gawk sed npx bunx pnpx uvx pipx deno"
    ).split()
)
# The shell's own commands tell about themselves only when that is their first word.
_BUILTINS = frozenset(
    "kill source . history unset alias cd fc ulimit umask trap set export".split()
)
_QUIET_VERSION = frozenset(
    ("python python3 node perl ruby php ssh java rm dd tar git rsync tmux mkfs.ext4").split()
)
_SUBCOMMANDS = frozenset(
    ("git npm cargo go gcloud docker kubectl helm terraform aws gh pip brew apt").split()
)

# Programs that stop reading by themselves, or read nothing at all.
_ENDS_EARLY = frozenset(
    (
        "dd sed awk gawk mawk grep rg read mapfile true false : echo printf less more timeout "
        "sudo env nice time sh bash ssh-keygen test [ pwd date sleep xargs"
    ).split()
)


@cache
def rules() -> dict[str, Rule]:
    """Every program with a rule of its own, by name."""
    from aish.core.safety.programs import (
        builtin,
        databases,
        files,
        git,
        interpreters,
        network,
        system,
        tools,
        wrappers,
    )  # fmt: skip

    modules = (builtin, databases, files, git, interpreters, network, system, tools, wrappers)
    return {name: rule for module in modules for name, rule in module.RULES.items()}
