"""Programs with subcommands: containers, clusters, clouds, packages, project tasks."""

from __future__ import annotations

import re
from itertools import pairwise

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.expand import SECRET_NAME
from aish.core.safety.languages.sql import sql_risk
from aish.core.safety.programs.generic import DRY
from aish.core.safety.programs.subcommands import DESTROYING, READING, TOOLS, SubcommandProgram
from aish.core.safety.programs.system import QUIET_TARGET, RISKY_TARGET
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream
from aish.core.safety.verdict import EffectKind, Level

# Verbs that change something, where a word before or after them looks as if it only read.
CHANGING = frozenset(
    (
        "create update set put add apply import push write enable edit patch attach register "
        "exec deploy publish upload send bind grant invoke promote scale unset merge sync upgrade"
    ).split()
)
_KNOWN_REGISTRIES = re.compile(
    r"(docker\.io|ghcr\.io|quay\.io|([a-z.-]+\.)?gcr\.io|mcr\.microsoft\.com|public\.ecr\.aws|registry\.k8s\.io|nvcr\.io|localhost(:\d+)?|registry\.gitlab\.com|[\w-]+-docker\.pkg\.dev)/"
)
_WORD = re.compile(r"[A-Za-z][\w:.-]*\Z")


def tool(call: ProgramCall) -> Stream:
    """Judge by the subcommand; a special rule goes before the table."""
    spec = TOOLS[call.program]
    call.parse(spec.takes)
    words = [o.text for o in call.operands]
    special = _SPECIAL.get(call.program)
    if special is not None:
        handled = special(call, words)
        if handled:
            return UNSEEN
    if (
        words[:1] == ["help"]
        or _is_dry(call, spec)
        or (call.texts[-1:] == ["-h"] and len(call.texts) > 1)
    ):
        return UNSEEN
    if _reads(call, spec, words):
        return Stream()
    _flag(call, spec, words)
    return UNSEEN


def _is_dry(call: ProgramCall, spec: SubcommandProgram) -> bool:
    names = {*spec.dry.split(), *DRY}
    for option in call.options:
        if option.name in names and not (
            option.value is not None and option.value.text in ("none", "false")
        ):
            return True
    return False


def _reads(call: ProgramCall, spec: SubcommandProgram, words: list[str]) -> bool:
    names = {option.name for option in call.options}
    if not words:
        return not names or bool(
            names & (spec.reads | {"--version", "--help", "-v", "-V", "-l", "--list"})
        )
    if any(UNKNOWN in word for word in words[:2]):
        return False
    for depth in (3, 2, 1):
        path = "/".join(words[:depth])
        if path in spec.reads:
            following = words[depth] if len(words) > depth else ""
            groups = "/" in path or any(name.startswith(path + "/") for name in spec.reads)
            return not (groups and following in DESTROYING | CHANGING)
    if names & {name for name in spec.reads if name.startswith("-")}:
        return True
    return spec.by_verb and _reading_verb(words)


def _pieces(word: str) -> list[str]:
    return [piece for piece in re.split(r"[:.-]", word) if piece]


def _reading_verb(words: list[str]) -> bool:
    """`compute instances list`, `describe-instances`, `apps:info`: a reading verb, and no other."""
    subcommands = []
    for word in words[:4]:
        if not _WORD.match(word):
            break
        subcommands.append(word)
    if any(_destroying(word) for word in subcommands[:3]):
        return False
    for place, word in enumerate(subcommands[:4]):
        pieces = _pieces(word)
        verb = pieces[-1] if re.search(r"[:.]", word) else pieces[0]
        if verb in CHANGING:
            return False
        if word in READING or verb in READING:
            # `versions destroy`: what reads like a verb may be a thing that something is done to.
            return not set(subcommands[place + 1 : place + 2]) & (DESTROYING | CHANGING)
    return False


def _destroying(word: str) -> bool:
    pieces = _pieces(word)
    if word in DESTROYING or (pieces and pieces[0] in DESTROYING):
        return True
    return ":" in word and any(piece in DESTROYING for piece in pieces)


