"""Follows a command as the shell would run it, and collects what it does."""

from __future__ import annotations

from collections.abc import Callable

from aish.core.safety import repeats, writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.environment import assignment_risk
from aish.core.safety.expand import Expander
from aish.core.safety.known_forms import known_evaluation
from aish.core.safety.paths import ENDLESS, canonical, is_secret
from aish.core.safety.scope import NO_TAGS, Field, Scope
from aish.core.safety.situation import Situation
from aish.core.safety.streams import (
    LONGEST,
    NOTHING,
    TERMINAL,
    UNKNOWN,
    UNSEEN,
    Stream,
    joined,
)
from aish.core.safety.verdict import Effect, EffectKind, Level
from aish.core.shellsyntax import tree
from aish.core.shellsyntax.crosscheck import disagreement
from aish.core.shellsyntax.tree import Script, Stmt, UnreadableCommand

Parse = Callable[[str], Script]
DEEPEST_TEXT = 8  # commands in texts of commands, as in sh -c "sh -c …"
MOST_STEPS = 20_000
MOST_CHARACTERS = 500_000
DEEPEST_CALLS = 60
MOST_ITEMS = 12
MANY_AT_ONCE = 200  # programs started in the background by one loop
MANY_IN_TURN = 100_000
PAUSES = frozenset(("sleep", "read", "wait", "break", "exit", "return", "inotifywait", "exec", "select",
                    "usleep", "timeout", "watch", "ping", "entr"))  # fmt: skip
CHEAP = frozenset(("echo", "printf", ":", "true", "let", "test", "["))


