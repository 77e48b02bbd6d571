"""Shells, languages and editors that run code given to them."""

from __future__ import annotations

import re
from collections.abc import Callable

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.languages.awk import awk_risk
from aish.core.safety.languages.python import python_risk
from aish.core.safety.languages.scripts import script_risk
from aish.core.safety.languages.sed import sed_risk
from aish.core.safety.paths import ENDLESS, canonical, zone
from aish.core.safety.programs.generic import filtered
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream


def shell(call: ProgramCall) -> Stream:
    """sh, bash and their like: `-c`, a file, or the input."""
    args = call.args
    at = 0
    text_follows = reads_input = False
    while at < len(args) and re.match(r"[-+]\w|--\w|-$", args[at].text):
        option = args[at].text
        if option in ("--rcfile", "--init-file"):
            call.unsure(
                "runs-unknown-code",
                f"runs {args[at + 1].text if at + 1 < len(args) else 'a file'} first",
            )
            at += 2
            continue
        if option == "-":
            at += 1
            break
        if not option.startswith("--"):
            text_follows = text_follows or "c" in option
            reads_input = reads_input or "s" in option
            if "n" in option and "c" not in option:
                return UNSEEN  # only reads the syntax
            if re.fullmatch(r"[-+]\w*[oO]", option):
                at += 1
        at += 1
    rest = args[at:]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    if text_follows:
        return _inline(call, rest)
    if rest and not reads_input:
        return _script(call, rest)
    return _from_input(call)


def _inline(call: ProgramCall, rest: list[Field]) -> Stream:
    if not rest:
        return UNSEEN
    scope = call.scope.copy()
    scope.positional = rest[2:]
    scope.aliases = {}
    text = rest[0].text
    if rest[0].tags & {"network"}:
        call.destructive("runs-unknown-code", "runs what it downloads, without a look at it")
    if len(rest) > 1:
        text = text.replace("$0", rest[1].text if rest[1].known else UNKNOWN)
    return call.reader.run_text(text, scope, call.stdin)


def _script(call: ProgramCall, rest: list[Field]) -> Stream:
    target = rest[0]
    content = target.stream
    path = canonical(target.text, call.scope.cwd, call.reader.situation.home)
    if content is None:
        content = call.scope.files.get(path)
    if content is not None and content.text is not None:
        scope = call.scope.copy()
        scope.positional = rest[1:]
        return call.reader.run_text(content.text, scope, call.stdin)
    if content is not None and "network" in content.tags:
        call.destructive("runs-unknown-code", "runs what it downloads, without a look at it")
    else:
        shown = (
            target.text.replace(UNKNOWN, "…")
            if target.stream is None
            else "another command's output"
        )
        call.unsure("runs-unknown-code", f"runs the script {shown}, which aish has not read", path)
    return UNSEEN


def _from_input(call: ProgramCall) -> Stream:
    stdin = call.stdin
    if not stdin.piped:
        return UNSEEN  # an interactive shell: its user types
    if stdin.known():
        scope = call.scope.copy()
        scope.aliases = {}
        return call.reader.run_text(stdin.text or "", scope, Stream(piped=False))
    what = "what it downloads" if "network" in stdin.tags else "whatever its input says"
    call.destructive("runs-unknown-code", f"runs {what} as commands, without a look at it")
    return UNSEEN


_PY_MODULES = frozenset(
    (
        "json.tool http.server pytest unittest py_compile compileall timeit site this venv mypy "
        "pyflakes flake8 pylint black ruff isort doctest trace tokenize ast dis calendar platform "
        "sysconfig zipfile-l tox coverage pydoc json.decoder build tabnanny pip pyright bandit "
        "virtualenv sphinx mkdocs base64 inspect antigravity pstats nose"
    ).split()
)


