"""A value put back into an answer: in what may become a command nothing in it is syntax."""

from __future__ import annotations

import re
import shlex

from aish.core.spoken import Fences, is_shell, may_hold_a_fence

_PROPOSAL = re.compile(r"CMD&?: ")
_ACT = re.compile(r"(?:CMD&?|DELEGATE): |[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?:```|~~~)")
_IN_DOUBLE = re.compile(r'([\\"$`])')
_PLAIN = re.compile(r"[A-Za-z0-9_@%+:,./-]+")  # means itself wherever it stands in a command
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
_LONGEST = 8192  # characters of a command that are read
# Programs that read their arguments as code once more, and options whose argument is code.
_READS_CODE = frozenset(
    "eval ssh rsh mosh su watch trap alias xargs parallel awk gawk mawk nawk sed php tmux screen".split()
)
_CODE_FOLLOWS = re.compile(r"-\w*[ceE]|--(?:command|eval|exec|execute|expression)")
_CODE_BEGINS = re.compile(r"-\w*[ceE]|--(?:command|eval|exec|execute|expression)=.*")
_SHELLS = frozenset("sh bash dash zsh ksh fish python python3 perl ruby node".split())
_ENDS_COMMAND = re.compile(r"[;&|()`\n]")


class Answer:
    """An answer as far as it was given out, and how a value may stand at its end."""

    def __init__(self) -> None:
        self._line = ""
        self._fences = Fences()
        self._block: list[str] = []  # the lines of a code block that is open

    def take(self, text: str) -> None:
        """What is given out next."""
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
        if len(self._line) <= _LONGEST:  # of a longer one the beginning says enough
            self._line += last

    def fitting(self, value: str, placeholder: str) -> str:
        """The value as it may stand here; the placeholder, where it cannot without acting."""
        if _acts(self._line, value):
            return placeholder
        command = self._command()
        return value if command is None else in_command(value, placeholder, command)

    def _end_line(self, line: str) -> None:
        if self._fences.passes(line):
            self._block = []
        elif self._fences.open:
            self._block.append(line[: _LONGEST + 1])

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


def in_command(value: str, placeholder: str, command: str) -> str:
    """The value as a part of this command, which goes on with it.

    A value of several lines cannot stand in a command: the placeholder stays. So it does where the
    rules are others than of words and quotes, and in code that is read once more (`sh -c "…"`),
    unless there is nothing special in the value.
    """
    if not value.isprintable():
        return placeholder
    place, bare = _place(command)
    if _PLAIN.fullmatch(value) and place != '"\\':
        return value
    return placeholder if _is_code(bare) else _quoted_at(place, value) or placeholder


def _is_code(bare: str) -> bool:
    """Whether the word at the end of a command is code to what it starts."""
    command = _ENDS_COMMAND.split(bare)[-1]
    *before, word = re.split(r"[ \t]+", command)
    reads = _READS_CODE | _SHELLS if "<<<" in command else _READS_CODE
    if not reads.isdisjoint(name.rpartition("/")[2] for name in before):
        return True
    follows = before and _CODE_FOLLOWS.fullmatch(before[-1])
    return bool(follows or _CODE_BEGINS.fullmatch(word))


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
    in quotes.
    """
    quote, ticked, bare, at = "", "", "", 0
    while at < len(command):
        found = _TOKENS[quote].match(command, at)
        if found is None or found.lastgroup == "beyond" or len(command) > _LONGEST:
            return "?", bare
        at = found.end()
        if found.lastgroup == "end":
            return "?" if ticked else quote + "\\", bare
        if found["quote"] == "`":
            ticked = "" if ticked else "`"
        elif found["quote"]:
            quote = "" if quote else found["quote"]
            continue
        bare += "" if quote else found[0]
    return "?" if quote and ticked else quote or ticked, bare