class Reader:
    """One reading of one command."""

    def __init__(self, parse: Parse, situation: Situation) -> None:
        self.parse = parse
        self.situation = situation
        self.effects: list[Effect] = []
        self.steps = 0
        self.spent = 0
        self.texts = 0
        self.deep = 0

    def read(self, command: str) -> None:
        """Follow a whole command from where the situation stands."""
        made = self.run_text(command, Scope(cwd=self.situation.cwd), TERMINAL)
        if made.endless:
            self._endless()

    def flag(
        self, kind: EffectKind, level: Level, reason: str, *, path: str = "", program: str = ""
    ) -> None:
        """Note an effect, each once."""
        effect = Effect(kind, level, reason, path, program)
        if effect not in self.effects:
            self.effects.append(effect)

    def run_text(self, text: str, scope: Scope, stdin: Stream = TERMINAL) -> Stream:
        """Follow a command that is given as text: a script, `sh -c`, `eval`, a trap."""
        if UNKNOWN in text:
            self.flag(
                "runs-unknown-code", "unknown", "runs a command that is only known when it runs"
            )
            text = text.replace(UNKNOWN, "_")
        if self.texts >= DEEPEST_TEXT:
            self.flag("unreadable", "unknown", "wraps commands in commands too deeply to follow")
            return UNSEEN
        try:
            script = self.parse(text)
        except UnreadableCommand as error:
            self.flag("unreadable", "unknown", f"cannot be read: {error}")
            return UNSEEN
        doubt = disagreement(text, script)
        if doubt:
            self.flag("unreadable", "unknown", f"is read differently by two parsers, at {doubt}")
        self.texts += 1
        try:
            return self.statements(script.stmts, scope, stdin)
        finally:
            self.texts -= 1

    # Statements.

    def statements(self, stmts: tuple[Stmt, ...], scope: Scope, stdin: Stream = TERMINAL) -> Stream:
        outputs = [self.statement(stmt, scope, stdin) for stmt in stmts]
        return joined(outputs) if outputs else NOTHING

    def statement(self, stmt: Stmt, scope: Scope, stdin: Stream) -> Stream:
        """One command with its redirections; gives what it prints."""
        self.steps += 1
        if self.steps > MOST_STEPS or self.deep > DEEPEST_CALLS:
            self.flag("unreadable", "unknown", "is too large or too deeply nested to follow")
            return UNSEEN
        self.deep += 1
        try:
            return self._statement(stmt, scope.copy() if stmt.background else scope, stdin)
        finally:
            self.deep -= 1

    def _statement(self, stmt: Stmt, scope: Scope, stdin: Stream) -> Stream:
        expander = self.expander(scope)
        outputs: list[tuple[tree.Redirect, list[Field]]] = []
        for redirect in stmt.redirs:
            if redirect.op in ("<<", "<<-"):
                stdin = self._heredoc(redirect, scope)
            elif redirect.op == "<<<":
                text = expander.value(redirect.word)
                stdin = Stream(text + "\n", tags=frozenset(expander.tags))
            elif redirect.word is not None:
                fields = expander.fields(redirect.word)
                if redirect.op == "<" and (redirect.n is None or redirect.n.value == "0"):
                    stdin = self._from_file(fields, scope)
                elif redirect.op == "<&" and (redirect.n is None or redirect.n.value == "0"):
                    stdin = self._from_descriptor(fields, scope, stdin)
                elif redirect.op in ("<", "<>"):
                    opened = self._from_file(fields, scope)
                    scope.descriptors[redirect.n.value if redirect.n else "0"] = opened
                    if redirect.op == "<>":
                        outputs.append((redirect, fields))
                else:
                    outputs.append((redirect, fields))
        made = NOTHING if stmt.cmd is None else self.command(stmt.cmd, scope, stdin)
        if stmt.cmd is None and any(r.op == "<" for r in stmt.redirs):
            made = stdin  # $(<file)
        for redirect, fields in outputs:
            self._onto_itself(stmt.cmd, redirect, fields)
            made = writing.redirected(self, redirect, fields, made, scope, stdin)
        return made

    def _onto_itself(
        self, cmd: tree.Command | None, redirect: tree.Redirect, fields: list[Field]
    ) -> None:
        """`git show HEAD:x > x`: the shell empties the file before the command can read it."""
        if not isinstance(cmd, tree.CallExpr) or redirect.op in (">>", "&>>", "<>") or not fields:
            return
        target = fields[0].text.removeprefix("./")
        words = [_literal(word).rpartition(":") for word in cmd.args[1:]]
        names = {name.removeprefix("./") for _, colon, name in words if colon or "." in name}
        if target in names and _literal(cmd.args[0]) not in CHEAP:
            self.flag("writes", "destructive", f"empties {target} before it is read")

    def _heredoc(self, redirect: tree.Redirect, scope: Scope) -> Stream:
        if redirect.hdoc is None:
            return NOTHING
        # The body is quoted as if by double quotes; a quoted delimiter has made it one literal.
        word = redirect.word
        literal = word is not None and not (len(word.parts) == 1 and isinstance(word.parts[0], tree.Lit)
                                            and "\\" not in word.parts[0].value)  # fmt: skip
        if literal:
            text = "".join(p.value for p in redirect.hdoc.parts if isinstance(p, tree.Lit))
            tags = NO_TAGS
        else:
            expander = self.expander(scope)
            text = expander.value(tree.Word((tree.DblQuoted(redirect.hdoc.parts),)))
            tags = frozenset(expander.tags)
        if redirect.op == "<<-":
            text = "\n".join(line.lstrip("\t") for line in text.split("\n"))
        return Stream(text, tags=tags)

    def _from_file(self, fields: list[Field], scope: Scope) -> Stream:
        if len(fields) != 1:
            return UNSEEN
        return self.file_content(fields[0], scope)

    def _from_descriptor(self, fields: list[Field], scope: Scope, stdin: Stream) -> Stream:
        """`<&3`: what was opened as 3 before; what nobody saw opened may be anything."""
        number = fields[0].text.rstrip("-") if len(fields) == 1 else UNKNOWN
        return stdin if number in ("", "0") else scope.descriptors.get(number, UNSEEN)

    def file_content(self, field: Field, scope: Scope, program: str = "") -> Stream:
        """What is known of a file's content; reading a secret is noted."""
        if field.stream is not None:
            return field.stream
        path = canonical(field.text, scope.cwd, self.situation.home)
        if path in scope.files:
            return scope.files[path]
        if path == "/dev/null":
            return NOTHING
        if path in ENDLESS:
            return Stream(endless=True, origin=path)
        if is_secret(path):
            self.flag("secret", "destructive", f"reads {writing.name(self, path)}, which holds keys "
                      "or passwords", path=path, program=program)  # fmt: skip
            return Stream(tags=frozenset(("secret",)), origin=path)
        return Stream(tags=frozenset(("file",)), origin=path)

    def expander(self, scope: Scope) -> Expander:
        def substitute(stmts: tuple[Stmt, ...], where: Scope, stdin: Stream = TERMINAL) -> Stream:
            made = self.statements(stmts, where.copy(), stdin)
            if made.endless:
                self._endless()
            if made.text is not None and len(made.text) > LONGEST:
                return Stream(tags=made.tags)
            return made

        def too_many() -> None:
            self.flag("resource", "destructive", "expands to more words than the memory holds")

        return Expander(
            scope, self.situation.home, self.situation.user, substitute, too_many, self._spend
        )

    def _spend(self, count: int) -> None:
        self.spent += count
        if self.spent > MOST_CHARACTERS:
            raise UnreadableCommand("it grows beyond what can be followed")

    def _endless(self) -> None:
        self.flag(
            "resource", "destructive", "reads without end, until the memory or the disk is full"
        )

    # Commands.

    def command(self, cmd: tree.Command, scope: Scope, stdin: Stream) -> Stream:
        match cmd:
            case tree.CallExpr():
                return self._call(cmd, scope, stdin)
            case tree.BinaryCmd():
                return self._binary(cmd, scope, stdin)
            case tree.Block(stmts=stmts):
                return self.statements(stmts, scope, stdin)
            case tree.Subshell(stmts=stmts):
                return self.statements(stmts, scope.copy(), stdin)
            case tree.IfClause():
                return self._if(cmd, scope, stdin)
            case tree.WhileClause():
                return self._while(cmd, scope, stdin)
            case tree.ForClause():
                return self._for(cmd, scope, stdin)
            case tree.CaseClause():
                return self._case(cmd, scope, stdin)
            case tree.FuncDecl(name=name, body=body):
                return self._function(name.value, body, scope)
            case tree.TestClause(x=x) | tree.ArithmCmd(x=x):
                self._expression(x, scope)
            case tree.LetClause(exprs=exprs):
                for one in exprs:
                    self._expression(one, scope)
            case tree.DeclClause():
                return self._declare(cmd, scope)
            case tree.CoprocClause(stmt=stmt):
                return self.statement(stmt, scope.copy(), UNSEEN)
            case tree.TimeClause(stmt=stmt):
                return self.statement(stmt, scope, stdin) if stmt else NOTHING
        return NOTHING

    def _expression(self, expression: tree.Expression | None, scope: Scope) -> None:
        expander = self.expander(scope)
        for word in tree.sub_expressions(expression):
            expander.value(word)
        match expression:
            case tree.BinaryArithm(op=op, x=tree.Word(parts=(tree.Lit(value=name),))) if "=" in op:
                scope.variables[name] = UNKNOWN

    def _binary(self, cmd: tree.BinaryCmd, scope: Scope, stdin: Stream) -> Stream:
        if cmd.op in ("|", "|&"):
            made = self.statement(cmd.x, scope.copy(), stdin)
            return self.statement(cmd.y, scope.copy(), made if made.piped else made.after())
        first = self.statement(cmd.x, scope, stdin)
        before = dict(scope.variables)
        second = self.statement(cmd.y, scope, stdin)
        if cmd.op == "||":
            scope.forget_changes(before)
        return joined([first, second]) if first.text != "" or second.text != "" else NOTHING

    def _if(self, cmd: tree.IfClause, scope: Scope, stdin: Stream) -> Stream:
        branch: tree.IfClause | tree.Else | None = cmd
        while branch is not None:
            self.statements(branch.cond, scope, stdin)
            before = dict(scope.variables)
            self.statements(branch.then, scope, stdin)
            scope.forget_changes(before)
            branch = branch.else_
        return UNSEEN

    def _case(self, cmd: tree.CaseClause, scope: Scope, stdin: Stream) -> Stream:
        expander = self.expander(scope)
        expander.value(cmd.word)
        for item in cmd.items:
            for pattern in item.patterns:
                expander.value(pattern)
            before = dict(scope.variables)
            self.statements(item.stmts, scope, stdin)
            scope.forget_changes(before)
        return UNSEEN

    def _while(self, cmd: tree.WhileClause, scope: Scope, stdin: Stream) -> Stream:
        self._unsettle(cmd.do, scope)
        known = self.statements(cmd.cond, scope, stdin)
        made = self.statements(cmd.do, scope, stdin)
        if _always(cmd):
            self._forever(cmd.do)
        elif stdin.endless and not set(_names(cmd.do)) & {"break", "exit", "return"}:
            self._endless()
        elif _names(cmd.cond) == ["sleep"] and any(s.background for s in _all_statements(cmd.do)):
            self.flag("resource", "destructive", "starts programs without end")
        else:
            self._often(repeats.largest_number(cmd.cond), cmd.do)
        return Stream(tags=made.tags | known.tags | stdin.tags)

    def _forever(self, body: tuple[Stmt, ...]) -> None:
        names = set(_names(body))
        if any(stmt.background for stmt in _all_statements(body)):
            self.flag(
                "resource", "destructive", "starts programs without end, until the machine stands"
            )
        elif not names & PAUSES:
            self.flag("resource", "destructive", "repeats without end and without a pause")

    def _often(self, times: int, body: tuple[Stmt, ...]) -> None:
        """A loop that ends, but late."""
        if times > MANY_AT_ONCE and any(stmt.background for stmt in _all_statements(body)):
            self.flag("resource", "destructive", f"starts {times:,} programs at once")
        elif times >= MANY_IN_TURN and set(_names(body)) - CHEAP:
            self.flag("resource", "unknown", f"does the same {times:,} times")

    def _for(self, cmd: tree.ForClause, scope: Scope, stdin: Stream) -> Stream:
        self._unsettle(cmd.do, scope)
        if isinstance(cmd.loop, tree.CStyleLoop):
            for part in (cmd.loop.init, cmd.loop.cond, cmd.loop.post):
                self._expression(part, scope)
            if cmd.loop.cond is None:
                self._forever(cmd.do)
            self._often(repeats.largest_number(cmd.loop.cond), cmd.do)
            return self.statements(cmd.do, scope, stdin).after()
        expander = self.expander(scope)
        items: list[Field] = []
        for word in cmd.loop.items or ():
            items += expander.fields(word)
        name = cmd.loop.name.value
        self._often(max(len(items), repeats.counted(cmd.loop.items)), cmd.do)
        values = [item.text for item in items]
        if not values or len(values) > MOST_ITEMS or any(item.many for item in items):
            values = [UNKNOWN]
        scope.tags[name] = frozenset[str]().union(*(item.tags for item in items))
        outputs = []
        for value in values:
            scope.variables[name] = value
            outputs.append(self.statements(cmd.do, scope, stdin))
        return joined(outputs)

    def _unsettle(self, body: tuple[Stmt, ...], scope: Scope) -> None:
        """What a loop's body assigns is not known in its first command either."""
        for stmt in _all_statements(body):
            if isinstance(stmt.cmd, tree.CallExpr) and not stmt.cmd.args:
                for assign in stmt.cmd.assigns:
                    if assign.name is not None:
                        scope.variables[assign.name.value] = UNKNOWN

    def _function(self, name: str, body: Stmt, scope: Scope) -> Stream:
        """A definition counts as if it were called, because it stays in the user's shell."""
        scope.functions[name] = body
        inner = scope.copy()
        inner.positional = None
        self.call_function(name, [], inner, UNSEEN, unknown_arguments=True)
        return NOTHING

    def call_function(
        self, name: str, args: list[Field], scope: Scope, stdin: Stream, *,
        unknown_arguments: bool = False,
    ) -> Stream:  # fmt: skip
        if name in scope.calls:
            self.flag(
                "resource", "destructive", "starts itself again and again, until the machine stands"
            )
            return UNSEEN
        before, calls = scope.positional, scope.calls
        scope.positional = None if unknown_arguments else args
        scope.calls = (*calls, name)
        try:
            return self.statement(scope.functions[name], scope, stdin)
        finally:
            scope.positional, scope.calls = before, calls

    def _declare(self, cmd: tree.DeclClause, scope: Scope) -> Stream:
        expander = self.expander(scope)
        exported = cmd.variant.value in ("export", "declare", "typeset", "readonly")
        reference = False
        for assign in cmd.args:
            if assign.naked and assign.value is not None:
                for field in expander.fields(assign.value):
                    name, equals, value = field.text.partition("=")
                    reference = reference or (name.startswith("-") and "n" in name)
                    if equals:
                        scope.variables[name] = value
                        self._risky(name, value, exported=exported)
            elif not assign.naked:
                self.assign(assign, scope, exported=exported)
                if reference and assign.name is not None:
                    scope.variables[assign.name.value] = UNKNOWN
        shows = not cmd.args or all(assign.naked for assign in cmd.args)
        return Stream(tags=frozenset(("environment",))) if shows else NOTHING

    def assign(self, assign: tree.Assign, scope: Scope, *, exported: bool = False) -> None:
        """Give a variable its value, and look at what that value could do."""
        if assign.name is None:
            return
        name = assign.name.value
        expander = self.expander(scope)
        if assign.index is not None:
            self._expression(assign.index, scope)
        if assign.array is not None:
            scope.variables[name] = self._array(assign.array, expander)
            scope.tags[name] = frozenset(expander.tags)
            return
        value = expander.value(assign.value)
        before = scope.variables.get(name, UNKNOWN)
        tags = frozenset(expander.tags)
        if assign.append:
            known = isinstance(before, str) and len(before) < LONGEST
            value = before + value if known and isinstance(before, str) else UNKNOWN
            tags |= scope.tags.get(name, NO_TAGS)
        if assign.index is not None:
            scope.variables[name] = UNKNOWN
        else:
            scope.variables[name] = value
        scope.tags[name] = tags
        self._risky(name, value, exported=exported)

    def _array(self, array: tree.Array, expander: Expander) -> list[str]:
        values: list[str] = []
        for element in array.elems:
            if element.value is not None:
                values += [field.text for field in expander.fields(element.value)]
            if sum(map(len, values[-50:])) > LONGEST or len(values) > LONGEST:
                return [UNKNOWN]
        return values

    def _risky(self, name: str, value: str, *, exported: bool) -> None:
        risk = assignment_risk(name, value, self.situation, exported=exported)
        if risk:
            self.flag("runs-unknown-code", "destructive", risk)

    # Calls.

    def _call(self, cmd: tree.CallExpr, scope: Scope, stdin: Stream) -> Stream:
        if not cmd.args:
            for assign in cmd.assigns:
                self.assign(assign, scope)
            return NOTHING
        inner = scope
        if cmd.assigns:
            inner = scope.copy()
            for assign in cmd.assigns:
                self.assign(assign, inner, exported=True)
        if _known_evaluation(cmd):
            return NOTHING
        # The words are expanded before a prefix assignment counts, as the shell does it.
        expander = self.expander(scope)
        fields: list[Field] = []
        for word in cmd.args:
            fields += expander.fields(word)
        if not fields:
            return NOTHING
        if cmd.assigns and fields[0].text in ("cd", "export", "alias", "set", "eval"):
            inner = scope
        return self.run_words(fields, inner, stdin)

    def run_words(self, fields: list[Field], scope: Scope, stdin: Stream) -> Stream:
        """Follow a command that is given as words."""
        self.steps += 1
        if self.steps > MOST_STEPS or self.deep > DEEPEST_CALLS:
            self.flag("unreadable", "unknown", "is too large or too deeply nested to follow")
            return UNSEEN
        self.deep += 1
        try:
            from aish.core.safety.programs import run

            return run(ProgramCall(self, fields, scope, stdin))
        finally:
            self.deep -= 1