def python(call: ProgramCall) -> Stream:
    args = call.args
    at = 0
    while at < len(args):
        text = args[at].text
        if text in ("-V", "--version", "-VV", "-h", "--help"):
            return UNSEEN
        if text == "-c" or re.fullmatch(r"-[bBdEhiIOqsSuvx]*c", text):
            return _code(call, args[at + 1] if at + 1 < len(args) else Field(""), python_risk)
        if text.startswith("-c") and len(text) > 2:
            return _code(call, Field(text[2:]), python_risk)
        if text == "-m":
            return _python_module(call, args[at + 1 :])
        if text in ("-W", "-X"):
            at += 2
            continue
        if text.startswith("-") and text != "-":
            at += 1
            continue
        break
    rest = args[at:]
    if rest and rest[0].text != "-":
        return _program_file(call, rest, "python")
    return _code_from_input(call, python_risk)


def _python_module(call: ProgramCall, rest: list[Field]) -> Stream:
    name = rest[0].text if rest else ""
    if name in (
        "pip",
        "pytest",
        "black",
        "ruff",
        "mypy",
        "coverage",
        "tox",
        "isort",
        "flake8",
        "pylint",
        "build",
    ):
        if name == "build":
            return UNSEEN
        return call.run(rest)
    if name in ("zipfile", "tarfile") and len(rest) > 1 and rest[1].text in ("-l", "--list", "-t"):
        return UNSEEN
    if name == "http.server":
        return _serves(call, rest[1:])
    if name == "json.tool":
        for target in [word for word in rest[1:] if not word.text.startswith("-")][1:2]:
            writing.write(call.reader, target, call.scope, by="json.tool")
    if name in _PY_MODULES:
        return UNSEEN
    if name in ("json.tool",):
        return call.stdin.after()
    call.unsure("runs-unknown-code", f"runs the Python module {name or '?'}")
    return UNSEEN


def _serves(call: ProgramCall, rest: list[Field]) -> Stream:
    """A web server for files: what it opens to others decides."""
    inner = ProgramCall(call.reader, [Field("http.server"), *rest], call.scope, call.stdin)
    inner.parse("-d --directory -b --bind -p --protocol")
    place = inner.value("-d", "--directory")
    situation = call.reader.situation
    path = canonical(place.text if place else ".", call.scope.cwd, situation.home)
    if path in ("/", situation.home) or zone(path, situation) in ("system", "startup"):
        call.destructive(
            "network", f"shows all files of {writing.name(call.reader, path)} to others"
        )
    return UNSEEN


def _program_file(call: ProgramCall, rest: list[Field], language: str) -> Stream:
    name = rest[0].text.rsplit("/", 1)[-1]
    verb = rest[1].text if len(rest) > 1 else ""
    if name == "manage.py" and verb == "shell" and {"-c", "--command"} & {w.text for w in rest}:
        call.unsure("runs-unknown-code", "runs code inside the project")
        return UNSEEN
    if name == "manage.py" and {"--help", "--plan"} & {w.text for w in rest}:
        return UNSEEN
    if name == "manage.py" and verb in ("dumpdata", "check", "showmigrations", "test", "runserver", "help", "version", "diffsettings",
                                        "sqlmigrate", "inspectdb", "shell", "makemigrations", "findstatic"):  # fmt: skip
        return UNSEEN
    if name == "manage.py":
        level = re.search(r"flush|reset|migrate|delete|clear|drop|loaddata|remove|squash", verb)
        if level:
            call.destructive("database", f"changes the database (manage.py {verb})")
            return UNSEEN
    if name == "artisan":
        return _artisan(call, verb)
    call.unsure(
        "runs-unknown-code", f"runs {rest[0].text.replace(UNKNOWN, '…')}, which aish has not read"
    )
    return UNSEEN


def _artisan(call: ProgramCall, verb: str) -> Stream:
    if "--pretend" in call.texts:
        return UNSEEN
    if verb in ("list", "migrate:status", "route:list", "about", "test", "help", "env", "serve"):
        return UNSEEN
    call.destructive("database", f"runs artisan {verb}, which may change the database")
    return UNSEEN


Risk = Callable[[str], str]


