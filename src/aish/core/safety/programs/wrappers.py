"""Programs that run another command: it is taken out and followed."""

from __future__ import annotations

import re

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.environment import assignment_risk
from aish.core.safety.paths import canonical
from aish.core.safety.programs.generic import size
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream

MOST_AT_ONCE = 200
# Options with a value, by program; what follows the options is the command.
PREFIXES = {
    "nice": "-n --adjustment", "ionice": "-c -n -p -P -u --class --classdata", "nohup": "", "setsid": "",
    "stdbuf": "-i -o -e --input --output --error", "time": "-f -o --format --output", "gtime": "-f -o",
    "unbuffer": "", "chronic": "", "fakeroot": "-i -s -l", "torsocks": "", "torify": "", "tsocks": "",
    "proxychains": "-f", "proxychains4": "-f", "xvfb-run": "-s -n -e -f --server-args --server-num", "dbus-run-session": "",
    "caffeinate": "-t -w", "rlwrap": "-f -H -C", "faketime": "-f", "catchsegv": "", "firejail": "", "cgexec": "-g",
    "numactl": "-N -m -C -i", "prlimit": "-p", "setarch": "", "linux32": "", "linux64": "", "eatmydata": "",
    "softlimit": "-m -d", "chpst": "-u -U -b", "envdir": "", "envuidgid": "", "with-contenv": "", "sem": "-j --id", "daemonize": "-p -o -e -c",
    "start-stop-daemon": "", "strace": "-o -e -p -s -u -P -E", "ltrace": "-o -e -p -s -u", "valgrind": "", "perf-stat": "",
    "systemd-run": "-p -u -M -H --unit --property --slice --uid --gid --working-directory", "systemd-inhibit": "", "dotenv": "-f -e",
    "systemd-cat": "-t -p", "pkexec": "--user", "doas": "-u -C", "runuser": "-u -g -G --user --group", "gosu": "", "su-exec": "", "toybox": "",
    "busybox": "", "unshare": "-S -G -R -w --root --wd --setuid --setgid --map-user --map-group", "nsenter": "-t -S -G --target --setuid",
    "bwrap": "--bind --ro-bind --dev-bind --dev --proc --tmpfs --chdir --setenv --unsetenv --symlink", "direnv": "", "sshpass": "-p -f",
    "heaptrack": "", "gdbserver": "", "qemu-x86_64": "-L", "qemu-aarch64": "-L", "nix-shell": "-p -A -I", "aws-vault": "-d", "op": "--env-file --account",
    "xdotool": "", "ld.so": "--library-path --preload", "retry": "-t -d", "hyperfine": "-w -r -n --warmup --runs --export-json", "entr": "", "tsp": "",
}  # fmt: skip
_LEADING = {"faketime": 1, "setarch": 1, "taskset": 1, "chrt": 1, "chroot": 1, "gosu": 1, "su-exec": 1, "envdir": 1,
            "envuidgid": 1, "timeout": 1, "gdbserver": 1}  # fmt: skip


def prefix(call: ProgramCall) -> Stream:
    call.parse(PREFIXES[call.program], first_operand_ends=True)
    for value in (
        call.values("-o", "--output") if call.program in ("time", "strace", "ltrace") else ()
    ):
        writing.write(call.reader, value, call.scope, by=call.program)
    if call.program in ("unshare", "nsenter", "pkexec", "doas", "runuser", "systemd-run"):
        call.flag("privilege", "harmless", "runs with other rights")
    if call.program in ("ionice", "prlimit") and call.value("-p") and len(call.options) > 1:
        call.unsure("process-kill", f"changes another running program ({call.program})")
    if call.program == "entr":
        return _unknown_arguments(call, call.operands)
    if call.program == "hyperfine":
        for operand in call.operands:
            call.run_text(operand.text)
        return UNSEEN
    if call.program == "runuser":
        command = call.value("-c") or _after(call.operands, "-c")
        if command is not None:
            return call.run_text(command.text)
    words = call.operands[_LEADING.get(call.program, 0) :]
    if not words:
        if call.program in ("unshare", "nsenter", "doas", "pkexec", "firejail", "bwrap"):
            call.unsure("privilege", f"opens a shell with other rights ({call.program})")
        return UNSEEN
    return call.run(words)