def _known_evaluation(cmd: tree.CallExpr) -> bool:
    """`eval "$(ssh-agent -s)"` and its like: the exact forms that manuals give."""
    if len(cmd.args) != 2 or _literal(cmd.args[0]) != "eval":
        return False
    parts = cmd.args[1].parts
    if len(parts) == 1 and isinstance(parts[0], tree.DblQuoted):
        parts = parts[0].parts
    match parts:
        case (tree.CmdSubst(stmts=(Stmt(cmd=tree.CallExpr(assigns=(), args=args), redirs=()),)),):
            return known_evaluation(" ".join(_literal(word) for word in args))
    return False


def _always(loop: tree.WhileClause) -> bool:
    """Whether the condition of a loop never ends it."""
    if len(loop.cond) != 1:
        return False
    stmt = loop.cond[0]
    match stmt.cmd:
        case tree.CallExpr(args=args):
            words = [_literal(word) for word in args]
            if words in ([":"], ["true"], ["/bin/true"]):
                return not loop.until and not stmt.negated
            if words == ["false"]:
                return loop.until != stmt.negated
            return words[:1] in (["["], ["test"]) and len([w for w in words[1:] if w != "]"]) == 1
        case tree.ArithmCmd(x=tree.Word(parts=(tree.Lit(value=value),))):
            return value != "0" and not loop.until
        case tree.TestClause(x=tree.Word() | tree.UnaryTest(x=tree.Word(parts=(tree.Lit(),)))):
            return not loop.until
    return False