def _hg(call: ProgramCall, words: list[str]) -> bool:
    if any(text.startswith("--config") for text in call.texts):
        call.unsure("runs-unknown-code", "hg obeys settings that may run programs")
    return False


def _bq(call: ProgramCall, words: list[str]) -> bool:
    if words[:1] != ["query"]:
        return False
    for statement in words[1:]:
        why, destroys = sql_risk(statement.replace(UNKNOWN, "0"))
        if why:
            call.flag("database", "destructive" if destroys else "unknown", why)
    return True


def _flag(call: ProgramCall, spec: SubcommandProgram, words: list[str]) -> None:
    shown = " ".join([call.program, *words[:3]]).replace(UNKNOWN, "…")
    kind: EffectKind = spec.kind
    if any(_destroying(word) for word in words[:4]) or any(
        _destroying(o.name.lstrip("-")) for o in call.options
    ):
        call.destructive(kind, f"{shown}: deletes, stops or replaces something")
    else:
        call.unsure(kind, f"{shown}: changes something that aish cannot see")


# Containers.

_RUN_TAKES = (
    "-v --volume -e --env -p --publish -w --workdir -u --user --name --network --net --entrypoint -m --memory --cpus --mount --label -l --hostname -h "
    "--env-file --platform --device --cap-add --security-opt --pid --ipc --restart --ulimit --shm-size --gpus --add-host --link --log-driver --pull --userns --tmpfs"
)


def _docker(call: ProgramCall, words: list[str]) -> bool:
    args = call.args
    at = 0
    takes = set(TOOLS["docker"].takes.split())
    while at < len(args) and args[at].text.startswith("-"):
        at += 2 if args[at].text in takes else 1
    if at < len(args) and args[at].text in ("container", "image"):
        at += 1
    if at < len(args) and args[at].text == "compose":
        return _compose(call, args[at + 1 :])
    verb = args[at].text if at < len(args) else ""
    inner = ProgramCall(call.reader, args[at:] or call.words, call.scope, call.stdin)
    if verb in ("run", "create"):
        inner.parse(_RUN_TAKES, first_operand_ends=True)
        return _container_run(call, inner)
    if verb == "login" and any(t.startswith(("-p", "--password=")) for t in inner.texts):
        call.unsure("secret", "sends a password that stands in the command")
        return True
    if verb == "exec":
        inner.parse(
            "-e --env -w --workdir -u --user --env-file --detach-keys", first_operand_ends=True
        )
        command = inner.operands[1:]
        if command:
            call.reader.run_words(command, call.scope.copy(), call.stdin)
        return True
    if verb == "cp":
        inner.parse("")
        if len(inner.operands) == 2 and ":" in inner.operands[1].text:
            call.unsure("service", "copies files into a container")
        elif len(inner.operands) == 2:
            target = inner.operands[1]
            place = Field(target.text.rstrip("/") + "/.") if target.text in (".", "./") else target
            writing.write(
                call.reader, place, call.scope, by="docker", keeps=target.text in (".", "./")
            )
        return True
    if verb in ("build", "buildx", "load", "import"):
        inner.parse("-t -f --tag --file --build-arg --target --platform -o --output --secret --ssh")
        if inner.has("--push"):
            call.unsure("remote-state", "publishes an image")
        far = any("://" in o.text or o.text.startswith("git@") for o in inner.operands)
        if far or "network" in call.stdin.tags:
            call.unsure("runs-unknown-code", "builds an image from what it downloads")
        return far
    if verb in ("save", "export"):
        inner.parse("-o --output")
        for value in inner.values("-o", "--output"):
            writing.write(call.reader, value, call.scope, by="docker")
        return True
    return False


