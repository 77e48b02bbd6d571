"""Meta commands: a decorated function is the command, its docstring the help and the completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.ui.face import Face

MetaAction = Callable[["Face", str], None]
Choices = Callable[["Face"], Iterable[str]]


@dataclass(frozen=True)
class MetaCommand:
    name: str
    action: MetaAction
    usage: str  # the argument, as shown in help
    choices: Choices | None
    alias_of: str = ""

    @property
    def topic(self) -> str:
        """What it is about: the module it is in, or the subject that one belongs to."""
        module = self.action.__module__.rpartition(".")[2]
        return _SUBJECTS.get(module, module)

    @property
    def summary(self) -> str:
        return (self.action.__doc__ or "").strip().splitlines()[0]

    @property
    def help(self) -> str:
        lines = (self.action.__doc__ or "").strip().splitlines()
        return "\n".join(line.strip() for line in lines)


_SUBJECTS = {
    "configuration": "general",
    "pins": "context",
    "route": "models",
    "trials": "safety",
}
_commands: dict[str, MetaCommand] = {}


def meta(
    name: str, usage: str = "", *, choices: Choices | None = None, aliases: tuple[str, ...] = ()
) -> Callable[[MetaAction], MetaAction]:
    """Make a function the command `:name`; its docstring's first line is the summary."""

    def register(action: MetaAction) -> MetaAction:
        _commands[name] = MetaCommand(name, action, usage, choices)
        for alias in aliases:
            _commands[alias] = MetaCommand(alias, action, usage, choices, alias_of=name)
        return action

    return register


def commands() -> Iterator[MetaCommand]:
    """Every command by name."""
    return iter(sorted(_commands.values(), key=lambda command: command.name))


def find(name: str) -> MetaCommand:
    """The command of this name.

    Raises: UsageError, naming the closest one.
    """
    if name in _commands:
        return _commands[name]
    from difflib import get_close_matches

    close = get_close_matches(name, _commands, 1)
    hint = f"did you mean :{close[0]}?" if close else "`:help` lists them"
    raise UsageError(f"there is no command :{name}", hint)


def run(face: Face, line: str) -> None:
    """Run a line such as `:model fast`.

    Raises: AishError.
    """
    name, _, argument = line.strip().removeprefix(":").partition(" ")
    command, argument = find(name), argument.strip()
    if argument and not command.usage:
        raise UsageError(f":{name} takes nothing after it", f"`:{name}` alone")
    command.action(face, argument)
