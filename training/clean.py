"""The public pairs, less what is wrong, odd or not copied from the request."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from names import ABSOLUTE, DIRS, HOSTS, PACKAGES, SERVICES, STEMS, USERS

LONGEST = 180
# Other systems' programs, interactive ones and ones that hardly any machine has.
FOREIGN = re.compile(
    r"(?:^|[|;&(`]|\bsudo|\bxargs(?: -\S+)*|-exec(?:dir)?|-ok)\s*"
    r"(brew|pbcopy|pbpaste|cygpath|cygstart|osascript|launchctl|mdfind|rename|screen|finger|"
    r"csh|tcsh|zsh|fink|port|cleartool|svn|cvs|hadoop|ccrypt|gpg|mutt|look|perl|ruby|php|ack|yum|md5)\b"
)
# Other systems' options, and what the web made of quotes.
BROKEN = re.compile(
    r"[^\x00-\x7f]|sed -i ''|\bstat -f|\bdate (-j|-v)|find -E|-mtime [+-]?\d+[a-z]|sort \+\d|\\$"
)
NAMED = re.compile(r"[\w.+-]*/[\w./+-]+|[\w+-]+\.[A-Za-z][\w]{0,4}\b|\"[\w ]+\"|'[\w ]+'")
FREE = {"/dev/null", "/dev/stdin", "/", "./", "..", "../", "/etc/passwd", "/etc/group", "/bin/bash",
        "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo", "/etc/os-release", "/bin/sh"}  # fmt: skip
VAGUE = re.compile(
    r"\b(certain|specific(ed)?|some|given|particular|various|respective)\b|[ ,]etc\b|\$\w*[Pp]at"
)
HEREABOUTS = re.compile(r"current|this (dir|fold)|\bhere\b|working dir", re.I)
TOOLS = """[ alias apt apt-cache apt-get apt-mark arch at awk base32 base64 basename bash batch bc bg bzcat
bzip2 cal cat cd chattr chgrp chmod chown chsh cksum clear cmp column comm command compgen cp cpio crontab
csplit curl cut date dd declare df diff dig dircolors dirname dmesg dnf docker dpkg dpkg-query du echo
egrep env eval exec exit expand export expr factor fallocate false fc fdisk fg fgrep file find findmnt
flock fmt fold free fsck ftp fuser gcc getent getfacl git grep groupadd groupdel groups gunzip gzip head
hexdump history host hostname hostnamectl iconv id ifconfig install ionice ip iptables jobs join journalctl
jq kill killall last ldd less ln locale localectl locate logger logname logrotate look losetup ls lsattr
lsblk lscpu lsmod lsof lspci lsusb make man md5sum mkdir mkfifo mkfs mknod mktemp modprobe more mount
mountpoint mv nc netstat nice nl nmap nmcli node nohup npm nproc nslookup numfmt od openssl pacman parallel
passwd paste patch pathchk pgrep pidof ping pip pip3 pkill pmap popd pr printenv printf ps pstree pushd pwd
python python3 read readlink realpath renice reset rev rg rm rmdir rpm rsync scp sed seq service set setfacl
sftp sha1sum sha256sum sha512sum shred shuf shutdown sleep sort source split sqlite3 ss ssh ssh-copy-id
ssh-keygen ssh-keyscan stat stdbuf strace strings stty su sudo sum swapon sync sysctl systemctl systemd-analyze
tac tail tar taskset tcpdump tee test time timedatectl timeout tmux top touch tput tr traceroute tree true
truncate tty type tzselect ufw ulimit umask umount unalias uname unexpand uniq unlink unset unxz unzip
uptime useradd userdel usermod users vmstat w wait watch wc wget whatis whereis which who whoami whois xargs
xxd xz xzcat yes zcat zgrep zip zless zstd zypper apk""".split()
# Their requests rarely say which program is meant, and without it they mean nothing.
UNNAMED = "apk apt apt-cache apt-get dnf docker iptables nmcli node npm openssl pacman parallel pip pip3 rpm systemctl tmux ufw zypper tcpdump service rg".split()
PLACE = re.compile(r"\{?(?:path/to/[\w./*-]+|/path/to/[\w./*-]+)\}?")


def read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def parses(commands: Iterable[str]) -> set[str]:
    """Those that bash can read."""
    good = set()
    for command in commands:
        done = subprocess.run(
            ["bash", "-n"], input=command, text=True, capture_output=True, check=False
        )
        if done.returncode == 0 and not done.stderr:
            good.add(command)
    return good


MISUSED = re.compile(
    r"unknown predicate|missing argument|invalid (option|argument|number|mode|type|line|byte|field)"
    r"|unrecognized option|must precede|syntax error|[Uu]sage:|--help'|obsolete|unterminated|unexpected"
    r"|extra operand|missing (file )?operand|illegal|unknown (option|argument|command|primary)|unmatched"
    r"|expected|cannot be used|mutually|bad (flag|option|substitution)|ambiguous|incompatible"
)


def works(command: str) -> bool:
    """Whether the programs here understand how they are called; tried where it can do no harm."""
    words = "bwrap --unshare-all --die-with-parent --new-session --ro-bind / / --tmpfs /tmp --tmpfs /root"
    words += (
        " --tmpfs /home --proc /proc --dev /dev --chdir /tmp --setenv LC_ALL C timeout 2 bash -c"
    )
    script = f"ulimit -u 4000 -f 20000; touch file.txt; {command}"
    try:
        done = subprocess.run(
            [*words.split(), script], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, timeout=4, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return MISUSED.search(done.stderr[:4000].decode("utf-8", "replace")) is None


def nl2bash(path: Path) -> Iterator[dict[str, str]]:
    """The pairs whose names stand in the request; of many answers to one, the plainest."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in read(path):
        request, command = " ".join(row["nl"].split()), row["cmd"].strip()
        if _fits(request, command):
            found[request.rstrip(".").lower()].append(
                json.dumps([request, _plain(command, request)])
            )
    rows = [json.loads(min(options, key=len)) for options in found.values()]
    readable = parses({command for _, command in rows})
    with ThreadPoolExecutor(4) as pool:
        fine = pool.map(lambda row: row[1] in readable and works(row[1]), rows)
    yield from (
        {"nl": nl, "cmd": cmd, "from": "nl2bash"}
        for (nl, cmd), good in zip(rows, fine, strict=True)
        if good
    )


def _fits(request: str, command: str) -> bool:
    if not 12 <= len(request) <= 240 or len(command) > LONGEST or "\n" in command:
        return False
    if (
        BROKEN.search(command)
        or FOREIGN.search(command)
        or VAGUE.search(request)
        or command.startswith(("#", "!", "-", "<"))
    ):
        return False
    if HEREABOUTS.search(request) and re.match(r"find +[/~\w]", command):
        return False
    return copied(request, command)


def copied(request: str, command: str) -> bool:
    """Whether every path, file name and quoted word of the command stands in the request."""
    lowered = request.lower()
    for name in NAMED.findall(command):
        bare = name.strip("\"'").rstrip("/")
        if name in FREE or bare in ("", ".", "./") or bare.startswith("s/") or "\\" in bare:
            continue
        if re.fullmatch(r"/[0-7]{3,4}|l/\d+|/bin/\w+", bare):  # modes, split's parts, programs
            continue
        if bare.lower().removeprefix("./").lstrip("*.") not in lowered:
            return False
    return True


def _plain(command: str, request: str) -> str:
    """One house style for what can be written in many ways."""
    command = re.sub(r"^[$#] +", "", command)
    command = re.sub(r"\s+", " ", command) if "'" not in command and '"' not in command else command
    command = re.sub(r"^find \./(?= )", "find .", command)
    command = re.sub(r"^find (?=-(?!H\b|L\b|P\b|O|D\b))", "find . ", command)
    command = re.sub(r"(-i?name) ([*\w.?]+\*[*\w.?]*|\*[\w.?*]*)(?= |$)", r"\1 '\2'", command)
    command = re.sub(r"(-i?name) \\\*([\w.]+)(?= |$)", r"\1 '*\2'", command)
    command = re.sub(r'(-i?(?:name|path)) "([^"$`\\\']*)"', r"\1 '\2'", command)
    command = re.sub(r"(?<=[\w'\]}]) -print(?= *(\||$))", "", command)
    if not re.search(r"null|zero|nul\b|newline|\\0", request, re.I):
        command = re.sub(r" -print0$", "", command)
    command = re.sub(r"(?<=-perm )\+(?=[0-7]{3})", "/", command)
    command = re.sub(r"\b(head|tail) -(\d+)\b", r"\1 -n \2", command)
    command = re.sub(r"\btail \+(\d+)\b", r"tail -n +\1", command)
    for old, new in (("egrep", "grep -E"), ("fgrep", "grep -F")):
        command = re.sub(rf"(^|[|;(`] *|xargs ){old}(?= )", rf"\1{new}", command)
    return re.sub(r"(?<!\\)[; ]+$", "", command)


PATH = re.compile(r"(?<![\w.~$}*'\\/-])(?:~|\.|\.\.)?/[\w.-]+(?:/[\w.-]+)*/?(?![\w*?{\\$])")
FILE = re.compile(r"(?<![\w./~*$-])[A-Za-z][\w-]*\.[a-z][a-z0-9]{0,3}(?![\w/*.])")
ENDING = re.compile(r"(?<=\*\.)[a-z][a-z0-9]{1,3}(?![\w*.?])")
COUNT = re.compile(r"(?<![\w./-])(?:[2-9]|[1-9]\d)(?![\w./:-])")
FIXED = ("/dev", "/proc", "/sys", "/bin", "/usr/bin", "/etc/passwd", "/etc/group", "/tmp")


def renamed(row: dict[str, str], chance: random.Random) -> dict[str, str] | None:
    """The same pair with other names in both halves: what teaches to copy them."""
    request, command = row["nl"], row["cmd"]
    changes: dict[str, str] = {}
    for kind, fresh in (
        (PATH, lambda: f"{chance.choice(ABSOLUTE)}/{chance.choice(DIRS + STEMS)}"),
        (FILE, lambda: ""),
    ):
        for name in dict.fromkeys(kind.findall(command)):
            plain = name.rstrip("/")
            if plain.startswith(FIXED) or plain in (".", "..", "~") or request.count(plain) != 1:
                continue
            other = fresh() or f"{chance.choice(STEMS)}{chance.choice(['', '', '1', '_2'])}"
            if kind is FILE or "." in plain.rsplit("/", 1)[-1][1:]:
                other += "." + plain.rsplit(".", 1)[-1]
            changes[plain] = other
    for ending in dict.fromkeys(ENDING.findall(command)):
        if len(re.findall(rf"\.{ending}\b", request)) == 1 and command.count(f".{ending}") == 1:
            changes[f".{ending}"] = (
                f".{chance.choice(['txt', 'log', 'py', 'csv', 'html', 'sh', 'c', 'json', 'md', 'conf'])}"
            )
    if chance.random() < 0.7:
        for number in dict.fromkeys(COUNT.findall(request)):
            found = rf"(?<!\d){number}(?!\d)"
            if len(re.findall(found, request)) == len(re.findall(found, command)) == 1:
                changes[number] = str(
                    chance.randint(2, 9) if len(number) == 1 else chance.randint(10, 99)
                )
    if not changes:
        return None
    either = re.compile(
        "|".join(
            rf"(?<!\d){re.escape(name)}(?!\d)" if name.isdigit() else rf"(?<!\w){re.escape(name)}(?!\w)"
            if name[0] != "." else rf"{re.escape(name)}(?!\w)"
            for name in sorted(changes, key=len, reverse=True)
        )
    )  # fmt: skip
    return {
        "nl": either.sub(lambda found: changes[found[0]], request),
        "cmd": either.sub(lambda found: changes[found[0]], command),
        "from": "nl2bash renamed",
    }


def tldr(path: Path, chance: random.Random) -> Iterator[dict[str, str]]:
    """Pairs of common programs, with concrete names in both halves."""
    rows = []
    for row in read(path):
        tool = row["tool"].split(" ")[0]
        if tool not in TOOLS or tool in UNNAMED or "\n" in row["cmd"] or len(row["cmd"]) > LONGEST:
            continue
        if re.search(r"[Dd]isplay (help|version)|[Vv]ersion and", row["nl"]):
            continue
        if tool == "git" and row["cmd"].split()[1:2] and row["cmd"].split()[1] not in GIT:
            continue
        if re.search(r"<[A-Z]|\[|\.\.\.|…", row["cmd"]) and tool != "[":
            continue
        if made := _concrete(row["nl"].strip(), row["cmd"].strip(), tool, chance):
            rows.append(made)
    good = parses({command for _, command in rows})
    yield from ({"nl": nl, "cmd": cmd, "from": "tldr"} for nl, cmd in rows if cmd in good)


WORDED = {
    "username": USERS, "user": USERS, "package": PACKAGES, "package_name": PACKAGES, "hostname": HOSTS,
    "host": HOSTS, "remote_host": HOSTS, "unit": SERVICES, "service": SERVICES, "ip_address": ["10.0.0.5"],
    "process_name": SERVICES, "branch_name": ["main", "develop", "fix-typo"], "container": ["web", "db"],
    "search_pattern": ["error", "TODO", "timeout"], "pattern": ["error", "TODO", "timeout"],
    "regex": ["err.*", "^user"], "branch": ["main", "develop"], "remote_name": ["origin", "upstream"],
    "process_id": ["1234", "4711"], "pid": ["1234", "4711"], "group": ["staff", "www-data"],
    "commit": ["a1b2c3d", "HEAD~2"], "tag_name": ["v1.2", "v2.0"], "message": ["'fix typo'"],
}  # fmt: skip


NESTED = "git docker npm systemctl apt apt-get dnf pip pip3 ip nmcli pacman openssl dpkg".split()
GIT = """add branch checkout clone commit diff fetch grep init log ls-files merge mv pull push rebase
reflog remote reset restore revert rm shortlog show stash status switch tag blame bisect cherry-pick
clean config describe rev-parse rev-list worktree archive apply""".split()


def _concrete(
    request: str, command: str, tool: str, chance: random.Random
) -> tuple[str, str] | None:
    """Placeholders become names, and the request says them."""
    named: list[str] = []

    def place(found: re.Match[str]) -> str:
        text = found[0].strip("{}")
        leaf = text.rsplit("/", 1)[-1]
        if "directory" in leaf or "folder" in leaf:
            name = chance.choice(DIRS + ABSOLUTE)
        else:
            ending = (
                leaf.rpartition(".")[2] if "." in leaf else chance.choice(["txt", "log", "csv"])
            )
            name = f"{chance.choice(STEMS)}.{ending}"
        if name not in named:
            named.append(name)
        return name

    command = PLACE.sub(place, command)
    words = command.split(" ")
    for index, word in enumerate(words):
        bare = word.strip("\"'")
        if index > (tool in NESTED) and bare in WORDED:
            value = chance.choice(WORDED[bare])
            words[index] = value
            named.append(value.strip("'"))
    command = " ".join(words)
    if re.search(
        r"\b\w*(_name|_pattern|_id|username|_url|address|argument|expression)\b|name\d|\bfile\d?\b(?!s)",
        re.sub(r"--?[\w-]+", "", command.split(" ", 1)[-1]),
    ):
        return None
    if len(named) > 2:
        return None
    unsaid = re.findall(r"\b[a-zA-Z]+_\w+\b|\bfilename\b|\bcommand\d?\b|\bstring\b|sd[XY]", command)
    if any(word not in request and word not in named for word in unsaid):
        return None
    request = re.sub(r"\s*\((?!.*\bin\b)[^)]*\)$", "", request)
    for name in named:
        request = _said(request, name, chance)
    return request, command


ARTICLES = re.compile(
    r"\b(?:an?|the|specified|given|specific)(?: (?:specified|specific|given|single|particular|new|text|local|remote))*"
    r" (file|directory|folder|archive|package|user|host|unit|service|process|branch|container|image|"
    r"script|pattern|group|tag|commit|message)\b"
)


def _said(request: str, name: str, chance: random.Random) -> str:
    found = ARTICLES.search(request)
    if found:
        noun = found[1]
        said = (
            name
            if noun in ("file", "directory", "folder", "archive", "script")
            else f"the {noun} {name}"
        )
        if noun in ("file", "directory", "folder") and chance.random() < 0.4:
            said = f"the {noun} {name}"
        return request[: found.start()] + said + request[found.end() :]
    return f"{request}: {name}" if chance.random() < 0.5 else f"{request} ({name})"
