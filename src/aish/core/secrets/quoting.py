"""A value put back into an answer: in what may become a command nothing in it is syntax."""

from __future__ import annotations

import re
import shlex
from copy import copy

from aish.core.spoken import Fences, is_shell, may_hold_a_fence

_PROPOSAL = re.compile(r"CMD&?: ")
_ACT = re.compile(r"(?:CMD&?|DELEGATE): |[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?:```|~~~)")
_IN_DOUBLE = re.compile(r'([\\"$`])')
_PLAIN = re.compile(r"[A-Za-z0-9_@%+:,./-]+={0,2}")  # means itself wherever it stands in a command
# What stands in a command, by the quotes around it: something whole, the beginning of a place with
# rules of its own, a backslash at the end, a quote.
_INNER = r"\$\{\w+\}|\$\([^()'\"`\\$]*\)"
_COMMENT = r"(?<![^\s;&|(])\#"
_TOKENS = {
    "": re.compile(
        rf"(?P<whole>\\.|{_INNER}|\$'(?:[^'\\]|\\.)*'|<<<|{_COMMENT}[^\n]*\n)"
        rf"|(?P<beyond>\$'|<<|\(\(|\$\{{|{_COMMENT})|(?P<end>\\\Z)|(?P<quote>['\"`])|.",
        re.DOTALL,
    ),
    '"': re.compile(
        rf"(?P<whole>\\.|{_INNER})|(?P<beyond>`|\$\(|\$\{{)|(?P<end>\\\Z)|(?P<quote>\")|.",
        re.DOTALL,
    ),
    "'": re.compile(r"(?P<quote>')|[^']+"),
}
_NAME = re.compile(r"[\w./-]+")
LONGEST = 8192  # characters of a command that are read
# Programs that read their arguments as code once more, and options whose argument is code.
_READS_CODE = frozenset(
    "eval ssh rsh mosh su watch trap alias xargs parallel awk gawk mawk nawk sed php tmux screen "
    "let [[ unset read mapfile readarray declare typeset".split()
)
_CODE_OPTION = r"-\w*[ceE]|--(?:[\w-]+-)?(?:command|eval|exec|execute|expression|action|program)"
_CODE_FOLLOWS = re.compile(_CODE_OPTION)
_CODE_BEGINS = re.compile(rf"-\w*[ceE]|(?:{_CODE_OPTION})=.*")
_SHELLS = frozenset("sh bash dash zsh ksh fish ash python python3 perl ruby node".split())
_READS_INPUT = _SHELLS | {".", "source", "make", "at", "batch", "crontab"}
_ENDS_COMMAND = re.compile(r"[;&|()`\n]")
# What prints its words or keeps them in a variable, and what runs that: `echo "…" | sh`.
_HANDS_ON = frozenset("echo printf print set for export readonly local".split())
_KEEPS = re.compile(r"\w+\+?=.*")
_RUNS = re.compile(
    r"(?<![\w.-])(?:(?:ba|da|z|k|fi|a)?sh|eval|source|ssh|rsh|mosh|crontab)(?![\w.-])"
    r"|(?:^|[;&|({!\n]|\b(?:then|do|else))[ \t]*\.[ \t]"
    r"|\b(?:python\d?|perl|ruby|node|php)[ \t]*-?[ \t]*(?:\Z|[;&|)<\n])"
)
_OPENS = re.compile(r"[({`]|\b(?:do|then|else)\b")


class Answer:
    """An answer as far as it was given out, and how a value may stand at its end."""

    def __init__(self) -> None:
        self._line = ""
        self._fences = Fences()
        self._block: list[str] = []  # the lines of a code block that is open
        self._handing: bool | None = None  # whether the command so far hands on its last word

    def take(self, text: str) -> None:
        """What is given out next."""
        self._handing = None if text else self._handing
        first, line_end, others = text.partition("\n")
        if line_end and not self._fences.open and not may_hold_a_fence(others):
            self._end_line((self._line + first).removesuffix("\r"))
            self._line, text = "", others
            if not self._fences.open:  # the lines between say nothing
                text = others[others.rfind("\n") + 1 :]
        *ended, last = text.split("\n")
        for part in ended:
            self._end_line((self._line + part).removesuffix("\r"))
            self._line = ""
        if len(self._line) <= LONGEST:  # of a longer one the beginning says enough
            self._line += last

    def waits(self, value: str, rest: str) -> bool:
        """Whether how the value may stand here depends on what follows after `rest`."""
        if self._handing is None:
            command = self._command()
            self._handing = command is not None and _hands_on(_place(command)[1])
        if not self._handing or _PLAIN.fullmatch(value):
            return False
        within, ended = self._within(rest)
        return not ended and len(within) <= LONGEST

    def fitting(self, value: str, placeholder: str, rest: str = "") -> str:
        """The value as it may stand here, before `rest`.

        The placeholder, where it cannot without acting.
        """
        if _acts(self._line, value):
            return placeholder
        command = self._command()
        if command is None:
            return value
        return in_command(value, placeholder, command, self._within(rest)[0])

    def _within(self, rest: str) -> tuple[str, bool]:
        """What of it belongs to the command, and whether that ends there.

        A proposal ends with its line, the code of a block with the block.
        """
        if not self._fences.open:
            line, ended, _ = rest.partition("\n")
            return line, bool(ended)
        fences, at = copy(self._fences), 0
        while (end := rest.find("\n", at)) >= 0:
            if at and fences.passes(rest[at:end].removesuffix("\r")):
                return rest[:at], True
            at = end + 1
        return rest, False

    def _end_line(self, line: str) -> None:
        if self._fences.passes(line):
            self._block = []
        elif self._fences.open:
            self._block.append(line[: LONGEST + 1])

    def _command(self) -> str | None:
        """The command so far: of a proposal, or of the shell code that the answer shows."""
        if self._fences.open:
            if not is_shell(self._fences.info):
                return None
            typed = [line[2:] for line in (*self._block, self._line) if line.startswith("$ ")]
            return "\n".join(typed or (*self._block, self._line))
        proposal = _PROPOSAL.match(self._line)
        return self._line[proposal.end() :] if proposal else None