def _code(call: ProgramCall, code: Field, risk: Risk) -> Stream:
    if not code.known:
        call.unsure("runs-unknown-code", "runs code that is only known when it runs")
        return UNSEEN
    if code.tags & {"network"}:
        call.destructive("runs-unknown-code", "runs what it downloads, without a look at it")
    why = risk(code.text)
    if why:
        level = "destructive" if re.search(r"without end|memory|write", why) else "unknown"
        kind = "resource" if re.search(r"without end|memory", why) else "runs-unknown-code"
        call.flag(kind, level, f"runs {call.program} code that {why}")  # type: ignore[arg-type]
    return UNSEEN


def _code_from_input(call: ProgramCall, risk: Risk) -> Stream:
    stdin = call.stdin
    if not stdin.piped:
        return UNSEEN
    if stdin.text is None:
        what = "what it downloads" if "network" in stdin.tags else "whatever its input says"
        call.destructive("runs-unknown-code", f"runs {what} as {call.program} code")
        return UNSEEN
    return _code(call, Field(stdin.text), risk)


_LANGUAGES = {
    "perl": ("perl", "-e -E", "-I -M -m -F -C", "-c -v -V"),
    "ruby": ("ruby", "-e", "-r -I -C -E -K", "-c -v --version"),
    "node": (
        "node",
        "-e --eval -p --print -pe",
        "-r --require --import --inspect",
        "-v --version -c --check",
    ),
    "nodejs": ("node", "-e --eval -p --print", "-r --require", "-v --version -c --check"),
    "bun": ("node", "-e --eval -p --print", "-r", "-v --version"),
    "php": ("php", "-r", "-d -c -z", "-l -v -i -m -s --version --ini"),
    "lua": ("lua", "-e", "-l", "-v"),
    "luajit": ("lua", "-e", "-l", "-v"),
    "Rscript": ("r", "-e", "", "--version"),
}


def language(call: ProgramCall) -> Stream:
    kind, inline, takes, safe = _LANGUAGES[call.program]
    call.parse(f"{inline} {takes}", first_operand_ends=True)
    if call.has(*safe.split()) and not call.values(*inline.split()):
        return UNSEEN
    for value in (
        call.values("-r", "--require", "--import", "-M", "-m", "-l") if kind != "php" else ()
    ):
        modules = {
            "POSIX",
            "strict",
            "warnings",
            "json",
            "List::Util",
            "Data::Dumper",
            "MIME::Base64",
            "date",
            "time",
            "utf8",
        }
        if value.text.split("=")[0] not in modules:
            call.unsure("runs-unknown-code", f"{call.program} loads {value.text}")
    if kind in ("perl", "ruby") and call.has("-i"):
        call.destructive("writes", f"{call.program} changes files in place")
    code = call.values(*inline.split())
    if code:
        for one in code:
            _code(call, one, lambda text: script_risk(text, kind))
        return call.stdin.after()
    if call.operands and call.operands[0].text != "-":
        if kind == "node" and call.has("--test"):
            return UNSEEN
        return _program_file(call, call.operands, kind)
    if call.stdin.piped:
        return _code_from_input(call, lambda text: script_risk(text, kind))
    return UNSEEN


def awk(call: ProgramCall) -> Stream:
    call.parse(
        "-F -v -f -i -e -l -m -E --exec --file --source --include --load --assign --field-separator",
        first_operand_ends=True,
    )
    if call.value("-i", "--include") is not None or call.has("-l", "--load"):
        call.destructive("writes", "awk changes files in place or loads other code")
    if call.value("-f", "--file", "-E", "--exec") is not None:
        file = call.value("-f", "--file", "-E", "--exec")
        call.unsure("runs-unknown-code", f"runs the awk program in {file.text if file else '?'}")
    programs = call.values("-e", "--source")
    operands = call.operands
    if not programs and call.value("-f", "--file") is None and operands:
        programs, operands = operands[:1], operands[1:]
    for program in programs:
        why, written = awk_risk(program.text.replace(UNKNOWN, "_"))
        if why:
            call.destructive(
                "resource" if "end" in why else "runs-unknown-code",
                f"runs an awk program that {why}",
            )
        for name, adds in written:
            writing.write(call.reader, Field(name), call.scope, by="awk", append=adds)
            if name not in ("/dev/stderr", "/dev/stdout", "/dev/null", "/dev/tty", "-"):
                call.unsure("writes", f"awk writes to {name}")
    call.operands = operands
    return filtered(call)