def _after(words: list[Field], name: str) -> Field | None:
    for position, word in enumerate(words[:-1]):
        if word.text == name:
            return words[position + 1]
    return None


def leading(call: ProgramCall) -> Stream:
    """`timeout 5 …`, `chroot DIR …`: one operand, then the command."""
    takes = {"timeout": "-s -k --signal --kill-after", "taskset": "", "chrt": "", "chroot": ""}[
        call.program
    ]
    call.parse(takes, first_operand_ends=True)
    skip = 1
    if call.program in ("taskset", "chrt") and call.has("-p"):
        if len(call.operands) == 1:
            return UNSEEN
        call.unsure("process-kill", "changes another program's processors")
        return UNSEEN
    words = call.operands[skip:]
    shell = words and words[0].text.rsplit("/", 1)[-1] in _SHELLS and _only_options(words[1:])
    if call.program == "chroot" and (shell or not words):
        call.unsure("privilege", "opens a shell in another root directory")
    return call.run(words) if words else UNSEEN


def sudo(call: ProgramCall) -> Stream:
    call.parse("-u -g -p -C -h -r -t -T -U -D -R --user --group --prompt --host --chdir --role --type",
               first_operand_ends=True)  # fmt: skip
    call.flag("privilege", "harmless", "runs as another user")
    if call.has("-l", "--list", "-v", "--validate", "-k", "-K", "-V") and not call.operands:
        return UNSEEN
    if call.has("-e", "--edit"):
        call.destructive("writes", "edits a file as another user")
        return UNSEEN
    words = _without_assignments(call, call.operands)
    if not words or (words[0].text.rsplit("/", 1)[-1] in _SHELLS and _only_options(words[1:])):
        call.unsure("privilege", "opens a shell as another user")
        return UNSEEN if not words else call.run(words)
    return call.run(words)


_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "su"))


def _only_options(words: list[Field]) -> bool:
    """`-l`, `-i`, `-`: an interactive shell, and no command for it."""
    return all(re.fullmatch(r"-[il]?|--login", word.text) for word in words)


def _without_assignments(call: ProgramCall, words: list[Field]) -> list[Field]:
    at = 0
    while at < len(words) and re.match(r"[A-Za-z_]\w*=", words[at].text):
        name, _, value = words[at].text.partition("=")
        risk = assignment_risk(name, value, call.reader.situation, exported=True)
        if risk:
            call.destructive("runs-unknown-code", risk)
        call.scope = call.scope.copy()
        call.scope.variables[name] = value
        at += 1
    return words[at:]


def env(call: ProgramCall) -> Stream:
    call.parse("-u -C -S --unset --chdir --split-string", first_operand_ends=True)
    text = call.value("-S", "--split-string")
    if text is not None:
        return call.run_text(text.text + " " + " ".join(word.text for word in call.operands))
    if call.has("-i", "--ignore-environment", "-"):
        call.operands = [word for word in call.operands if word.text != "PATH=/bin" and not
                         re.fullmatch(r"PATH=(/usr)?/s?bin(:(/usr)?(/local)?/s?bin)*", word.text)]  # fmt: skip
    words = _without_assignments(call, call.operands)
    if not words:
        return Stream(tags=frozenset(("environment",)))
    return call.run(words)


def su(call: ProgramCall) -> Stream:
    call.parse("-c -s -g -G -w --command --shell --session-command")
    command = call.value("-c", "--command", "--session-command")
    call.flag("privilege", "harmless", "runs as another user")
    if command is not None:
        return call.run_text(command.text)
    call.unsure("privilege", "opens a shell as another user")
    return UNSEEN


