"""The servers of tools: which there are, what they offer, and what may be called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aish.core.errors import ToolError, UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, DIM, GREEN, RED, YELLOW, escaped

if TYPE_CHECKING:
    from aish.core.tools import Tool
    from aish.ui.face import Face

WORDS = (
    "list",
    "tools",
    "connect",
    "disconnect",
    "login",
    "logout",
    "enable",
    "disable",
    "approve",
    "resources",
    "prompts",
)
PATIENCE = 10.0  # seconds a command that shows something waits for servers that are starting


@meta("mcp", "[list|tools|connect …|disconnect …|…]", choices=lambda _: WORDS)
def mcp(face: Face, argument: str) -> None:
    """Tools of other programs: servers, tools, and what may be called.

    list shows the servers; tools [WORD] what they offer, resources and prompts the rest.
    connect NAME URL and connect NAME COMMAND add a server, disconnect NAME takes one away;
    connect NAME brings one of the configuration back.
    login NAME shows an address for the browser, where a server wants one; logout forgets it.
    enable TOOL and disable TOOL say whether a tool is offered, in this session.
    approve TOOL accepts its definition as it is now, after a look at it.
    prompts SERVER NAME [KEY=VALUE …] puts a prompt of a server into the next line.
    """
    word, _, rest = argument.partition(" ")
    name, _, more = rest.strip().partition(" ")
    match word:
        case "" | "list":
            _list(face)
        case "tools":
            _tools(face, rest.strip())
        case "connect":
            _connect(face, name, more.strip())
        case "disconnect":
            face.tools().connect()  # what has not begun cannot be left out
            face.tools().servers.disconnect(_wanted(name, "disconnect NAME"))
            face.screen.notice(f"{name} is disconnected")
        case "login" | "logout":
            _log(face, _wanted(name, f"{word} NAME"), out=word == "logout")
        case "enable" | "disable":
            _ready(face)
            face.tools().toolbox.switch(_wanted(name, f"{word} TOOL"), on=word == "enable")
            face.screen.notice(f"{name} is {'offered' if word == 'enable' else 'not offered'}")
        case "approve":
            _approve(face, _wanted(name, "approve TOOL"))
        case "resources":
            _resources(face)
        case "prompts":
            _prompts(face, name, more)
        case _:
            raise UsageError(f":mcp {word} means nothing", ":mcp " + ", ".join(WORDS))


def _wanted(name: str, usage: str) -> str:
    if not name:
        raise UsageError("a name is missing", f":mcp {usage}")
    return name


def _ready(face: Face) -> bool:
    """Whether there are any servers; waits for those that are starting."""
    tools = face.tools()
    tools.connect()
    if not tools.servers.names():
        face.screen.notice("no servers; `:mcp connect NAME COMMAND`, or [mcp.servers.NAME]")
        return False
    tools.wait(PATIENCE)
    tools.tell()
    return True


def _list(face: Face) -> None:
    if not _ready(face):
        return
    screen = face.screen
    for server in face.tools().servers.servers():
        colour = {"ready": GREEN, "failed": RED}.get(server.state, YELLOW)
        offers = f"{len(server.tools)} tools"
        offers += f", {len(server.resources)} resources" if server.resources else ""
        offers += f", {len(server.prompts)} prompts" if server.prompts else ""
        said = offers if server.state == "ready" else escaped(server.error)
        name = screen.paint(f"{server.settings.name:<12}", BOLD)
        screen.line(f"{name} {screen.paint(f'{server.state:<10}', colour)} {said}")
        screen.line(screen.paint(f"  {escaped(server.settings.address)}", DIM))
        if server.left_out:
            names = escaped(", ".join(server.left_out))
            screen.line(screen.paint(f"  left out, not valid: {names}", YELLOW))


def _tools(face: Face, word: str) -> None:
    if not _ready(face):
        return
    screen, box = face.screen, face.tools().toolbox
    for server in face.tools().servers.servers():
        if server.state != "ready":
            screen.notice(_standing(face, server.settings.name))
    for name, tool in _known(face):
        if word.lower() not in f"{name} {tool.description}".lower():
            continue
        standing = {"new": "new", "same": "accepted", "changed": "CHANGED"}[box.standing(tool)]
        mark = "off" if box.is_off(name) else standing
        screen.line(f"{screen.paint(name, BOLD)}  {screen.paint(mark, DIM)}")
        said = escaped(" ".join(tool.description.split()))
        screen.line(screen.paint(f"  {said}"[: screen.width - 1], DIM))


def _known(face: Face) -> Iterator[tuple[str, Tool]]:
    """Every tool of every server, also those that are switched off."""
    from aish.core.tools import model_names

    yield from model_names(face.tools().servers.tools()).items()


def _connect(face: Face, name: str, address: str) -> None:
    _wanted(name, "connect NAME COMMAND|URL")
    from aish.core.tools import is_server_name

    if not is_server_name(name):
        raise UsageError(f"{name} is no name", "letters, digits, - and single _ between them")
    face.models.secrecy.know_server(address)
    tools = face.tools()
    tools.connect_to(name, address)
    face.screen.notice(f"connecting {name}")
    tools.wait(PATIENCE, name)
    face.screen.notice(_standing(face, name))


def _log(face: Face, name: str, *, out: bool) -> None:
    """Log in to a server, or out; the address for the browser comes as a notice."""
    tools = face.tools()
    _ready(face)
    if out:
        tools.servers.logout(name)
        face.screen.notice(f"the login of {name} is forgotten")
    elif not tools.servers.login(name):
        face.screen.notice(f"{name} wants no login")
    else:
        while not tools.servers.settled(name):
            tools.tell()
        tools.tell()
        face.screen.notice(_standing(face, name))


def _standing(face: Face, name: str) -> str:
    server = next(one for one in face.tools().servers.servers() if one.settings.name == name)
    if server.state == "ready":
        return f"{name} is ready: {len(server.tools)} tools"
    why = server.error or "still starting"
    return f"{name}: {why}; it is tried again, `:mcp list` shows how it is"


def _approve(face: Face, name: str) -> None:
    """Show a definition, and accept exactly that one."""
    from aish.ui.tool_question import definition_changes

    if not _ready(face):
        return
    screen, box = face.screen, face.tools().toolbox
    tool = dict(_known(face)).get(name)
    if tool is None:
        raise ToolError(f"there is no tool {name}", "`:mcp tools` lists them")
    before = box.accepted(tool)
    lines = definition_changes(before, tool.definition) if before else tool.definition.splitlines()
    if before and not lines:
        screen.notice(f"{name} is accepted already")
        return
    for line in lines:
        screen.line(screen.paint(f"│ {escaped(line)}", DIM))
    answers = face.answers
    if answers is None or answers.choose("accept this definition? [y/N]", "yn") != "y":
        screen.notice("nothing is accepted")
        return
    if dict(_known(face)).get(name) != tool:
        raise ToolError(f"{name} has just changed again", f"`:mcp approve {name}` shows it")
    box.approve(name)
    screen.notice(f"{name} is accepted as it is now")


def _resources(face: Face) -> None:
    if not _ready(face):
        return
    screen = face.screen
    for server in face.tools().servers.servers():
        for resource in server.resources:
            screen.line(f"@{server.settings.name}:{escaped(str(resource.uri))}")
            about = escaped(resource.description or resource.name or "")
            screen.line(screen.paint(f"  {about}"[: screen.width - 1], DIM))


def _prompts(face: Face, server: str, rest: str) -> None:
    if not _ready(face):
        return
    screen, servers = face.screen, face.tools().servers
    if server and rest:
        name, *pairs = rest.split()
        given = dict(pair.partition("=")[::2] for pair in pairs)
        said = servers.prompt(server, name, given)
        face.draft = f"?{escaped(' '.join(said.split()))}"
        return
    for found in servers.servers():
        for prompt in found.prompts:
            keys = " ".join(f"{argument.name}=…" for argument in prompt.arguments or ())
            typed = escaped(f":mcp prompts {found.settings.name} {prompt.name} {keys}")
            screen.line(f"{typed.rstrip()}  {screen.paint(escaped(prompt.description or ''), DIM)}")
