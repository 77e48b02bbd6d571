"""Words as the shell would expand them, with what is not known marked as such."""

from __future__ import annotations

import re
from collections.abc import Callable

from aish.core.safety.braces import (
    BREAK,
    EXPANDED,
    QUOTED,
    TYPED,
    Char,
    Chars,
    TooManyWords,
    expand_braces,
)
from aish.core.safety.scope import NO_TAGS, Field, Scope, Value
from aish.core.safety.streams import LONGEST, TERMINAL, UNKNOWN, UNSEEN, Stream
from aish.core.shellsyntax import tree
from aish.core.values import dataclass, field

SECRET_NAME = re.compile(
    r"(^|_)(API_?KEY|PASS|PRIVATE|PAT|ACCESS_KEY|AUTH|KEY|JWT|COOKIE|DSN)(_|\d|$)|TOKEN|SECRET|"
    r"PASSW(OR)?D|PASSPHRASE|CREDENTIAL|APIKEY|CONN(ECTION)?_?STR|(DATABASE|REDIS|MONGO\w*|DB)_UR[IL]|"
    r"WEBHOOK|_PWD$",
    re.IGNORECASE,
)
_SIMPLE = re.compile(r"[\w./:=@%+,^-]+\Z")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b",
            "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?"}  # fmt: skip
_ANSI = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(.)|(.))",
    re.DOTALL,
)

Substitute = Callable[[tuple[tree.Stmt, ...], Scope, Stream], Stream]


def ansi_text(text: str) -> str:
    """What the backslashes of `$'…'` and `printf` stand for."""

    def one(found: re.Match[str]) -> str:
        hexa, octal, four, eight, control, plain = found.groups()
        if octal:
            return chr(int(octal, 8) & 255)
        code = hexa or four or eight
        if code:
            number = int(code, 16)
            return chr(number) if number < 0x110000 else UNKNOWN
        if control:
            return chr(ord(control) & 31)
        return _ESCAPES.get(plain, "\\" + plain)

    return _ANSI.sub(one, text)