def xargs(call: ProgramCall) -> Stream:
    call.parse("-I -n -L -P -s -d -E -a  --arg-file --max-args --max-procs --replace --delimiter --max-lines",
               first_operand_ends=True)  # fmt: skip
    procs = call.value("-P", "--max-procs")
    if procs is not None and (procs.text == "0" or size(procs.text) > MOST_AT_ONCE):
        call.unsure("resource", "starts as many programs at once as there are inputs")
    if call.stdin.endless:
        call.destructive("resource", "starts a program for each line of an input without end")
    placeholder = call.value("-I", "--replace")
    if not call.operands:
        return call.stdin.after()
    text = (
        call.stdin.text if call.stdin.known() and call.value("-a", "--arg-file") is None else None
    )
    filled = UNKNOWN if text is None else " ".join(text.split())
    if placeholder is not None or call.has("-i"):
        mark = placeholder.text if placeholder is not None else "{}"
        words = [Field(word.text.replace(mark, filled), word.glob, word.many, word.tags | call.stdin.tags)
                 for word in call.operands]  # fmt: skip
        return call.run(words, Stream())
    extra = [Field(UNKNOWN, many=True, tags=call.stdin.tags)] if text is None else [
        Field(word, tags=call.stdin.tags) for word in text.split()]  # fmt: skip
    return call.run([*call.operands, *extra], Stream())


def _unknown_arguments(call: ProgramCall, words: list[Field]) -> Stream:
    filled = [Field(word.text.replace("{}", UNKNOWN), word.glob, word.many) for word in words]
    return call.run(filled) if filled else UNSEEN


def parallel(call: ProgramCall) -> Stream:
    call.parse("-j -a -I -n -N -S -d --jobs --arg-file --colsep --joblog --results --timeout --delay",
               first_operand_ends=True)  # fmt: skip
    words: list[Field] = []
    for word in call.operands:
        if word.text in (":::", "::::", ":::+"):
            break
        words.append(word)
    jobs = call.value("-j", "--jobs")
    if jobs is not None and (jobs.text == "0" or re.fullmatch(r"\d{4,}", jobs.text)):
        call.unsure("resource", "starts as many programs at once as there are inputs")
    if not words:
        call.unsure("runs-unknown-code", "runs every line of its input as a command")
        return UNSEEN
    text = " ".join(word.text for word in words)
    if len(words) == 1 or re.search(r"[|;&<>]", text):
        # Without a place for it, what comes in stands at the end.
        filled_text = re.sub(r"\{[^}]*\}", UNKNOWN, text)
        if len(words) == 1 and re.fullmatch(r"[\w./-]+", text):
            return call.run([Field(text), Field(UNKNOWN, many=True)])
        return call.run_text(filled_text if "{" in text else f"{text} ./file")
    has_place = "{" in text
    filled = [Field(re.sub(r"\{[^}]*\}", UNKNOWN, word.text)) for word in words]
    return call.run(filled if has_place else [*filled, Field(UNKNOWN, many=True)])


_FIND_RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_PRINT_CONTENT = frozenset("cat tac strings xxd od base64 hexdump".split())
_FIND_WRITES = frozenset(("-fprint", "-fprint0", "-fls", "-fprintf"))


def find(call: ProgramCall) -> Stream:
    args = call.args
    runs: list[str] = []
    roots: list[Field] = []
    at = 0
    while at < len(args) and not args[at].text.startswith(("-", "(", "!")):
        roots.append(args[at])
        at += 1
    at = 0
    while at < len(args):
        text = args[at].text
        if text in ("-delete", "-rm"):
            _find_deletes(call, roots)
        elif text in _FIND_WRITES and at + 1 < len(args):
            writing.write(call.reader, args[at + 1], call.scope, by="find")
            call.destructive("writes", f"find writes the file {args[at + 1].text}")
        elif text in _FIND_RUNS:
            runs.append(args[at + 1].text if at + 1 < len(args) else "")
            at = _find_run(call, args, at, roots)
        elif text == "-files0-from" and at + 1 < len(args):
            at += 1
        at += 1
    whole = any(root.text == "/" for root in roots) and set(runs) & _PRINT_CONTENT
    return Stream(tags=frozenset(("everything",))) if whole else Stream()


def _found(text: str) -> frozenset[str]:
    """A word that is a file which was found, and so is there."""
    return frozenset(("found",)) if text in ("{}", "of={}") else frozenset()


def _find_run(call: ProgramCall, args: list[Field], at: int, roots: list[Field]) -> int:
    end = at + 1
    while end < len(args) and args[end].text not in (";", "+"):
        end += 1
    root = roots[0].text if roots else "."
    place = f"{root.rstrip('/')}/{UNKNOWN}"
    words = [
        Field(word.text.replace("{}", place), tags=_found(word.text)) for word in args[at + 1 : end]
    ]
    if words and _only_deletes(args[at + 1 : end]):
        _find_deletes(call, roots)
    elif words:
        call.run(words, Stream())
    return end


