"""Shell syntax as typed: whether a command is finished, and which part of it is what.

One pass over the text with a stack of what is open, and no recursion, so that any paste is read in
time linear in its length. The scan follows bash's grammar as far as it decides these two questions;
where bash would report an error, the line counts as complete and bash is left to report it.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Literal, NamedTuple

from aish.core.values import dataclass, field

SpanKind = Literal[
    "command", "keyword", "option", "argument", "path", "assignment", "string", "variable",
    "operator", "comment", "heredoc",
]  # fmt: skip


class SyntaxSpan(NamedTuple):
    """A stretch of the line, `start` inclusive and `end` exclusive, and what it is."""

    start: int
    end: int
    kind: SpanKind


@dataclass(frozen=True, slots=True)
class Completeness:
    """Whether bash would wait for more, and for what: the innermost thing left open."""

    complete: bool
    waiting_for: str = ""


def is_complete(line: str) -> Completeness:
    """Tell whether a command can be run as it stands or needs a further line."""
    scan = _Scan(line)
    scan.run()
    waiting = scan.waiting_for()
    return Completeness(not waiting, waiting)


def spans(line: str, limit: int = 20_000) -> list[SyntaxSpan]:
    """The coloured stretches of a command line, in order; past `limit` it is left plain."""
    scan = _Scan(line[:limit])
    scan.run()
    return sorted(scan.found)


_PLAIN = re.compile(r"[^\s\\'\"`$&|;()<>{}]+")
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_OPERATOR = re.compile(r"&&|\|\||;;&|;;|;&|\|&|&>>|&>|[;&|]")
_REDIRECT = re.compile(r"<<<|<<-|<<|<>|<&|>>|>&|>\||[<>]")
_VARIABLE = re.compile(r"\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])")
_ANSI_STRING = re.compile(r"\$'(?:[^'\\]|\\.)*'", re.DOTALL)
_QUOTED_TEXT = re.compile(r'[^"\\$`]+')
_EXPANSION_TEXT = re.compile(r"""[^"'\\$`(){}]+""")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=")
_DELIMITER = re.compile(r"""[ \t]*((?:\\.|'[^'\n]*'|"[^"\n]*"|[^\s;&|<>()\\'"])+)""")
_UNQUOTE = re.compile(r"""\\(.)|['"]""")
_FUNCTION_PARENS = re.compile(r"[ \t]*\([ \t]*\)")
_PATH = re.compile(r"~|\.{0,2}/|[\w.@%+-]+/")

# A word that opens a compound command, and the word that closes it.
_CLOSER = {"if": "fi", "while": "done", "until": "done", "for": "done", "select": "done",
           "case": "esac", "{": "}"}  # fmt: skip
_CLOSERS = frozenset(_CLOSER.values())
# Words inside a compound command that lead to a command of their own.
_MIDDLE = {"then": ("if",), "elif": ("if",), "else": ("if",),
           "do": ("while", "until", "for", "select")}  # fmt: skip
_BEFORE_COMMAND = frozenset(("!", "time", "coproc"))
# Programs that run the command after them; only the colours care.
_CARRIERS = frozenset(("sudo", "doas", "nohup", "command", "builtin", "exec", "env"))
# Frames whose text is a list of commands.
_LISTS = frozenset(("", "(", "$(", "<(", "`", *_CLOSER))
_ENDS_IN_PAREN = frozenset(("(", "$(", "<(", "array", "glob"))


@dataclass(slots=True)
class _Frame:
    """Something open: what opened it, and where the scan stands inside it."""

    kind: str
    state: str = ""
    # Whether the next word is a command word.
    command: bool = True
    # Where the present word began, or -1 between words.
    word: int = -1
    pieces: list[tuple[int, int]] = field(default_factory=list)
    # The operator or function head that still wants a command after it.
    wants: str = ""
    redirecting: bool = False
    # A compound command has just ended: a reserved word may follow without `;`.
    closed: bool = False
    depth: int = 0


