"""What the shell itself does: echo, cd, eval, source, alias, trap, set, read, exec."""

from __future__ import annotations

import re

from aish.core.safety.call import ProgramCall
from aish.core.safety.expand import ansi_text
from aish.core.safety.paths import canonical, is_secret
from aish.core.safety.scope import Field
from aish.core.safety.streams import LONGEST, NOTHING, UNKNOWN, UNSEEN, Stream

_OWN_STARTUP = re.compile(r"/\.(bashrc|bash_profile|profile|zshrc|bash_aliases|zprofile|zshenv)\Z")
_ACTIVATE = re.compile(r"(^|/)\.?(venv|env|virtualenv)[\w.-]*/bin/activate(\.fish|\.csh)?\Z")


def echo(call: ProgramCall) -> Stream:
    words = call.args
    text_words = [word.text for word in words]
    newline, escapes = "\n", False
    while text_words and re.fullmatch(r"-[neE]+", text_words[0]):
        newline = "" if "n" in text_words[0] else newline
        escapes = escapes or "e" in text_words[0]
        text_words.pop(0)
    text = " ".join(text_words)
    text = ansi_text(text) if escapes else text
    return Stream(text + newline if len(text) < LONGEST else None, tags=_tags(words))


def printf(call: ProgramCall) -> Stream:
    args = list(call.args)
    target = ""
    if len(args) > 1 and args[0].text == "-v":
        target = args[1].text
        args = args[2:]
    if args and args[0].text == "--":
        args = args[1:]
    if not args:
        return NOTHING
    text = _formatted(args[0].text, [arg.text for arg in args[1:]])
    if re.search(r"%[-+0 #]*\d{7,}", args[0].text):
        call.destructive("resource", "prints more than the memory holds")
    if target:
        call.scope.variables[target] = UNKNOWN if text is None else text
        return NOTHING
    return Stream(text, tags=_tags(args))


def _formatted(template: str, values: list[str]) -> str | None:
    pieces: list[str] = []
    rest = list(values)
    while True:
        before = len(rest)

        def one(found: re.Match[str]) -> str:
            kind = found.group(1)
            if kind == "%":
                return "%"
            value = rest.pop(0) if rest else ""
            if kind == "b":
                return ansi_text(value)
            return value

        pieces.append(re.sub(r"%[-+0 #]*\d*(?:\.\d+)?([a-zA-Z%])", one, ansi_text(template)))
        if not rest or len(rest) == before or len(pieces) > 200:
            break
    text = "".join(pieces)
    return text if len(text) < LONGEST else None


def _tags(words: list[Field]) -> frozenset[str]:
    return frozenset[str]().union(*(word.tags for word in words))


def cd(call: ProgramCall) -> Stream:
    targets = [word for word in call.args if not re.fullmatch(r"-[LPe@]+|--", word.text)]
    if not targets:
        call.scope.cwd = call.reader.situation.home
    elif targets[0].text == "-" or not targets[0].known:
        call.scope.cwd = UNKNOWN
    else:
        call.scope.cwd = canonical(targets[0].text, call.scope.cwd, call.reader.situation.home)
    return NOTHING


def evaluate(call: ProgramCall) -> Stream:
    """`eval`: the words, joined, are a command."""
    text = " ".join(call.texts)
    if not text.strip():
        return NOTHING
    return call.reader.run_text(text, call.scope, call.stdin)


def source(call: ProgramCall) -> Stream:
    if not call.args:
        return NOTHING
    target = call.args[0]
    if target.stream is not None and target.stream.text is not None:
        return call.reader.run_text(target.stream.text, call.scope, call.stdin)
    path = canonical(target.text, call.scope.cwd, call.reader.situation.home)
    written = call.scope.files.get(path)
    home = call.reader.situation.home
    if written is not None and written.text is not None:
        return call.reader.run_text(written.text, call.scope, call.stdin)
    if target.known and (
        _ACTIVATE.search(target.text) or (_OWN_STARTUP.search(path) and path.startswith(home))
    ):
        return NOTHING
    what = "a command's output" if target.stream is not None else target.text.replace(UNKNOWN, "…")
    call.unsure("runs-unknown-code", f"runs the commands in {what}, which aish has not read", path)
    return UNSEEN


def alias(call: ProgramCall) -> Stream:
    for word in call.args:
        name, equals, value = word.text.partition("=")
        if equals:
            scope = call.scope.copy()
            scope.calls = (*scope.calls, name)
            call.reader.run_text(value, scope, call.stdin)
            call.scope.aliases[name] = value
    return NOTHING


def trap(call: ProgramCall) -> Stream:
    args = [word for word in call.args if word.text != "--"]
    if args and not args[0].text.startswith("-") and len(args) > 1 and args[0].text:
        call.reader.run_text(args[0].text, call.scope.copy())
    return NOTHING


def set_(call: ProgramCall) -> Stream:
    args = call.args
    if call.texts[:2] == ["+o", "history"]:
        call.destructive("writes", "stops the shell from keeping its history")
    if args and args[0].text == "--":
        call.scope.positional = args[1:]
    elif args and not args[0].text.startswith(("-", "+")):
        call.scope.positional = args
    if not args:
        return Stream(tags=frozenset(("environment",)))
    return NOTHING