def _only_deletes(words: list[Field]) -> bool:
    """`rm -rf {}` and its like: what is found is deleted, and nothing else."""
    rest = [word.text for word in words[1:]]
    plain = all(text == "{}" or re.fullmatch(r"-[a-zA-Z]+|--", text) for text in rest)
    return words[0].text.rpartition("/")[2] in ("rm", "unlink", "shred") and plain and "{}" in rest


def _find_deletes(call: ProgramCall, roots: list[Field]) -> None:
    where = roots[0] if roots else Field(".")
    situation = call.reader.situation
    path = canonical(where.text, call.scope.cwd, situation.home)
    tests = _looking(call.args)
    known = path.startswith("/") and UNKNOWN not in path and tests is not None
    count = situation.files.found(tests, call.scope.cwd) if known and tests is not None else None
    said = f", {count}" if count is not None else ""
    name = writing.name(call.reader, path)
    call.destructive("deletes", f"deletes everything that matches below {name}{said}", path)


# What only looks; the rest of find's language acts, or asks more of the disk than a question may.
_LOOKS = frozenset("-not ! -a -and -o -or ( ) -empty -xdev -mount -depth -true -false".split())
_LOOKS_AT = frozenset(
    (
        "-name -iname -path -ipath -wholename -regex -iregex -type -mtime -atime -ctime -mmin -amin "
        "-cmin -size -user -group -perm -newer -maxdepth -mindepth -links -newermt"
    ).split()
)
_ACTS = frozenset(("-delete", "-rm", "-print", "-print0", "-ls"))


def _looking(args: list[Field]) -> tuple[str, ...] | None:
    """The roots and tests of a search without what it does; None where not all is understood."""
    found: list[str] = []
    at, tests = 0, False
    while at < len(args):
        text = args[at].text
        tests = tests or text.startswith(("-", "(", "!"))
        if not args[at].known or (args[at].glob and not tests):
            return None
        if text in _FIND_RUNS:
            while at < len(args) and args[at].text not in (";", "+"):
                at += 1
        elif text in _LOOKS or not tests:
            found.append(text)
        elif text in _LOOKS_AT and at + 1 < len(args) and args[at + 1].known:
            found += (text, args[at + 1].text)
            at += 1
        elif text not in _ACTS:
            return None
        at += 1
    return tuple(found)


def fd(call: ProgramCall) -> Stream:
    args = call.args
    for position, word in enumerate(args):
        if word.text in ("-x", "--exec", "-X", "--exec-batch"):
            rest = [w for w in args[position + 1 :] if w.text not in (";", "+")]
            words = [Field(w.text.replace("{}", UNKNOWN)) for w in rest]
            if words:
                call.run([*words, Field(UNKNOWN, many=True)], Stream())
            break
    return Stream()


def watch(call: ProgramCall) -> Stream:
    call.parse("-n --interval", first_operand_ends=True)
    if call.has("-x", "--exec"):
        return call.run(call.operands)
    return call.run_text(" ".join(word.text for word in call.operands)) if call.operands else UNSEEN


def script(call: ProgramCall) -> Stream:
    call.parse("-c -I -O -B -T -E -m --command")
    command = call.value("-c", "--command")
    for operand in call.operands[:1]:
        writing.write(call.reader, operand, call.scope, by="script")
    return call.run_text(command.text) if command is not None else UNSEEN


def flock(call: ProgramCall) -> Stream:
    call.parse("-w -E -c --wait --timeout --command", first_operand_ends=False)
    command = call.value("-c", "--command")
    if command is not None:
        return call.run_text(command.text)
    args = call.args
    at = 0
    while at < len(args) and args[at].text.startswith("-"):
        at += (
            2 if args[at].text in ("-w", "-E", "--wait", "--timeout", "--conflict-exit-code") else 1
        )
    return call.run(args[at + 1 :]) if len(args) > at + 1 else UNSEEN


