"""Whether a command does what was asked: run in a sandbox, its effects beside a reference's."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tasks import Task

HERE = Path(__file__).parent
# Programs that would need a network, root or another machine: they only say how they were called.
STUBS = """apt apt-get apt-cache apt-file dpkg dpkg-query systemctl service journalctl ip ss netstat
lsof fuser ifconfig route ping curl wget getent dig host nslookup ssh scp rsync sftp traceroute
tracepath mtr ssh-keygen ssh-copy-id nc ncat nmap telnet pip pip3 virtualenv shutdown chown
chgrp docker hostname python3 python kill""".split()
REAL = {"getent": "archives files git permissions system text", "python3": "text", "kill": ""}
HOME = "/home/you"


@dataclass(frozen=True, slots=True)
class Effects:
    """What a command left behind."""

    status: int
    output: str
    errors: str
    probe: str
    called: tuple[str, ...]
    tree: tuple[tuple[str, str], ...]
    git: str


class Judge:
    """Keeps a home to copy, and what each reference does in it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="brain-"))
        self._home = self._folder / "home"
        self._home.mkdir()
        subprocess.run(["sh", str(HERE / "home.sh")], cwd=self._home, check=True)
        self._wanted: dict[Task, Effects] = {}

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def wanted(self, task: Task) -> Effects:
        if task not in self._wanted:
            self._wanted[task] = self.effects(task, task.reference)
        return self._wanted[task]

    def directory(self, task: Task) -> Path:
        """Where a task is asked; nothing runs there."""
        return self._home / _folder(task)

    def right(self, task: Task, command: str) -> bool:
        """Whether a command does the same as the reference, as far as the request says."""
        if not command.strip():
            return False
        return alike(task, self.wanted(task), self.effects(task, command), command)

    def effects(self, task: Task, command: str) -> Effects:
        """Run it in a copy of the home, cut off from everything else."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            place = Path(name)
            home = place / "home"
            shutil.copytree(self._home, home, symlinks=True)
            stubs = _stubs(place / "stubs", task, "" if "stub" in task.mode else "kill")
            return _run(task, command, home, stubs, place)


def _folder(task: Task) -> str:
    return "repo" if task.family == "git" else "work"


def _stubs(folder: Path, task: Task, less: str) -> Path:
    folder.mkdir()
    for name in STUBS:
        real = REAL.get(name)
        if name == less or (
            real is not None and task.family in real.split() and "stub" not in task.mode
        ):
            continue
        text = f"""#!/bin/sh
