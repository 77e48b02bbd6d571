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
def mcp(session: Face, argument: str) -> None:
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
            _list(session)
        case "tools":
            _tools(session, rest.strip())
        case "connect":
            _connect(session, name, more.strip())
        case "disconnect":
            session.tools().connect()  # what has not begun cannot be left out
            session.tools().servers.disconnect(_wanted(name, "disconnect NAME"))
            session.screen.notice(f"{name} is disconnected")
        case "login" | "logout":
            _log(session, _wanted(name, f"{word} NAME"), out=word == "logout")
        case "enable" | "disable":
            _ready(session)
            session.tools().toolbox.switch(_wanted(name, f"{word} TOOL"), on=word == "enable")
            session.screen.notice(f"{name} is {'offered' if word == 'enable' else 'not offered'}")
        case "approve":
            _approve(session, _wanted(name, "approve TOOL"))
        case "resources":
            _resources(session)
        case "prompts":
            _prompts(session, name, more)
        case _:
            raise UsageError(f":mcp {word} means nothing", ":mcp " + ", ".join(WORDS))


def _wanted(name: str, usage: str) -> str:
    if not name:
        raise UsageError("a name is missing", f":mcp {usage}")
    return name


def _ready(session: Face) -> bool:
    """Whether there are any servers; waits for those that are starting."""
    tools = session.tools()
    tools.connect()
    if not tools.servers.names():
        session.screen.notice("no servers; `:mcp connect NAME COMMAND`, or [mcp.servers.NAME]")
        return False
    tools.wait(PATIENCE)
    tools.tell()
    return True


def _list(session: Face) -> None:
    if not _ready(session):
        return
    screen = session.screen
    for server in session.tools().servers.servers():
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


def _tools(session: Face, word: str) -> None:
    if not _ready(session):
        return
    screen, box = session.screen, session.tools().toolbox
    for server in session.tools().servers.servers():
        if server.state != "ready":
            screen.notice(_standing(session, server.settings.name))
    for name, tool in _known(session):
        if word.lower() not in f"{name} {tool.description}".lower():
            continue
        standing = {"new": "new", "same": "accepted", "changed": "CHANGED"}[box.standing(tool)]
        mark = "off" if box.is_off(name) else standing
        screen.line(f"{screen.paint(name, BOLD)}  {screen.paint(mark, DIM)}")
        said = escaped(" ".join(tool.description.split()))
        screen.line(screen.paint(f"  {said}"[: screen.width - 1], DIM))


def _known(session: Face) -> Iterator[tuple[str, Tool]]:
    """Every tool of every server, also those that are switched off."""
    from aish.core.tools import model_names

    yield from model_names(session.tools().servers.tools()).items()


def _connect(session: Face, name: str, address: str) -> None:
    _wanted(name, "connect NAME COMMAND|URL")
    from aish.core.tools import is_server_name

    if not is_server_name(name):
        raise UsageError(f"{name} is no name", "letters, digits, - and single _ between them")
    tools = session.tools()
    tools.connect_to(name, address)
    session.screen.notice(f"connecting {name}")
    tools.wait(PATIENCE, name)
    session.screen.notice(_standing(session, name))


def _log(session: Face, name: str, *, out: bool) -> None:
    """Log in to a server, or out; the address for the browser comes as a notice."""
    tools = session.tools()
    _ready(session)
    if out:
        tools.servers.logout(name)
        session.screen.notice(f"the login of {name} is forgotten")
    elif not tools.servers.login(name):
        session.screen.notice(f"{name} wants no login")
    else:
        while not tools.servers.settled(name):
            tools.tell()
        tools.tell()
        session.screen.notice(_standing(session, name))


def _standing(session: Face, name: str) -> str:
    server = next(one for one in session.tools().servers.servers() if one.settings.name == name)
    if server.state == "ready":
        return f"{name} is ready: {len(server.tools)} tools"
    why = server.error or "still starting"
    return f"{name}: {why}; it is tried again, `:mcp list` shows how it is"


def _approve(session: Face, name: str) -> None:
    """Show a definition, and accept exactly that one."""
    from aish.ui.tool_question import definition_changes

    if not _ready(session):
        return
    screen, box = session.screen, session.tools().toolbox
    tool = dict(_known(session)).get(name)
    if tool is None:
        raise ToolError(f"there is no tool {name}", "`:mcp tools` lists them")
    before = box.accepted(tool)
    lines = definition_changes(before, tool.definition) if before else tool.definition.splitlines()
    if before and not lines:
        screen.notice(f"{name} is accepted already")
        return
    for line in lines:
        screen.line(screen.paint(f"│ {escaped(line)}", DIM))
    answers = session.answers
    if answers is None or answers.choose("accept this definition? [y/N]", "yn") != "y":
        screen.notice("nothing is accepted")
        return
    if dict(_known(session)).get(name) != tool:
        raise ToolError(f"{name} has just changed again", f"`:mcp approve {name}` shows it")
    box.approve(name)
    screen.notice(f"{name} is accepted as it is now")


def _resources(session: Face) -> None:
    if not _ready(session):
        return
    screen = session.screen
    for server in session.tools().servers.servers():
        for resource in server.resources:
            screen.line(f"@{server.settings.name}:{escaped(str(resource.uri))}")
            about = escaped(resource.description or resource.name or "")
            screen.line(screen.paint(f"  {about}"[: screen.width - 1], DIM))


def _prompts(session: Face, server: str, rest: str) -> None:
    if not _ready(session):
        return
    screen, servers = session.screen, session.tools().servers
    if server and rest:
        name, *pairs = rest.split()
        given = dict(pair.partition("=")[::2] for pair in pairs)
        said = servers.prompt(server, name, given)
        session.draft = f"?{escaped(' '.join(said.split()))}"
        return
    for found in servers.servers():
        for prompt in found.prompts:
            keys = " ".join(f"{argument.name}=…" for argument in prompt.arguments or ())
            typed = f":mcp prompts {found.settings.name} {escaped(prompt.name)} {keys}"
            screen.line(f"{typed.rstrip()}  {screen.paint(escaped(prompt.description or ''), DIM)}")
