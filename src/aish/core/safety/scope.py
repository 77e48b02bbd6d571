"""What the shell knows while a command runs: variables, functions, aliases, the directory."""

from __future__ import annotations

from dataclasses import replace

from aish.core.safety.streams import UNKNOWN, Stream
from aish.core.shellsyntax.tree import Stmt
from aish.core.values import dataclass, field

NO_TAGS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Field:
    """A word after expansion; `UNKNOWN` stands in it for what is only known when it runs."""

    text: str
    glob: bool = False
    many: bool = False  # may become any number of words
    tags: frozenset[str] = NO_TAGS
    stream: Stream | None = None  # what a process substitution would give

    @property
    def known(self) -> bool:
        return UNKNOWN not in self.text


Value = str | list[str]


@dataclass(slots=True)
class Scope:
    """The state of one shell; a subshell gets a copy."""

    variables: dict[str, Value] = field(default_factory=dict)
    tags: dict[str, frozenset[str]] = field(default_factory=dict)
    functions: dict[str, Stmt] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    positional: list[Field] | None = None
    cwd: str = ""
    calls: tuple[str, ...] = ()  # the functions being run, innermost last
    files: dict[str, Stream] = field(default_factory=dict)  # what this command wrote itself
    descriptors: dict[str, Stream] = field(default_factory=dict)  # `exec 3<file`: what 3 reads

    def copy(self) -> Scope:
        return replace(
            self,
            variables=dict(self.variables),
            tags=dict(self.tags),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
            files=self.files,
            descriptors=dict(self.descriptors),
        )

    def forget_changes(self, before: dict[str, Value]) -> None:
        """After a branch that may not have run: what it changed is not known any more."""
        for name, value in self.variables.items():
            if before.get(name) != value:
                self.variables[name] = UNKNOWN