def _container_run(call: ProgramCall, inner: ProgramCall) -> bool:
    risky = [
        o.name
        for o in inner.options
        if o.name in ("--privileged", "--device", "--cap-add", "--security-opt", "--userns")
    ]
    if risky or any(v.text == "host" for v in inner.values("--pid", "--ipc", "--userns")):
        call.destructive("privilege", "gives a container rights over this machine")
    mounts = inner.values("-v", "--volume", "--mount")
    for mount in mounts:
        source = (
            mount.text.split(":")[0]
            if "source=" not in mount.text and "src=" not in mount.text
            else re.split(r"(?:source|src)=", mount.text)[1].split(",")[0]
        )
        if source.startswith(("/", "~", ".", UNKNOWN)) and not mount.text.endswith(
            (":ro", ",readonly", ",ro")
        ):
            call.unsure("writes", f"lets a container change {source.replace(UNKNOWN, '…')}", source)
    image = inner.operands[0].text if inner.operands else ""
    if inner.operands and "network" in inner.operands[0].tags:
        call.unsure("runs-unknown-code", "runs an image whose name it downloads")
    if re.match(r"[\w-]+(\.[\w-]+)+(:\d+)?/", image) and not _KNOWN_REGISTRIES.match(image):
        call.unsure("runs-unknown-code", f"runs an image from {image.split('/')[0]}")
    for value in inner.values("-e", "--env"):
        if "=" not in value.text and SECRET_NAME.search(value.text):
            call.unsure("secret", f"hands {value.text} to a container")
    for value in inner.values("--entrypoint"):
        call.run_text(value.text)
    command = inner.operands[1:]
    if command:
        call.reader.run_words(command, call.scope.copy(), call.stdin)
    return True


def _compose(call: ProgramCall, args: list[Field]) -> bool:
    inner = ProgramCall(call.reader, [Field("docker-compose"), *args], call.scope, call.stdin)
    inner.parse(TOOLS["docker-compose"].takes, first_operand_ends=True)
    verb = inner.operands[0].text if inner.operands else ""
    if verb in ("exec", "run"):
        rest = ProgramCall(call.reader, inner.operands, call.scope, call.stdin).parse(
            "-e --env -u --user -w --workdir --index --name -v -p", first_operand_ends=True
        )
        command = rest.operands[1:]
        if command:
            call.reader.run_words(command, call.scope.copy(), call.stdin)
        return True
    tool(inner)
    return True


def _compose_alone(call: ProgramCall, words: list[str]) -> bool:
    verb = words[0] if words else ""
    if verb == "up" and {"-V", "--renew-anon-volumes", "--remove-orphans"} & set(call.texts):
        call.unsure("service", "throws containers or their volumes away")
    return _compose(call, call.args) if verb in ("exec", "run") else False


def _kubectl(call: ProgramCall, words: list[str]) -> bool:
    if words[:1] == ["proxy"] and any(
        t.startswith(("--address", "--accept-hosts")) for t in call.texts
    ):
        call.unsure("network", "opens the cluster to others")
        return True
    if words[:1] in (["exec"], ["debug"], ["run"]):
        texts = call.texts
        if "--" in texts:
            command = call.args[texts.index("--") + 1 :]
            if command:
                call.reader.run_words(command, call.scope.copy(), call.stdin)
            return words[0] == "exec"
        if words[0] == "exec":
            command = call.operands[2:]
            if command:
                call.reader.run_words(command, call.scope.copy(), call.stdin)
            else:
                call.unsure("remote-state", "opens a shell in a container")
            return True
    if words[:1] == ["cp"]:
        call.unsure("remote-state", "copies files to or from a container")
        return True
    return False


def _exec_after_dashes(call: ProgramCall, words: list[str]) -> bool:
    """`lxc exec c -- cmd`, `op run -- cmd`: the command stands after the dashes."""
    texts = call.texts
    if words[:1] in (["exec"], ["run"]) and "--" in texts:
        command = call.args[texts.index("--") + 1 :]
        if command:
            call.reader.run_words(command, call.scope.copy(), call.stdin)
        return True
    if call.program == "vagrant" and words[:1] == ["ssh"]:
        text = next((t for p, t in pairwise(texts) if p in ("-c", "--command")), "")
        if text:
            call.run_text(text)
        return True
    return False


# Clouds.