def sed(call: ProgramCall) -> Stream:
    call.parse("-e -f -l  --expression --file --line-length", first_operand_ends=False)
    scripts = call.values("-e", "--expression")
    operands = call.operands
    if call.value("-f", "--file") is not None:
        call.unsure("runs-unknown-code", "runs a sed program that aish has not read")
    elif not scripts and operands:
        scripts, operands = operands[:1], operands[1:]
    for script in scripts:
        why, written = sed_risk(script.text.replace(UNKNOWN, "_"))
        if why:
            call.destructive("runs-unknown-code", f"runs a sed program that {why}")
        for name in written:
            writing.write(call.reader, Field(name), call.scope, by="sed")
            if name not in ("/dev/stdout", "/dev/stderr", "/dev/null"):
                call.unsure("writes", f"sed writes to {name}")
    in_place = [
        o.name
        for o in call.options
        if re.match(r"-i|--in-place", o.name) or re.fullmatch(r"-[nEruslz]*i.*", o.name)
    ]
    if in_place or any(re.match(r"--in-place", text) for text in call.texts):
        for operand in operands or [Field("files")]:
            call.destructive("writes", f"changes {operand.text} in place",
                             canonical(operand.text, call.scope.cwd, call.reader.situation.home))  # fmt: skip
    call.operands = operands
    return filtered(call)


def editor(call: ProgramCall) -> Stream:
    """vim, less and others whose `+` and `-c` run commands."""
    takes = "-c --cmd -S -u -s -p -t"
    call.parse(takes)
    commands = [
        *call.values("-c", "--cmd"),
        *(Field(t[1:]) for t in call.texts if t.startswith("+")),
    ]
    for command in commands:
        text = command.text.lstrip(":")
        if text.startswith("!"):
            call.run_text(text[1:])
        if not re.fullmatch(r"\d*|/.*|set \w+|syntax \w+|q!?|G|F", text):
            call.unsure("runs-unknown-code", f"{call.program} runs the command {command.text}")
    if any(operand.text in ENDLESS for operand in call.operands):
        call.destructive("resource", "reads without end, until the memory is full")
    scripted = call.has("-es", "-Es", "-e", "-s", "-S", "-u", "-l") or (
        call.stdin.piped and "-" not in call.texts
    )
    if scripted and call.program != "nano":
        call.unsure("writes", f"{call.program} edits a file by a script")
    if call.program == "less":
        return filtered(call)
    return UNSEEN


def less(call: ProgramCall) -> Stream:
    for text in call.texts:
        if text.startswith("+") and "!" in text:
            call.run_text(text.partition("!")[2])
            call.destructive("runs-unknown-code", "less runs a command")
    if any(
        t in ("-k", "--lesskey-file", "-o", "-O", "--log-file", "--LOG-FILE") for t in call.texts
    ):
        call.unsure("writes", "less writes a file or reads other keys")
    call.parse("-p -t -j -x -D")
    return filtered(call)


def emacs(call: ProgramCall) -> Stream:
    if any(
        t in ("--batch", "--eval", "-l", "--load", "--script", "-f", "--funcall", "-batch", "-eval")
        for t in call.texts
    ):
        call.unsure("runs-unknown-code", "runs Lisp code that aish does not read")
    return UNSEEN


RULES = {
    **dict.fromkeys(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "yash", "oksh", "tcsh", "csh"], shell),
    **dict.fromkeys(["python", "python2", "python3", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14", "pypy", "pypy3"], python),
    **dict.fromkeys(_LANGUAGES, language),
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], awk), "sed": sed, "gsed": sed,
    **dict.fromkeys(["vim", "vi", "nvim", "view", "ex", "rvim", "gvim"], editor), "less": less, "more": less, "most": less,
    "emacs": emacs, "emacsclient": emacs,
}  # fmt: skip