def _literal(word: tree.Word) -> str:
    text = ""
    for part in word.parts:
        match part:
            case tree.Lit(value=value) | tree.SglQuoted(value=value):
                text += value
            case tree.DblQuoted(parts=(tree.Lit(value=value),)):
                text += value
            case _:
                text += UNKNOWN
    return text


def _all_statements(stmts: tuple[Stmt, ...]) -> list[Stmt]:
    """Every statement in a body, those of its own blocks included."""
    found: list[Stmt] = []
    pending = list(stmts)
    while pending:
        stmt = pending.pop()
        found.append(stmt)
        match stmt.cmd:
            case tree.Block(stmts=inner) | tree.Subshell(stmts=inner):
                pending += inner
            case tree.BinaryCmd(x=x, y=y):
                pending += (x, y)
            case tree.IfClause() as branch:
                part: tree.IfClause | tree.Else | None = branch
                while part is not None:
                    pending += (*part.cond, *part.then)
                    part = part.else_
            case tree.WhileClause(cond=cond, do=do):
                pending += (*cond, *do)
            case tree.ForClause(do=do):
                pending += do
            case tree.CaseClause(items=items):
                for item in items:
                    pending += item.stmts
            case tree.TimeClause(stmt=Stmt() as one) | tree.CoprocClause(stmt=one):
                pending.append(one)
    return found


def _names(stmts: tuple[Stmt, ...]) -> list[str]:
    """The programs a body names outright."""
    return [
        _literal(stmt.cmd.args[0])
        for stmt in _all_statements(stmts)
        if isinstance(stmt.cmd, tree.CallExpr) and stmt.cmd.args
    ]