class _Scan:
    """The state of one pass."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.stack = [_Frame("")]
        self.found: list[SyntaxSpan] = []
        self.heredocs: deque[tuple[str, bool]] = deque()
        self.backquotes = 0
        self.open_text = ""
        self.broken = False

    def run(self) -> None:
        """Read to the end of the text."""
        size = len(self.text)
        while self.at < size:
            kind = self.stack[-1].kind
            if kind in _LISTS:
                self._in_list()
            elif kind == '"':
                self._in_quotes()
            elif kind in ("${", "$((", "(("):
                self._in_expansion()
            else:
                self._in_words()
        self._end_word()

    def waiting_for(self) -> str:
        """The innermost thing left open, or nothing."""
        if self.broken:
            return ""
        if self.open_text:
            return self.open_text
        top = self.stack[-1]
        if self.heredocs and top.kind != '"':
            return "<<" + self.heredocs[0][0]
        return top.wants or top.kind

    # Lists of commands.

    def _in_list(self) -> None:
        char = self.text[self.at]
        if char == "\n":
            self._newline()
        elif char in " \t\r\f\v":
            self._end_word()
            self.at = self._match_end(_BLANKS)
        elif char in "&|;":
            self._operator()
        elif char in "<>":
            self._redirect()
        elif char == "(":
            self._open_paren()
        elif char == ")":
            self._close_paren()
        elif char == "#" and self.stack[-1].word < 0:
            self._comment()
        else:
            self._word_part()

    def _newline(self) -> None:
        self._end_word()
        self.at += 1
        frame = self.stack[-1]
        frame.redirecting = False
        # The heads of `case` and `for` may go on in the next line.
        if frame.state not in ("word", "in", "pattern", "name"):
            frame.command = True
            if frame.kind in ("for", "select") and frame.state != "body":
                frame.state = "do"
        if self.heredocs:
            self._heredoc_bodies()

    def _operator(self) -> None:
        self._end_word()
        frame = self.stack[-1]
        found = _OPERATOR.match(self.text, self.at)
        operator = found.group() if found else self.text[self.at]
        self._emit(len(operator), "operator")
        if operator in ("&>", "&>>"):
            frame.redirecting = True
            return
        if frame.kind == "case" and frame.state == "pattern":
            return
        if frame.wants and frame.wants != "function":
            self.broken = True
        if operator in (";;", ";&", ";;&"):
            if frame.kind != "case":
                self.broken = True
            frame.state = "pattern"
        elif frame.kind in ("for", "select") and frame.state in ("name", "words"):
            frame.state = "do"
        frame.command = True
        frame.redirecting = False
        frame.wants = operator if operator in ("&&", "||", "|", "|&") else ""

    def _redirect(self) -> None:
        frame = self.stack[-1]
        if self.text.startswith(("<(", ">("), self.at):
            self._begin_word()
            self._push("<(", 2)
            return
        if frame.word >= 0 and self.text[frame.word : self.at].isdigit():
            # `2>`: the number belongs to the operator.
            self.found.append(SyntaxSpan(frame.word, self.at, "operator"))
            frame.word = -1
            frame.pieces.clear()
        self._end_word()
        if frame.wants != "function":
            frame.wants = ""  # A redirection alone is a command.
        found = _REDIRECT.match(self.text, self.at)
        operator = found.group() if found else self.text[self.at]
        self._emit(len(operator), "operator")
        if operator in ("<<", "<<-"):
            self._heredoc_delimiter(operator == "<<-")
        else:
            frame.redirecting = True

    def _heredoc_delimiter(self, tabs: bool) -> None:
        found = _DELIMITER.match(self.text, self.at)
        if not found:
            return
        self.found.append(SyntaxSpan(found.start(1), found.end(1), "heredoc"))
        self.at = found.end()
        self.heredocs.append((_UNQUOTE.sub(r"\1", found.group(1)), tabs))

    def _heredoc_bodies(self) -> None:
        """Skip the texts of the here-documents announced on the line just ended."""
        start = self.at
        while self.heredocs and self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            row = self.text[self.at : end]
            delimiter, tabs = self.heredocs[0]
            if (row.lstrip("\t") if tabs else row) == delimiter:
                self.heredocs.popleft()
            self.at = min(end + 1, len(self.text))
        if self.at > start:
            self.found.append(SyntaxSpan(start, self.at, "heredoc"))

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        self._emit((len(self.text) if end < 0 else end) - self.at, "comment")

    def _open_paren(self) -> None:
        frame = self.stack[-1]
        if frame.word >= 0:
            self._paren_in_word(frame)
            return
        if frame.kind == "case" and frame.state == "pattern":
            self._emit(1, "operator")
            return
        if self.text.startswith("((", self.at) and (frame.command or frame.state == "name"):
            frame.command = False
            frame.wants = ""
            if frame.state == "name":
                frame.state = "words"
            self._push("((", 2)
        elif frame.command:
            frame.wants = ""
            frame.command = False
            self._push("(", 1)
        else:
            self._function_or_error(frame)

    def _paren_in_word(self, frame: _Frame) -> None:
        before = self.text[self.at - 1]
        if before == "=":
            self._push("array", 1)
        elif before in "?*+@!" and not _FUNCTION_PARENS.match(self.text, self.at):
            self._push("glob", 1)
        else:
            self._end_word()
            self._function_or_error(frame)

    def _function_or_error(self, frame: _Frame) -> None:
        """`name ()` begins a function; any other bracket here is bash's error to report."""
        parens = _FUNCTION_PARENS.match(self.text, self.at)
        if not parens:
            self.broken = True
            self._push("(", 1)
            return
        self._emit(parens.end() - self.at, "operator")
        frame.command, frame.wants = True, "function"

    def _close_paren(self) -> None:
        self._end_word()
        frame = self.stack[-1]
        if frame.kind == "case" and frame.state == "pattern":
            frame.state, frame.command = "body", True
            self._emit(1, "operator")
        elif frame.kind in _ENDS_IN_PAREN:
            self.broken = self.broken or bool(frame.wants)
            self._pop(1)
        else:
            self.broken = True
            self._emit(1, "operator")

    # Words.

    def _begin_word(self) -> None:
        frame = self.stack[-1]
        if frame.word < 0:
            frame.word = self.at

    def _word_part(self) -> None:
        """One piece of a word: plain text, an escape, a quoted string or an expansion."""
        self._begin_word()
        char = self.text[self.at]
        if char == "\\":
            self._escape()
        elif char == "'":
            self._single_quotes()
        elif char == '"':
            self._push('"', 1, "string")
        elif char == "`":
            self._backquote()
        elif char == "$":
            self._dollar()
        else:
            self._plain()

    def _plain(self) -> None:
        end = self._match_end(_PLAIN)
        end = end if end > self.at else self.at + 1
        self.stack[-1].pieces.append((self.at, end))
        self.at = end

    def _escape(self) -> None:
        frame = self.stack[-1]
        if self.at + 1 == len(self.text):
            self.open_text = "\\"
        elif self.text[self.at + 1] == "\n":
            if frame.word == self.at:
                frame.word = -1
            if self.at + 2 == len(self.text):
                self.open_text = "\\"
            self.at += 2
            return
        frame.pieces.append((self.at, min(self.at + 2, len(self.text))))
        self.at = min(self.at + 2, len(self.text))

    def _single_quotes(self) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            self.open_text = "'"
            end = len(self.text) - 1
        self._emit(end + 1 - self.at, "string")

    def _backquote(self) -> None:
        if not self.backquotes:
            self.backquotes = 1
            self._push("`", 1, "variable")
            return
        self._end_word()
        while self.stack[-1].kind != "`":
            self.stack.pop()
        self.backquotes = 0
        self._pop(1, "variable")

    def _dollar(self) -> None:
        text, at = self.text, self.at
        if text.startswith("$((", at):
            self._push("$((", 3, "variable")
        elif text.startswith("$(", at):
            self._push("$(", 2, "variable")
        elif text.startswith("${", at):
            self._push("${", 2, "variable")
        elif text.startswith("$'", at) and self.stack[-1].kind != '"':
            self._ansi_string()
        elif text.startswith('$"', at) and self.stack[-1].kind != '"':
            self._push('"', 2, "string")
        else:
            end = self._match_end(_VARIABLE)
            self._emit(max(end - at, 1), "variable")

    def _ansi_string(self) -> None:
        end = self._match_end(_ANSI_STRING)
        if end == self.at:
            self.open_text = "'"
            end = len(self.text)
        self._emit(end - self.at, "string")

    def _end_word(self) -> None:
        frame = self.stack[-1]
        if frame.word < 0:
            return
        word = self.text[frame.word : self.at]
        start, pieces = frame.word, frame.pieces
        frame.word, frame.pieces = -1, []
        kind = self._role(frame, word) if frame.kind in _LISTS else self._argument_kind(word)
        for piece in pieces:
            self.found.append(SyntaxSpan(*piece, kind))
        if kind == "assignment" and pieces and pieces[0][0] == start:
            frame.command = True

    def _role(self, frame: _Frame, word: str) -> SpanKind:
        """What a finished word is, from where it stands; moves the frame on."""
        if frame.redirecting:
            frame.redirecting = False
            return self._argument_kind(word)
        if frame.kind == "case" and frame.state in ("word", "in", "pattern"):
            return self._case_word(frame, word)
        if frame.kind in ("for", "select") and frame.state in ("name", "words"):
            return self._loop_head_word(frame, word)
        if frame.state == "function":
            frame.state, frame.command, frame.wants = "", True, "function"
            return "command"
        closed, frame.closed = frame.closed, False
        if frame.command or (closed and (word in _CLOSERS or word in _MIDDLE)):
            return self._command_word(frame, word)
        return self._argument_kind(word)

    def _command_word(self, frame: _Frame, word: str) -> SpanKind:
        if self._reserved(frame, word):
            return "keyword"
        if _ASSIGNMENT.match(word):
            frame.wants = ""
            return "assignment"
        if frame.wants == "function":
            self.broken = True
        frame.wants = ""
        frame.command = word in _CARRIERS
        if word.startswith("-"):
            return "option"
        return "command"

    def _reserved(self, frame: _Frame, word: str) -> bool:
        """Act on a reserved word in command position; False if it is none."""
        if word in _CLOSER or word == "[[":
            frame.wants = ""
            frame.command = False
            state = {"case": "word", "for": "name", "select": "name"}.get(word, "")
            self.stack.append(_Frame(word, state))
        elif word in _CLOSERS:
            self._close_compound(frame, word)
        elif word in _MIDDLE:
            self.broken = self.broken or frame.kind not in _MIDDLE[word] or bool(frame.wants)
            frame.state, frame.command = "body", True
        elif word == "function":
            frame.state, frame.wants = "function", "function"
        elif word not in _BEFORE_COMMAND:
            return False
        return True

    def _close_compound(self, frame: _Frame, word: str) -> None:
        if _CLOSER.get(frame.kind) != word or frame.wants:
            self.broken = True
            return
        self.stack.pop()
        self._after_compound()

    def _after_compound(self) -> None:
        self.stack[-1].command, self.stack[-1].closed = False, True

    def _case_word(self, frame: _Frame, word: str) -> SpanKind:
        if frame.state == "word":
            frame.state = "in"
            return self._argument_kind(word)
        if frame.state == "in":
            self.broken = self.broken or word != "in"
            frame.state = "pattern"
            return "keyword"
        if word == "esac":
            self._close_compound(frame, word)
            return "keyword"
        return "argument"

    def _loop_head_word(self, frame: _Frame, word: str) -> SpanKind:
        if frame.state == "name":
            frame.state = "words"
            return "variable"
        if word == "do" and frame.command:
            frame.state = "body"
            return "keyword"
        frame.command = False
        return "keyword" if word == "in" else self._argument_kind(word)

    def _argument_kind(self, word: str) -> SpanKind:
        if word.startswith("-"):
            return "option"
        return "path" if _PATH.match(word) else "argument"

    # Inside quotes, expansions, arrays and tests.

    def _in_quotes(self) -> None:
        char = self.text[self.at]
        if char == '"':
            self._pop(1, "string")
        elif char == "\\":
            if self.at + 1 == len(self.text):
                self.open_text = "\\"
            self._emit(min(2, len(self.text) - self.at), "string")
        elif char == "`":
            self._backquote()
        elif char == "$":
            self._dollar()
        else:
            self._emit(max(self._match_end(_QUOTED_TEXT) - self.at, 1), "string")

    def _in_expansion(self) -> None:
        frame = self.stack[-1]
        char = self.text[self.at]
        if char == "\\":
            self._emit(min(2, len(self.text) - self.at), "variable")
        elif char == "'":
            self._single_quotes()
        elif char == '"':
            self._push('"', 1, "string")
        elif char == "`":
            self._backquote()
        elif char == "$":
            self._dollar()
        elif char == "}" and frame.kind == "${":
            self._pop(1, "variable")
        elif char in "()" and frame.kind != "${":
            self._arithmetic_paren(frame, char)
        else:
            self._emit(max(self._match_end(_EXPANSION_TEXT) - self.at, 1), "variable")

    def _arithmetic_paren(self, frame: _Frame, char: str) -> None:
        if char == "(":
            frame.depth += 1
        elif frame.depth:
            frame.depth -= 1
        elif self.text.startswith("))", self.at):
            self._pop(2, "variable")
            return
        elif self.at + 1 < len(self.text):
            # `$((a); b)`: a subshell in a substitution after all, now closed.
            frame.kind = "$(" if frame.kind == "$((" else "("
            frame.command = False
        self._emit(1, "variable")

    def _in_words(self) -> None:
        """Inside `[[ ]]`, an array or a glob: words, with none in command position."""
        frame = self.stack[-1]
        char = self.text[self.at]
        if char.isspace():
            self._end_word()
            self.at += 1
        elif char == "#" and frame.word < 0 and frame.kind == "array":
            self._comment()
        elif char == "(":
            self._end_word()
            frame.depth += 1
            self._emit(1, "operator")
        elif char == ")":
            self._close_word_paren(frame)
        elif char in "&|;<>":
            self._end_word()
            self._emit(1, "operator")
        elif frame.kind == "[[" and frame.word < 0 and self._ends_test():
            self._emit(2, "keyword")
            self.stack.pop()
            self._after_compound()
        else:
            self._word_part()

    def _ends_test(self) -> bool:
        after = self.text[self.at + 2 : self.at + 3]
        return self.text.startswith("]]", self.at) and (not after or after in " \t\n;&|)")

    def _close_word_paren(self, frame: _Frame) -> None:
        self._end_word()
        if frame.depth or frame.kind == "[[":
            frame.depth = max(frame.depth - 1, 0)
            self._emit(1, "operator")
        else:
            self._pop(1)

    # The stack.

    def _push(self, kind: str, length: int, shown: SpanKind = "operator") -> None:
        self._emit(length, shown)
        self.stack.append(_Frame(kind))

    def _pop(self, length: int, shown: SpanKind = "operator") -> None:
        kind = self.stack.pop().kind
        self._emit(length, "variable" if kind == "$(" else shown)
        if kind in ("(", "(("):
            self._after_compound()

    def _emit(self, length: int, kind: SpanKind) -> None:
        self.found.append(SyntaxSpan(self.at, self.at + length, kind))
        self.at += length

    def _match_end(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at)
        return found.end() if found else self.at