def unset(call: ProgramCall) -> Stream:
    for name in call.texts:
        call.scope.variables.pop(name, None)
        call.scope.functions.pop(name, None)
        if name.startswith("HIST"):
            call.destructive("writes", "stops the shell from keeping its history")
    return NOTHING


def read(call: ProgramCall) -> Stream:
    call.parse("-p -t -n -N -d -u -i -a")
    names = [operand.text for operand in call.operands] or ["REPLY"]
    if call.stdin.endless and not call.has("-n", "-N") and call.stdin.origin:
        call.destructive("resource", "reads without end, until the memory is full")
    text = call.stdin.text if call.stdin.known() else None
    lines = (text or "").split("\n")
    for position, name in enumerate(names):
        whole = text is not None and len(names) == 1
        call.scope.variables[name] = lines[0] if whole and position == 0 else UNKNOWN
        call.scope.tags[name] = call.stdin.tags
    array = call.value("-a")
    if array is not None:
        call.scope.variables[array.text] = UNKNOWN
    return NOTHING


def mapfile(call: ProgramCall) -> Stream:
    call.parse("-n -O -s -u -C -c -d")
    if call.stdin.endless and not call.has("-n"):
        call.destructive("resource", "reads without end, until the memory is full")
    callback = call.value("-C")
    if callback is not None:
        call.run_text(callback.text)
    for operand in call.operands[:1]:
        text = call.stdin.text if call.stdin.known() else None
        known: str | list[str] = UNKNOWN if text is None else text.rstrip("\n").split("\n")
        call.scope.variables[operand.text] = known
    return NOTHING


def through(call: ProgramCall) -> Stream:
    """`command`, `builtin`, `exec`: the rest is the command."""
    call.parse("-a", first_operand_ends=True)
    if call.has("-v", "-V"):
        return UNSEEN
    return call.run(call.operands) if call.operands else NOTHING


def environment(call: ProgramCall) -> Stream:
    return Stream(tags=frozenset(("environment",)))


def yes(call: ProgramCall) -> Stream:
    return Stream(endless=True)


def history(call: ProgramCall) -> Stream:
    if any(re.fullmatch(r"-[cdwrans]\w*", text) for text in call.texts):
        call.destructive("writes", "changes the shell's history")
    return Stream(tags=frozenset(("environment",)))


def seq(call: ProgramCall) -> Stream:
    numbers = [t for t in call.texts if re.fullmatch(r"-?\d+(\.\d+)?", t)]
    tiny = len(numbers) == 3 and re.match(r"0\.0000", numbers[1])
    if any(len(n) > 9 for n in numbers) or tiny or "inf" in call.texts:
        call.destructive("resource", "prints numbers until the disk or the memory is full")
        return Stream(endless=True)
    if len(numbers) == len(call.texts) and all(n.isdigit() and len(n) < 3 for n in numbers):
        first = int(numbers[0]) if len(numbers) == 2 else 1
        return Stream("".join(f"{n}\n" for n in range(first, int(numbers[-1]) + 1)))
    return UNSEEN


def pathname(call: ProgramCall) -> Stream:
    """`which rm`, `command -v rm`: prints the program's name."""
    known = [text for text in call.texts if not text.startswith("-")]
    return (
        Stream("".join(f"/usr/bin/{name.rsplit('/', 1)[-1]}\n" for name in known))
        if known
        else UNSEEN
    )


def machine(call: ProgramCall) -> Stream:
    """What tells one machine or user from another, when it is sent somewhere."""
    return Stream(tags=frozenset(("machine",)))


def silent(call: ProgramCall) -> Stream:
    return NOTHING


def printenv(call: ProgramCall) -> Stream:
    secret = any(is_secret(text) for text in call.texts)
    return Stream(tags=frozenset(("environment", *(("secret",) if secret else ()))))


def pwd(call: ProgramCall) -> Stream:
    return Stream(call.scope.cwd + "\n")


def ulimit(call: ProgramCall) -> Stream:
    if "unlimited" in call.texts:
        call.unsure("resource", "takes a limit of this shell away")
    return UNSEEN


RULES = {
    "echo": echo, "printf": printf, "print": echo, "cd": cd, "pushd": cd, "chdir": cd, "eval": evaluate,
    "source": source, ".": source, "alias": alias, "unalias": silent, "trap": trap, "set": set_, "unset": unset,
    "read": read, "mapfile": mapfile, "readarray": mapfile, "command": through, "builtin": through, "exec": through,
    "printenv": printenv, "yes": yes, "history": history, "seq": seq, "which": pathname, "true": silent, ":": silent,
    "false": silent, "test": silent, "[": silent, "pwd": pwd, "ulimit": ulimit, "enable": environment, "local": silent,
    **dict.fromkeys(["whoami", "id", "uname", "hostid", "arp", "w", "who", "last"], machine),
    "shopt": silent, "hash": silent,
}  # fmt: skip