def tmux(call: ProgramCall) -> Stream:
    call.parse("-L -S -f -t -s -n -c -x -y -F -e", first_operand_ends=False)
    operands = call.operands
    verb = operands[0].text if operands else ""
    if call.value("-f") is not None:
        call.unsure("runs-unknown-code", "tmux obeys a file that aish has not read")
    if verb in ("new", "new-session", "neww", "new-window", "splitw", "split-window", "respawn-pane", "run", "run-shell",
                "if-shell", "pipe-pane", "popup", "display-popup"):  # fmt: skip
        if operands[1:]:
            call.run_text(" ".join(word.text for word in operands[1:]))
    elif verb.startswith("kill"):
        call.destructive("process-kill", "ends terminals and what runs in them")
    elif verb in ("send", "send-keys"):
        call.unsure("runs-unknown-code", "types into another terminal")
    elif verb in ("source", "source-file", "set-hook", "bind", "bind-key"):
        call.unsure("runs-unknown-code", f"tmux {verb} may run commands")
    return UNSEEN


def screen(call: ProgramCall) -> Stream:
    call.parse("-S -c -e -p -r -t -T -X", first_operand_ends=True)
    if call.has("-X", "-wipe"):
        call.unsure("process-kill", "controls another terminal")
    if call.value("-c") is not None:
        call.unsure("runs-unknown-code", "screen obeys a file that aish has not read")
    if "-Logfile" in call.texts[:-1]:
        log = call.args[call.texts.index("-Logfile") + 1]
        writing.write(call.reader, log, call.scope, by="screen")
    return call.run(call.operands) if call.operands and not call.has("-r", "-x") else UNSEEN


def terminal(call: ProgramCall) -> Stream:
    """xterm and its like: what follows `-e` is a command."""
    for position, word in enumerate(call.args):
        if word.text in ("-e", "-x", "--", "--command"):
            rest = call.args[position + 1 :]
            return call.run_text(" ".join(w.text for w in rest))
    return UNSEEN


_REMOTE_TAKES = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"


def ssh(call: ProgramCall) -> Stream:
    call.parse(_REMOTE_TAKES, first_operand_ends=True)
    call.flag("network", "harmless", "connects to another machine")
    for value in call.values("-o"):
        name, _, command = value.text.partition("=")
        if re.fullmatch(
            r"(?i)(proxy|local|remote|knownhosts|authorizedkeys)command|pkcs11provider|include|match",
            name.strip(),
        ):
            call.run_text(command or UNKNOWN)
            call.destructive("runs-unknown-code", f"ssh runs a command through {name.strip()}")
    if call.value("-R") is not None or call.has("-A", "-w"):
        call.unsure("network", "opens this machine to another one")
    if call.value("-F") is not None:
        call.unsure("runs-unknown-code", "ssh reads settings that may run commands")
    words = call.operands[1:]
    words = words[1:] if words and words[0].text == "--" else words
    text = " ".join(word.text for word in words)
    if call.stdin.piped and call.stdin.text != "":
        if not words and call.stdin.known():
            call.run_text(call.stdin.text or "")
        call.unsure("remote-state", "sends its input to another machine", "")
        if call.stdin.tags & {"secret", "environment"}:
            call.destructive("secret", "sends secrets to another machine")
    return _far(call, text) if words else UNSEEN


def _far(call: ProgramCall, text: str) -> Stream:
    """A command on another machine: followed there, where no file is known."""
    call.run_text(text, Stream(piped=False))
    return UNSEEN


RULES = {
    **dict.fromkeys(PREFIXES, prefix), "timeout": leading, "taskset": leading, "chrt": leading, "chroot": leading,
    "sudo": sudo, "env": env, "su": su, "xargs": xargs, "parallel": parallel, "find": find, "gfind": find, "bfs": find,
    "fd": fd, "fdfind": fd, "watch": watch, "viddy": watch, "script": script, "flock": flock, "tmux": tmux, "screen": screen,
    "xterm": terminal, "gnome-terminal": terminal, "konsole": terminal, "kitty": terminal, "alacritty": terminal, "foot": terminal,
    "ssh": ssh, "autossh": ssh, "mosh": ssh,
}  # fmt: skip
for _gone in ("direnv", "op", "aws-vault", "nix-shell", "", "xdotool", "perf-stat"):
    RULES.pop(_gone, None)