def _gcloud(call: ProgramCall, words: list[str]) -> bool:
    if words[:2] != ["compute", "ssh"]:
        return False
    commands = [t for p, t in pairwise(call.texts) if p == "--command"]
    commands += [t.partition("=")[2] for t in call.texts if t.startswith("--command=")]
    for command in commands:
        call.run_text(command)
    return bool(commands)


def _aws(call: ProgramCall, words: list[str]) -> bool:
    if words[:2] in (["s3", "cp"], ["s3", "sync"], ["s3", "mv"]) and len(call.operands) >= 4:
        source, target = call.operands[2], call.operands[3]
        if call.has("--dryrun"):
            return True
        if words[1] == "mv" or call.has("--delete"):
            call.destructive("remote-state", f"aws s3 {words[1]} deletes or moves files")
        elif target.text.startswith("s3://"):
            call.reader.file_content(source, call.scope, "aws")
            call.unsure("remote-state", "copies files to a bucket")
        else:
            writing.write(
                call.reader, Field(target.text.rstrip("/") + "/."), call.scope, by="aws", keeps=True
            )
        return True
    return False


def _gh(call: ProgramCall, words: list[str]) -> bool:
    if words[:1] == ["api"]:
        inner = ProgramCall(call.reader, call.words, call.scope, call.stdin).parse(
            "-X -f -F -H -q --method --field --raw-field --input --jq --header --template -t --cache"
        )
        method = inner.value("-X", "--method")
        sends = inner.values("-f", "-F", "--field", "--raw-field", "--input")
        asks = words[1:2] == ["graphql"] and all(
            not re.match(r"query=\s*mutation", value.text) for value in sends
        )
        if asks and method is None and sends:
            return True
        if (method is not None and method.text.upper() != "GET") or (sends and method is None):
            call.destructive("remote-state", "changes something on GitHub")
        return True
    if words[:2] in (["gist", "create"], ["pr", "merge"]):
        call.unsure("remote-state", f"gh {' '.join(words[:2])}: publishes something")
        return True
    return False


def _terraform(call: ProgramCall, words: list[str]) -> bool:
    if {"-help", "-h"} & set(call.texts):
        return True
    if words[:1] == ["run-all"]:
        words = words[1:]
    if words[:1] == ["plan"]:
        for text in call.texts:
            if text.startswith("-out="):
                writing.write(call.reader, Field(text[5:]), call.scope, by=call.program)
        return True
    if words[:1] in (["destroy"], ["apply"]):
        call.destructive(
            "remote-state",
            f"{call.program} {words[0]}: changes or destroys the real machines and services",
        )
        return True
    return False


def _ansible(call: ProgramCall, words: list[str]) -> bool:
    inner = ProgramCall(call.reader, call.words, call.scope, call.stdin).parse(
        "-m -a -i -u -l -e -f --module-name --args --inventory --limit"
    )
    if call.program != "ansible":
        return False
    module = inner.value("-m", "--module-name")
    given = inner.value("-a", "--args")
    name = module.text.rsplit(".", 1)[-1] if module is not None else "command"
    if name in ("shell", "command", "raw", "script") and given is not None:
        call.run_text(given.text)
        call.unsure("remote-state", "runs a command on other machines")
        return True
    return name in (
        "ping",
        "setup",
        "debug",
        "stat",
        "win_ping",
        "gather_facts",
        "service_facts",
        "package_facts",
    )


# Packages and tasks.