printf '%s' "{name} $*" | tr '\\n' ' ' >> /calls/calls
echo >> /calls/calls
echo "{name}: done"
"""
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    sudo = '#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nexec "$@"\n'
    (folder / "sudo").write_text(sudo)
    (folder / "sudo").chmod(0o755)
    return folder


def _run(task: Task, command: str, home: Path, stubs: Path, place: Path) -> Effects:
    calls = place / "calls"
    calls.mkdir()
    script = "enable -n kill\n" if "stub" in task.mode else ""
    script += f"{task.setup}\n{{ {command}\n}} < /dev/null > /calls/out 2> /calls/err\n"
    script += "echo $? > /calls/status\n"
    script += f"{{ {task.probe or 'true'}\n}} > /calls/probe 2>&1\n"
    script += "git -C ~/repo status --porcelain --branch > /calls/git 2>&1\n"
    script += (
        "{ git -C ~/repo log --all --format=%s%d; git -C ~/repo stash list; } >> /calls/git 2>&1\n"
    )
    directory = f"{HOME}/{_folder(task)}"
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
    for path in ("/usr", "/etc", "/bin", "/lib", "/lib64", "/sbin", "/var/lib/dpkg"):
        if Path(path).exists():
            words += ["--ro-bind", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/root"]
    words += [
        "--bind",
        str(home),
        HOME,
        "--bind",
        str(calls),
        "/calls",
        "--ro-bind",
        str(stubs),
        "/stubs",
    ]
    words += [
        "--chdir",
        directory,
        "--clearenv",
        "--setenv",
        "HOME",
        HOME,
        "--setenv",
        "USER",
        "you",
    ]
    words += ["--setenv", "PATH", "/stubs:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"]
    words += [
        "--setenv",
        "LC_ALL",
        "C.UTF-8",
        "--setenv",
        "TERM",
        "dumb",
        "--setenv",
        "GIT_PAGER",
        "cat",
    ]
    with suppress(subprocess.TimeoutExpired):
        subprocess.run([*words, "bash", "-c", script], capture_output=True, timeout=20, check=False)
    read = {name: _read(calls / name) for name in ("out", "err", "status", "probe", "calls", "git")}
    return Effects(
        int(read["status"] or 124), read["out"], read["err"], read["probe"],
        tuple(read["calls"].splitlines()), _tree(home), read["git"],
    )  # fmt: skip


def _read(path: Path) -> str:
    try:
        return path.read_bytes()[:200_000].decode("utf-8", "replace")
    except OSError:
        return ""


def _tree(home: Path) -> tuple[tuple[str, str], ...]:
    found = []
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if ".git" in path.parts or name.startswith("."):
            continue
        about = path.lstat()
        if stat.S_ISLNK(about.st_mode):
            value = f"-> {path.readlink()}"
        elif stat.S_ISDIR(about.st_mode):
            value = f"dir {about.st_mode & 0o777:o}"
        else:
            value = f"{about.st_mode & 0o777:o} {sha256(path.read_bytes()).hexdigest()[:12]}"
        found.append((name, value))
    return tuple(found)


def alike(task: Task, wanted: Effects, found: Effects, command: str) -> bool:
    """Compare as the task says. Whatever it asks for, nothing else may have changed."""
    mode, _, rest = task.mode.partition(" ")
    if mode in ("tree", "gitfiles"):
        return wanted.tree == found.tree
    if mode == "gitstate":
        return wanted.git == found.git and wanted.tree == found.tree
    if mode == "gitlog":
        return wanted.git == found.git
    if mode == "branch":
        return found.git.startswith(f"## {rest}")
    if mode == "probe":
        return _lines(wanted.probe) == _lines(found.probe)
    if mode == "stub":
        return _called(wanted.called, found.called, rest)
    if wanted.tree != found.tree:
        return False
    if mode == "ran":
        return bool(re.search(rf"\b{rest}\b", command)) and found.status == 0 and found.output != ""
    if mode == "status":
        return wanted.status == found.status
    if mode == "quiet":
        return found.status == 0 and "differ" not in found.output
    return _printed(mode, wanted.output, found.output)


def _called(wanted: tuple[str, ...], found: tuple[str, ...], rest: str) -> bool:
    programs, _, needed = rest.partition(" has ")
    calls = [call for call in found if call.split(" ")[0] in programs.split("|")]
    if needed:
        return any(
            re.search(rf"(^|[ /=:@]){re.escape(word)}", call)
            for call in calls
            for word in needed.split("|")
        )
    if "|" in programs:
        return bool(calls)
    return any(_words(call) >= _words(wanted[-1]) for call in calls) if wanted else False


def _words(call: str) -> set[str]:
    spread = re.sub(r"(?<= )-([a-zA-Z])(\d+)\b", r"-\1 \2", call).replace("=", " ")
    return {word.removesuffix(".service") for word in spread.split()} - {"-y", "--no-pager", "-v"}


def _lines(text: str) -> list[str]:
    lines = (" ".join(line.split()).replace("./", "").rstrip("/") for line in text.splitlines())
    return [line for line in lines if line]


def _printed(mode: str, wanted: str, found: str) -> bool:
    want, have = _lines(wanted), _lines(found)
    if mode == "seq":
        return want == have
    if mode == "num":
        numbers = re.findall(r"-?\d+(?:\.\d+)?", wanted)
        have_numbers = re.findall(r"-?\d+(?:\.\d+)?", found.splitlines()[-1] if have else "")
        return (
            bool(numbers)
            and bool(have_numbers)
            and abs(float(numbers[0]) - float(have_numbers[0])) < 0.01
        )
    if mode == "has":
        text = "\n".join(have)
        return bool(want) and all(line in text for line in want) and len(have) <= 3 * len(want) + 8
    if mode == "names":
        return {line.split()[-1] for line in want if line} - {"total"} <= {
            w for line in have for w in line.split()
        }
    if mode == "dirs":
        return {line.split()[-1] for line in have} - {"", "."} == set(want)
    if mode == "quotes":
        return want == [line.strip('"') for line in have]
    if mode == "uniq":
        return sorted(set(want)) == sorted(set(have))
    if mode == "archive":
        return all(name in found for name in ("cat.png", "notes.txt"))
    return sorted(want) == sorted(have)
