"""One program with its arguments, and what a rule can ask and say about it."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from aish.core.safety.scope import Field, Scope
from aish.core.safety.streams import TERMINAL, Stream
from aish.core.safety.verdict import EffectKind, Level
from aish.core.values import dataclass, field

if TYPE_CHECKING:
    from aish.core.safety.reader import Reader


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it stands, with its value where it has one."""

    name: str
    value: Field | None
    position: int


@dataclass(slots=True)
class ProgramCall:
    """A program about to be run."""

    reader: Reader
    words: list[Field]
    scope: Scope
    stdin: Stream = TERMINAL
    options: list[Option] = field(default_factory=list)
    operands: list[Field] = field(default_factory=list)

    @property
    def program(self) -> str:
        return posixpath.basename(self.words[0].text)

    @property
    def args(self) -> list[Field]:
        return self.words[1:]

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.words[1:]]

    def flag(self, kind: EffectKind, level: Level, reason: str, path: str = "") -> None:
        self.reader.flag(kind, level, reason, path=path, program=self.program)

    def destructive(self, kind: EffectKind, reason: str, path: str = "") -> None:
        self.flag(kind, "destructive", reason, path)

    def unsure(self, kind: EffectKind, reason: str, path: str = "") -> None:
        self.flag(kind, "unknown", reason, path)

    def has(self, *names: str) -> bool:
        """Whether one of these options stands there; needs `parse` first."""
        return any(option.name in names for option in self.options)

    def value(self, *names: str) -> Field | None:
        """The value of the first of these options."""
        for option in self.options:
            if option.name in names and option.value is not None:
                return option.value
        return None

    def values(self, *names: str) -> list[Field]:
        return [o.value for o in self.options if o.name in names and o.value is not None]

    def parse(self, takes: str = "", *, first_operand_ends: bool = False) -> ProgramCall:
        """Tell options from operands; `takes` names the options that have a value.

        Single letters may stand together; an unknown letter has no value.
        """
        wants = frozenset(takes.split())
        self.options, self.operands = [], []
        args = self.args
        at = 0
        while at < len(args):
            arg = args[at]
            text = arg.text
            if text == "--":
                self.operands += args[at + 1 :]
                break
            if len(text) < 2 or text[0] != "-" or arg.stream is not None:
                self.operands.append(arg)
                at += 1
                if first_operand_ends:
                    self.operands += args[at:]
                    break
                continue
            at += self._option(arg, at, args, wants)
        return self

    def _option(self, arg: Field, at: int, args: list[Field], wants: frozenset[str]) -> int:
        text = arg.text
        following = args[at + 1] if at + 1 < len(args) else None
        name, equals, value = text.partition("=")
        if equals and (text.startswith("--") or name in wants):
            self.options.append(Option(name, Field(value, tags=arg.tags), at))
            return 1
        if text in wants:
            self.options.append(Option(text, following, at))
            return 2
        if text.startswith("--"):
            self.options.append(Option(text, None, at))
            return 1
        self.options.append(Option(text, None, at))
        return self._letters(arg, at, following, wants)

    def _letters(self, arg: Field, at: int, following: Field | None, wants: frozenset[str]) -> int:
        """`-rf`, `-ofile`, `-n 5`: letters that stand together."""
        letters = arg.text[1:]
        for place, letter in enumerate(letters):
            name = "-" + letter
            if name not in wants:
                self.options.append(Option(name, None, at))
                continue
            rest = letters[place + 1 :]
            if rest:
                self.options.append(Option(name, Field(rest, tags=arg.tags), at))
                return 1
            self.options.append(Option(name, following, at))
            return 2
        return 1

    def run(self, words: list[Field], stdin: Stream | None = None) -> Stream:
        """Follow a command that this program starts."""
        if not words:
            return Stream()
        return self.reader.run_words(words, self.scope, self.stdin if stdin is None else stdin)

    def run_text(self, text: str, stdin: Stream | None = None) -> Stream:
        """Follow a shell command that this program starts, given as text."""
        scope = self.scope.copy()
        return self.reader.run_text(text, scope, self.stdin if stdin is None else stdin)