_RUNNERS = {
    "npx": frozenset(), "poetry": frozenset(("run",)), "uv": frozenset(("run",)), "pipenv": frozenset(("run",)), "bundle": frozenset(("exec",)), "pdm": frozenset(("run",)),
    "hatch": frozenset(("run",)), "rye": frozenset(("run",)), "conda": frozenset(("run",)), "mamba": frozenset(("run",)), "mise": frozenset(("exec", "x")), "asdf": frozenset(("exec",)),
    "pnpm": frozenset(("exec", "dlx")), "yarn": frozenset(("exec", "dlx")), "npm": frozenset(("exec", "x")), "rustup": frozenset(("run",)), "micromamba": frozenset(("run",)),
    "direnv": frozenset(("exec",)), "doppler": frozenset(("run",)), "dotenv": frozenset(), "mix": frozenset(), "pipx": frozenset(("run",)), "rbenv": frozenset(("exec",)), "pyenv": frozenset(("exec",)),
    "aws-vault": frozenset(("exec",)), "op": frozenset(("run",)), "dagger": frozenset(("run",)),
}  # fmt: skip
_NPX = frozenset(
    (
        "eslint prettier tsc jest vitest mocha playwright cypress stylelint vite webpack rollup "
        "esbuild typescript depcheck npm-check-updates license-checker madge size-limit "
        "markdownlint cspell knip prisma sequelize-cli typeorm knex nx turbo next ng vue astro "
        "svelte-check biome standard xo tailwindcss postcss sass create-react-app create-next-app "
        "create-vite storybook http-server serve concurrently nodemon rimraf"
    ).split()
)
_INSTALL_RISK = re.compile(
    r"^(git\+|https?://|git://|ssh://|file:|github:)|\.(tgz|whl|deb|rpm|tar\.gz)$"
)


def _runner(call: ProgramCall, words: list[str]) -> bool:
    verbs = _RUNNERS.get(call.program, frozenset())
    if not words or words[0] not in verbs:
        return False
    texts = call.texts
    start = texts.index(words[0]) + 1
    rest = ProgramCall(call.reader, call.args[start - 1 :], call.scope, call.stdin).parse(
        "-n -p --name --python --with --env -e --package --env-file", first_operand_ends=True
    )
    if call.program in ("npm", "pnpm", "yarn", "pipx") and words[0] in ("exec", "dlx", "x", "run"):
        return _npx_words(call, rest.operands)
    if rest.operands:
        call.reader.run_words(rest.operands, call.scope, call.stdin)
    return True


def npx(call: ProgramCall) -> Stream:
    call.parse("-p --package -c --call -w", first_operand_ends=True)
    for value in call.values("-c", "--call"):
        call.run_text(value.text)
    _npx_words(call, call.operands)
    return UNSEEN


def _npx_words(call: ProgramCall, operands: list[Field]) -> bool:
    if not operands:
        return True
    name = (
        operands[0].text.split("@")[0] if not operands[0].text.startswith("@") else operands[0].text
    )
    if name == "rimraf" or name not in _NPX:
        level: Level = "destructive" if name == "rimraf" else "unknown"
        call.flag(
            "runs-unknown-code",
            level,
            f"runs the package {name.replace(UNKNOWN, '…')}, fetched if it is not there",
        )
        return True
    if name in ("serve", "http-server") and any(
        operand.text in ("/", call.reader.situation.home) for operand in operands[1:]
    ):
        call.destructive("network", "shows all your files to others")
    from aish.core.safety.programs.table import PROGRAMS

    known = name in TOOLS or name in PROGRAMS
    if known:
        call.reader.run_words([Field(name), *operands[1:]], call.scope, call.stdin)
    return True