@dataclass(slots=True)
class Expander:
    """Expands the words of one command in one scope."""

    scope: Scope
    home: str
    user: str
    substitute: Substitute
    too_many: Callable[[], None]
    spend: Callable[[int], None]  # raises UnreadableCommand when a command grows without end
    tags: set[str] = field(default_factory=set)
    stream: Stream | None = None

    def fields(self, word: tree.Word) -> list[Field]:
        """The words one word becomes."""
        if len(word.parts) == 1:
            part = word.parts[0]
            if isinstance(part, tree.Lit) and _SIMPLE.match(part.value):
                return [Field(part.value)]
        self.tags, self.stream = set(), None
        chars = self._chars(word.parts, quoted=False)
        try:
            words = expand_braces(chars)
        except TooManyWords:
            self.too_many()
            words = [[(UNKNOWN, EXPANDED)]]
        found: list[Field] = []
        for one in words:
            found += self._split(self._tilde(one))
        return found

    def value(self, word: tree.Word | None) -> str:
        """The word as one text, as in an assignment."""
        if word is None:
            return ""
        self.tags, self.stream = set(), None
        chars = self._tilde(self._chars(word.parts, quoted=False))
        return "".join(" " if kind == BREAK else char for char, kind in chars)

    # Parts.

    def _chars(self, parts: tuple[tree.Part, ...], *, quoted: bool) -> Chars:
        found: Chars = []
        for part in parts:
            made = self._part(part, quoted=quoted)
            self.spend(len(made))
            found += made
            if len(found) > LONGEST:
                return [(UNKNOWN, EXPANDED)]  # longer than any command; doubling would never end
        return found

    def _part(self, part: tree.Part, *, quoted: bool) -> Chars:
        made = QUOTED if quoted else EXPANDED
        match part:
            case tree.Lit(value=text):
                return _typed(text, quoted=quoted)
            case tree.SglQuoted(value=text, dollar=dollar):
                return _all(ansi_text(text) if dollar else text, QUOTED) or [("", QUOTED)]
            case tree.DblQuoted(parts=parts):
                return [("", QUOTED), *self._chars(parts, quoted=True)]
            case tree.ParamExp():
                return self._parameter(part, made)
            case tree.CmdSubst(stmts=stmts):
                return self._substitution(stmts, made)
            case tree.ArithmExp(x=x):
                for word in tree.sub_expressions(x):
                    self._chars(word.parts, quoted=True)
                number = self._number(x)
                return _all(UNKNOWN if number is None else str(number), made)
            case tree.ProcSubst(stmts=stmts, op=op):
                stream = self.substitute(stmts, self.scope, TERMINAL if op == "<(" else UNSEEN)
                self.stream = stream if op == "<(" else None
                return _all("/dev/fd/63", QUOTED)
            case tree.ExtGlob(op=op, pattern=pattern):
                return _all(f"{op}{pattern.value})", TYPED)

    def _substitution(self, stmts: tuple[tree.Stmt, ...], made: int) -> Chars:
        stream = self.substitute(stmts, self.scope, TERMINAL)
        self.tags |= stream.tags
        if stream.text is None:
            return [(UNKNOWN, made)]
        return _all(stream.text.rstrip("\n"), made)

    def _parameter(self, part: tree.ParamExp, made: int) -> Chars:
        name = part.param.value
        if part.excl:
            target = self._lookup(name)
            name = target if isinstance(target, str) and not part.names else UNKNOWN
        value = self._lookup(name)
        if part.index is not None:
            value = self._indexed(value, part.index)
        if isinstance(value, str):
            return _all(self._changed(part, value), made)
        if part.length:
            return _all(str(len(value)), made)
        if part.slice or part.repl or (part.exp and part.exp.op not in (":-", "-")):
            self._walk_operands(part)
            return [(UNKNOWN, made)]
        return _list_chars(value, made)

    def _lookup(self, name: str) -> Value:
        scope = self.scope
        if name in ("@", "*"):
            if scope.positional is None:
                return UNKNOWN
            return [one.text for one in scope.positional]
        if name.isdigit() and name != "0":
            if scope.positional is None:
                return UNKNOWN
            at = int(name) - 1
            if at >= len(scope.positional):
                return ""
            self.tags |= scope.positional[at].tags
            return scope.positional[at].text
        if name in scope.variables:
            self.tags |= scope.tags.get(name, NO_TAGS)
            return scope.variables[name]
        if SECRET_NAME.search(name):
            self.tags.add("secret")
        known = {"HOME": self.home, "PWD": scope.cwd, "USER": self.user, "LOGNAME": self.user,
                 "IFS": " \t\n", "SHELL": "/bin/bash"}  # fmt: skip
        return known.get(name, UNKNOWN) or UNKNOWN

    def _indexed(self, value: Value, index: tree.Expression) -> Value:
        text = self.value(index) if isinstance(index, tree.Word) else None
        if text in ("@", "*") or isinstance(value, str):
            return value
        number = self._number(index)
        if number is None or not -len(value) <= number < len(value):
            return UNKNOWN
        return value[number]

    def _changed(self, part: tree.ParamExp, value: str) -> str:
        if part.length:
            return UNKNOWN if UNKNOWN in value else str(len(value))
        if part.slice is not None:
            return self._sliced(part.slice, value)
        if part.repl is not None:
            return self._replaced(part.repl, value)
        if part.exp is not None:
            return self._operated(part.exp, value)
        return value

    def _walk_operands(self, part: tree.ParamExp) -> None:
        if part.exp and part.exp.word:
            self._chars(part.exp.word.parts, quoted=True)
        if part.repl:
            for word in (part.repl.orig, part.repl.with_):
                if word:
                    self._chars(word.parts, quoted=True)

    def _sliced(self, bounds: tree.Slice, value: str) -> str:
        start, length = self._number(bounds.offset), self._number(bounds.length)
        if UNKNOWN in value or start is None or (bounds.length is not None and length is None):
            return UNKNOWN
        rest = value[start:] if start >= 0 or -start <= len(value) else ""
        return rest if length is None else rest[:length]

    def _replaced(self, change: tree.Replacement, value: str) -> str:
        old = self._text(change.orig)
        new = self._text(change.with_)
        if UNKNOWN in value + old + new or not old or re.search(r"[*?\[#%\\]", old):
            return UNKNOWN
        return value.replace(old, new, -1 if change.all else 1)

    def _operated(self, operand: tree.Operand, value: str) -> str:
        text = self._text(operand.word)
        if operand.op in (":-", "-", ":=", "=", ":?", "?"):
            return text if value == "" else value
        if operand.op in (":+", "+"):
            return UNKNOWN if UNKNOWN in value else text if value else ""
        if UNKNOWN in value + text:
            return UNKNOWN
        match operand.op:
            case ",," | ",":
                return value.lower() if operand.op == ",," else value[:1].lower() + value[1:]
            case "^^" | "^":
                return value.upper() if operand.op == "^^" else value[:1].upper() + value[1:]
            case "#" | "##" if not re.search(r"[*?\[]", text):
                return value.removeprefix(text)
            case "%" | "%%" if not re.search(r"[*?\[]", text):
                return value.removesuffix(text)
        return UNKNOWN

    def _text(self, word: tree.Word | None) -> str:
        if word is None:
            return ""
        return "".join(char for char, _ in self._tilde(self._chars(word.parts, quoted=False)))

    def _number(self, expression: tree.Expression | None) -> int | None:
        match expression:
            case tree.Word():
                text = self._text(expression)
                if text in self.scope.variables:
                    found = self.scope.variables[text]
                    text = found if isinstance(found, str) else ""
                digits = text.removeprefix("-")
                ok = digits.isascii() and digits.isdigit() and len(digits) < 19
                return int(text) if ok else None
            case tree.UnaryArithm(op="-", x=x):
                number = self._number(x)
                return None if number is None else -number
            case tree.ParenArithm(x=x):
                return self._number(x)
            case tree.BinaryArithm(op=("+" | "-" | "*") as op, x=x, y=y):
                left, right = self._number(x), self._number(y)
                if left is None or right is None:
                    return None
                return {"+": left + right, "-": left - right, "*": left * right}[op]
        return None

    # Whole words.

    def _tilde(self, chars: Chars) -> Chars:
        if not chars or chars[0] != ("~", TYPED):
            return chars
        end = next((i for i, (char, _) in enumerate(chars) if char == "/"), len(chars))
        name = "".join(char for char, _ in chars[1:end])
        if any(kind not in (TYPED,) for _, kind in chars[1:end]):
            return chars
        home = {"": self.home, "+": self.scope.cwd}.get(name, f"/home/{name}")
        return [*_all(home, QUOTED), *chars[end:]]

    def _split(self, chars: Chars) -> list[Field]:
        """Fields at the blanks that came out of expansions."""
        separators = self.scope.variables.get("IFS", " \t\n")
        blanks = (
            separators if isinstance(separators, str) and UNKNOWN not in separators else " \t\n"
        )
        found: list[Field] = []
        word: Chars = []
        for char in chars:
            if char[1] == BREAK or (char[1] == EXPANDED and char[0] and char[0] in blanks):
                self._finish(word, found)
                word = []
            else:
                word.append(char)
        self._finish(word, found)
        return found

    def _finish(self, word: Chars, found: list[Field]) -> None:
        if not word or not any(char or kind == QUOTED for char, kind in word):
            return
        text = "".join(char for char, _ in word)
        glob = any(kind != QUOTED and char and char in "*?[" for char, kind in word)
        many = (UNKNOWN, EXPANDED) in word
        found.append(Field(text, glob, many, frozenset(self.tags), self.stream))


def _all(text: str, kind: int) -> Chars:
    return [(char, kind) for char in text]


def _list_chars(values: list[str], made: int) -> Chars:
    found: list[Char] = []
    for position, value in enumerate(values):
        if position:
            found.append((" ", BREAK))
        found += _all(value, made) or [("", made)]
    return found


def _typed(text: str, *, quoted: bool) -> Chars:
    """Typed text, its backslashes taken away as the shell does it."""
    if "\\" not in text:
        return _all(text, QUOTED if quoted else TYPED)
    found: Chars = []
    at = 0
    while at < len(text):
        char = text[at]
        following = text[at + 1 : at + 2]
        if char != "\\" or (quoted and following not in ("$", "`", '"', "\\", "\n")):
            found.append((char, QUOTED if quoted else TYPED))
            at += 1
            continue
        if following and following != "\n":
            found.append((following, QUOTED))
        at += 2
    return found