def _acts(line: str, value: str) -> bool:
    """Whether a value here would begin a proposal, a delegation or a code block."""
    first, *more = re.split(r"[\r\n]", value)
    begins = len(line) < 80 and bool(_ACT.match(line + first)) and not _ACT.match(line)
    return begins or any(map(_ACT.match, more))


def in_command(value: str, placeholder: str, command: str, rest: str = "") -> str:
    """The value as a part of this command, which goes on with it and then with the rest.

    A value of several lines cannot stand in a command: the placeholder stays. So it does where the
    rules are others than of words and quotes, and in code that is read once more (`sh -c "…"`,
    `echo "…" | sh`), unless there is nothing special in the value.
    """
    if not value.isprintable():
        return placeholder
    place, bare = _place(command)
    if _PLAIN.fullmatch(value) and place != '"\\':
        return value
    if _is_code(bare) or (_hands_on(bare) and _is_run(bare, rest)):
        return placeholder
    return _quoted_at(place, value) or placeholder


def _is_code(bare: str) -> bool:
    """Whether the word at the end of a command is code to what it starts."""
    command = _ENDS_COMMAND.split(bare)[-1]
    *before, word = (part for part in re.split(r"[ \t]+", command) if part != "--")
    reads = _READS_CODE | _READS_INPUT if "<<<" in command else _READS_CODE
    if not reads.isdisjoint(name.rpartition("/")[2] for name in before):
        return True
    follows = before and _CODE_FOLLOWS.fullmatch(before[-1])
    subscript = word.count("[") > word.count("]")
    return bool(follows or subscript or _CODE_BEGINS.fullmatch(word))


def _hands_on(bare: str) -> bool:
    """Whether the word at the end of a command is printed or kept, for what comes after it."""
    command = _ENDS_COMMAND.split(bare)[-1]
    *before, word = re.split(r"[ \t]+", command.lstrip("{ \t"))
    if not _HANDS_ON.isdisjoint(before) or "<<<" in command:
        return True
    return all(map(_KEEPS.fullmatch, (*before, word)))


def _is_run(bare: str, rest: str) -> bool:
    """Whether something around the end of a command may run what is printed or kept there."""
    around = bare if _OPENS.search(bare) else ""
    return len(rest) > LONGEST or bool(_RUNS.search(rest) or _RUNS.search(around))


def _quoted_at(place: str, value: str) -> str:
    """The value with quotes for its place; "" where there are none."""
    match place:
        case "'":
            return value.replace("'", "'\\''")
        case '"':
            return _IN_DOUBLE.sub(r"\\\1", value)
        case "\\":
            return value[:1] + (shlex.quote(value[1:]) if value[1:] else "")
        case "" | "`" if not place or not {"`", "\\"} & set(value):
            return _quoted(value)
        case _:
            return ""


def _quoted(value: str) -> str:
    quoted = shlex.quote(value)
    return quoted if quoted != value else f"'{value}'"


def _place(command: str) -> tuple[str, str]:
    """Where the end of a command is: in ' or ", after a backslash, in backticks, or in no quotes.

    "?" where that cannot be told by reading words and quotes. And the command without what stands
    in quotes, unless that is only a name or an option.
    """
    quote, ticked, bare, at, began = "", "", "", 0, 0
    while at < len(command):
        found = _TOKENS[quote].match(command, at)
        if found is None or found.lastgroup == "beyond" or len(command) > LONGEST:
            return "?", bare
        at = found.end()
        if found.lastgroup == "end":
            return "?" if ticked else quote + "\\", bare
        if found["quote"] == "`":
            ticked = "" if ticked else "`"
        elif found["quote"]:
            if quote and (name := _NAME.fullmatch(command, began, found.start())):
                bare += name[0]
            quote, began = "" if quote else found["quote"], at
            continue
        bare += "" if quote else found[0].removeprefix("\\")
    return "?" if quote and ticked else quote or ticked, bare