def _installs(call: ProgramCall, words: list[str]) -> bool:
    """pip and npm install from their index; an address or another index is asked for."""
    if call.program == "bun" and call.has("-e", "--eval", "-p", "--print"):
        from aish.core.safety.programs.interpreters import language

        language(call)
        return True
    if not words:
        return False
    if _runner(call, words):
        return True
    verb = words[1] if call.program == "uv" and words[0] == "pip" and len(words) > 1 else words[0]
    if call.program == "bun" and any(re.search(r"\.[cm]?[jt]sx?$", word) for word in words[:2]):
        call.unsure("runs-unknown-code", f"runs {words[-1]}, which aish has not read")
        return True
    if verb in ("run", "run-script", "rum", "urn") and call.program in (
        "npm",
        "yarn",
        "pnpm",
        "bun",
    ):
        return _task(call, words[1:])
    if words[:2] == ["audit", "fix"]:
        call.unsure("packages", f"{call.program} audit fix: changes which versions are installed")
        return True
    if verb in ("install", "i", "add", "ci", "download", "sync", "require"):
        risky = [t for t in call.texts if _INSTALL_RISK.search(t)]
        texts = " ".join(call.texts)
        index = re.search(
            r"--(extra-)?index-url|--registry|--break-system-packages|--trusted-host|--find-links|--install-option|--force-reinstall|(^| )-i http|--root|--target|--prefix=?/",
            texts,
        )
        everywhere = call.program in ("npm", "yarn", "pnpm") and call.has(
            "-g", "--global", "--location=global"
        )
        if risky or index or everywhere or (call.has("--user") and False):
            call.unsure(
                "packages",
                f"{call.program} {verb}: installs from an address or place of its own choice",
            )
            return True
        return False
    if call.program in ("yarn", "pnpm", "bun") and words[0] not in TOOLS[call.program].reads and not _destroying(words[0]) \
            and words[0] not in ("publish", "config", "cache", "link", "unlink", "set", "global", "dlx", "x", "patch", "store", "npm", "login"):  # fmt: skip
        return _task(call, words)
    if (
        call.program in ("yarn", "pnpm", "npm")
        and words[0] in ("cache", "store")
        and set(words[1:2]) & {"clean", "prune"}
    ):
        call.destructive(
            "deletes", f"{call.program} {words[0]} {words[1]}: deletes what was fetched"
        )
        return True
    return False


def _task(call: ProgramCall, words: list[str]) -> bool:
    if not words:
        return True
    if QUIET_TARGET.match(words[0]):
        return True
    if UNKNOWN in words[0] or RISKY_TARGET.search(words[0]):
        call.unsure(
            "runs-unknown-code",
            f"runs the project's task {words[0].replace(UNKNOWN, '…')}, which by its name may delete or publish",
        )
    return True


def _tasks(call: ProgramCall, words: list[str]) -> bool:
    """mvn, gradle, rails, rake, mix: tasks by their names."""
    if not words and call.program in ("gradle", "mvn", "sbt", "ant"):
        return call.has("-v", "--version", "-version")
    reads = TOOLS[call.program].reads
    risky = [
        w
        for w in words
        if w not in reads and (RISKY_TARGET.search(w) or re.match(r"(db|ecto)[.:]", w))
    ]
    if call.program == "bundle":
        return _runner(call, words)
    if risky:
        call.destructive(
            TOOLS[call.program].kind,
            f"runs the task {risky[0]}, which by its name deletes, publishes or resets",
        )
        return True
    spec = TOOLS[call.program]
    return bool(words) and all(
        w in spec.reads
        or "=" in w
        or re.match(r":?[\w-]+:(test|build|check|compile\w*|assemble)$", w)
        for w in words
    )


def _cargo(call: ProgramCall, words: list[str]) -> bool:
    if words[:1] == ["install"] and call.has("--list"):
        return True
    if any(t.startswith("--config") for t in call.texts):
        call.unsure("runs-unknown-code", "cargo obeys settings that may run programs")
    if words[:1] and words[0].startswith("+"):
        call.operands = call.operands[1:]
        words.pop(0)
    return False


def _go(call: ProgramCall, words: list[str]) -> bool:
    if any(re.match(r"-(toolexec|exec|vettool)\b", t) for t in call.texts):
        call.unsure("runs-unknown-code", "go starts another program")
    for value in (t for p, t in pairwise(call.texts) if p == "-o"):
        writing.write(call.reader, Field(value), call.scope, by="go")
    if words[:1] == ["env"] and call.has("-w", "-u"):
        call.unsure("packages", "changes go's settings")
        return True
    return False


def _packages(call: ProgramCall, words: list[str]) -> bool:
    return _is_dry(call, TOOLS[call.program])


def _config_verbs(call: ProgramCall, words: list[str]) -> bool:
    """npm config set, gcloud config: a setting is changed."""
    if words[:1] == ["config"] and set(words[1:2]) & {"set", "delete", "edit", "unset"}:
        call.unsure("packages", f"changes the settings of {call.program}")
        return True
    return False


def _npm(call: ProgramCall, words: list[str]) -> bool:
    return _config_verbs(call, words) or _installs(call, words)


def dpkg(call: ProgramCall) -> Stream:
    names = {t for t in call.texts if t.startswith("-")}
    reads = {"-l", "-L", "-s", "-S", "-p", "--list", "--listfiles", "--status", "--search", "--print-avail", "-I", "-c", "--info", "--contents",
             "--get-selections", "--print-architecture", "-V", "--verify", "-C", "--audit", "--compare-versions"}  # fmt: skip
    if not names or not names & reads:
        call.destructive("packages", "dpkg: installs, removes or changes packages")
    return UNSEEN


def rpm(call: ProgramCall) -> Stream:
    texts = call.texts
    if not any(re.match(r"-(q|V|K)|--(query|verify|checksig|eval|showrc)", t) for t in texts):
        call.destructive("packages", "rpm: installs, removes or changes packages")
    return UNSEEN


def pacman(call: ProgramCall) -> Stream:
    first = next((t for t in call.texts if t.startswith("-")), "")
    reads = re.match(r"-(Q|F|T|V)|-S[a-z]*[silgp]|-D[a-z]*k", first) and "y" not in first.replace(
        "-Syy", ""
    )
    if call.program in ("yay", "paru") and not first:
        reads = None
    if not reads:
        call.destructive("packages", f"{call.program}: installs, removes or changes packages")
    return UNSEEN


def nix(call: ProgramCall) -> Stream:
    texts = call.texts
    if call.program == "nix-env" and any(
        t in ("-q", "-qa", "--query", "-qaP", "--list-generations") for t in texts
    ):
        return UNSEEN
    if call.program == "nix-shell":
        for name in ("--run", "--command"):
            if name in texts and texts.index(name) + 1 < len(texts):
                call.run_text(texts[texts.index(name) + 1])
        return UNSEEN
    call.destructive("packages", f"{call.program}: installs or removes packages")
    return UNSEEN


def apt_mark(call: ProgramCall) -> Stream:
    if not (call.texts and call.texts[0].startswith("show")):
        call.destructive("packages", "changes how packages are kept")
    return UNSEEN


_SPECIAL = {
    **dict.fromkeys(["docker", "podman", "nerdctl"], _docker), **dict.fromkeys(["docker-compose", "podman-compose"], _compose_alone),
    **dict.fromkeys(["kubectl", "k", "oc", "kubecolor"], _kubectl), "aws": _aws, **dict.fromkeys(["gh", "glab"], _gh),
    **dict.fromkeys(["terraform", "tofu", "terragrunt", "tf"], _terraform), "ansible": _ansible,
    **dict.fromkeys(["pip", "pip3", "pip3.11", "pip3.12", "pip3.13", "uv", "poetry", "composer", "yarn", "pnpm", "bun", "pipenv", "pdm", "rye", "hatch", "pipx", "conda", "mamba", "micromamba", "gem"], _installs), "npm": _npm,
    **dict.fromkeys(["mvn", "gradle", "sbt", "lein", "ant", "rails", "rake", "mix", "bundle", "task", "just", "nx", "turbo", "lerna"], _tasks), "cargo": _cargo, "go": _go,
    "bq": _bq, "gcloud": _gcloud, "hg": _hg, **dict.fromkeys(["lxc", "incus", "vagrant", "multipass", "op", "doppler", "aws-vault", "dagger"], _exec_after_dashes),
    **dict.fromkeys(["apt", "apt-get", "dnf", "yum", "zypper", "brew"], _packages), **dict.fromkeys(["mise", "asdf", "rustup", "direnv", "rbenv", "pyenv"], _runner),
}  # fmt: skip

RULES = {
    **dict.fromkeys(TOOLS, tool), "npx": npx, "bunx": npx, "pnpx": npx, "dpkg": dpkg, "rpm": rpm, **dict.fromkeys(["pacman", "yay", "paru"], pacman),
    **dict.fromkeys(["nix-env", "nix-shell", "nix-collect-garbage", "nix-channel", "nix-store"], nix), "apt-mark": apt_mark,
}  # fmt: skip
RULES["influx"] = RULES.pop("influx")
