"""Concrete names, numbers and phrases for the slots of the pair templates."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass, field

STEMS = """report notes data backup config server client invoice budget photo holiday thesis chapter
draft summary index main app test users orders sales access error system results output input list
todo readme project archive export import dump site home story letter contract recipe inventory
players scores weather sensor metrics events customers products staff salaries grades students
measurements samples trace debug install setup deploy build release changes license agenda minutes
poem essay quotes words names cities countries prices stock ledger payments messages mail contacts
calendar tasks plan roadmap schema model train eval labels cache session audit auth nginx api web
worker queue cron daily weekly monthly yearly january march june october q1 q2 q3 2023 2024 alpha
beta gamma omega apple banana cherry lemon tiger panda falcon otter atlas nova orion""".split()
WORDS = """error warning timeout failed success TODO FIXME password admin root user login connection
refused denied fatal panic debug info import return class def main server client apple banana orange
red green blue foo bar baz hello world cat dog alice bob carol version config localhost null true
false GET POST 404 500 exception memory disk cpu network key value old new start stop begin end
price total name date email http https ssl token secret monday friday january colour color""".split()
DIRS = """src docs tests logs data backup images photos music downloads Documents Downloads Pictures
projects scripts build dist lib bin assets static templates reports archive old new tmp cache public
private exports uploads media notes work node_modules config etc results output input samples models
site www releases drafts invoices letters music videos vendor packages tools examples dir1 dir2
subdir folder1 folder2 sub test1 run2 part3 set_a old_files my_dir""".split()
ABSOLUTE = """/var/log /tmp /etc /home/alice /home/bob/projects /srv/www /opt/app /usr/local/bin
/var/www/html /mnt/backup /data /srv/data /usr/share/doc /var/lib /home/carol/Documents /workspace
/system /testdir /srv/files /var/tmp /opt/tools/bin /usr/lib /var/backups /root /home""".split()
HOME = "~ ~/Documents ~/Downloads ~/projects ~/src ~/Pictures ~/work ~/.config ~/notes".split()
USERS = (
    "alice bob carol dave www-data root postgres deploy maria john anna peter git nobody".split()
)
GROUPS = "www-data staff developers docker sudo users admin wheel team audio".split()
HOSTS = """example.com server1 web01 db.example.org 192.168.1.10 10.0.0.5 build.example.net backup
mail.example.com github.com nas pi.local gateway 172.16.4.2 app-3.internal""".split()
PROCS = "nginx firefox python3 java node sshd postgres mysqld chrome vim redis-server cron".split()
PACKAGES = """htop vim curl git jq tmux nginx tree ripgrep ffmpeg docker.io python3-pip build-essential
gcc cmake nodejs postgresql redis zsh fish wget unzip rsync imagemagick neovim screen nmap""".split()
PYTHON = "requests numpy pandas flask django pytest black rich httpx fastapi scipy pillow".split()
SERVICES = "nginx ssh postgresql docker cron redis apache2 mysql bluetooth NetworkManager".split()
BRANCHES = "main develop feature/login fix-typo release-2.0 hotfix experiment search-ui".split()
PHRASES = """hello world|first draft|fix the login bug|add a test|update docs|done|buy milk
initial commit|remove dead code|end of file|version 2|remember the keys|meeting at noon|fix typo
all tests pass|new feature|work in progress|see you soon|it works""".replace("\n", "|").split("|")
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()
KINDS = {
    "py": ("Python files", "Python file"),
    "txt": ("text files", "text file"),
    "log": ("log files", "log file"),
    "jpg": ("JPEG images", "JPEG image"),
    "sh": ("shell scripts", "shell script"),
    "md": ("Markdown files", "Markdown file"),
    "js": ("JavaScript files", "JavaScript file"),
    "html": ("HTML files", "HTML file"),
    "c": ("C files", "C file"),
    "java": ("Java files", "Java file"),
    "php": ("PHP files", "PHP file"),
    "css": ("CSS files", "CSS file"),
    "pdf": ("PDFs", "PDF"),
    "csv": ("CSV files", "CSV file"),
    "json": ("JSON files", "JSON file"),
    "tmp": ("temporary files", ".tmp file"),
    "bak": ("backup files ending in .bak", ".bak file"),
    "conf": ("configuration files ending in .conf", ".conf file"),
    "mp3": ("mp3 files", "mp3"),
    "png": ("PNG images", "PNG"),
    "xml": ("XML files", "XML file"),
    "yaml": ("YAML files", "YAML file"),
    "o": ("object files", "object file"),
    "gz": (".gz files", ".gz file"),
}
HERE = ["here", "in this directory", "in the current directory", "in this folder",
        "in the current folder", "under the current directory"]  # fmt: skip
FILES = {
    "txt": ("txt", "md", "txt", "dat", "list", ""),
    "log": ("log", "log", "txt", "out"),
    "csv": ("csv",),
    "json": ("json",),
    "conf": ("conf", "ini", "cfg", "env", "properties"),
    "script": ("sh", "sh", "run", ""),
    "py": ("py",),
    "img": ("jpg", "png", "gif"),
    "pdf": ("pdf",),
    "cfile": ("c",),
    "db": ("db", "sqlite"),
    "deb": ("deb",),
    "file": (
        "txt",
        "py",
        "md",
        "csv",
        "json",
        "log",
        "pdf",
        "html",
        "c",
        "jpg",
        "conf",
        "js",
        "xml",
    ),
    "newname": ("txt", "md", "log", "csv", "bak", "old", "out"),
    "tgz": ("tar.gz", "tar.gz", "tgz"),
    "tar": ("tar",),
    "txz": ("tar.xz",),
    "tbz": ("tar.bz2",),
    "zip": ("zip",),
    "gz": ("log.gz", "txt.gz", "csv.gz", "sql.gz"),
}


@dataclass
class Picks:
    """The choices made for one pair: what a slot is in the request and in the command."""

    random: random.Random
    said: dict[str, str] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)

    def put(self, slot: str, said: str, typed: str | None = None) -> None:
        self.said[slot] = said
        self.typed[slot] = said if typed is None else typed

    def fill(self, slot: str) -> None:
        """Choose for a slot, and for those that belong to it."""
        if slot in self.said:
            return
        stem = slot.rstrip("23")
        if stem in FILES or stem == "path":
            self._file(slot, stem)
        elif stem in ("dir", "dirn", "absdir", "link", "venv"):
            self._directory(slot, stem)
        elif stem in ("kind", "glob", "kindone", "ext"):
            self._kind(slot[len(stem) :])
        elif slot in ("where", "d"):
            self._where()
        elif slot in ("n", "nd", "nth", "nplus"):
            self._number()
        elif slot in ("lo", "hi"):
            low = self.random.randint(1, 9 if self.random.random() < 0.6 else 400)
            self.put("lo", str(low))
            self.put("hi", str(low + self.random.randint(1, 40)))
        elif slot in ("size", "fsize"):
            self._size()
        elif slot in ("recent", "recentf"):
            self._recent()
        elif slot in ("older", "olderf"):
            days = self.random.choice([1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365])
            unit = f"{days} day" if days == 1 else f"{days} days"
            words = [f"older than {unit}", f"not modified in the last {unit}"]
            self.put("older", self.random.choice(words))
            self.put("olderf", f"-mtime +{days}")
        else:
            self._simple(slot, stem)

    def _name(self, endings: tuple[str, ...]) -> str:
        ending = self.random.choice(endings)
        stem = self.random.choice(STEMS)
        roll = self.random.random()
        if roll < 0.25:
            joint = self.random.choice("_-")
            stem = f"{stem}{joint}{self.random.choice(STEMS)}"
        elif roll < 0.35:
            stem = f"{stem}{self.random.randint(1, 2030)}"
        elif roll < 0.40:
            stem = stem.capitalize()
        elif roll < 0.45:
            stem = f"{stem} {self.random.choice(STEMS)}"
        return f"{stem}.{ending}" if ending else stem

    def _file(self, slot: str, stem: str) -> None:
        taken = set(self.said.values())
        while True:
            name = self._name(FILES.get(stem, FILES["file"]))
            if name not in taken:
                break
        roll = self.random.random()
        if stem == "path":
            name = f"{self.random.choice(ABSOLUTE)}/{name}"
        elif stem in ("txt", "log", "csv", "file", "conf", "json", "tgz", "zip"):
            if roll < 0.12:
                name = f"{self.random.choice(ABSOLUTE)}/{name}"
            elif roll < 0.2:
                name = f"{self.random.choice(DIRS)}/{name}"
            elif roll < 0.23 and " " not in name:
                name = f"~/{name}"
        self._quoted(slot, name)

    def _quoted(self, slot: str, name: str) -> None:
        said = name
        if " " in name or self.random.random() < 0.12:
            said = self.random.choice(['"{}"', "'{}'"]).format(name)
        home = name.startswith("~/") and " " not in name
        self.put(slot, said, name if home else shlex.quote(name))

    def _directory(self, slot: str, stem: str) -> None:
        roll = self.random.random()
        while True:
            if stem == "absdir":
                name = self.random.choice(ABSOLUTE)
            elif stem == "venv":
                name = self.random.choice([".venv", "venv", "env"])
            elif stem in ("dirn", "link") or roll < 0.4:
                name = self.random.choice(DIRS + STEMS)
            else:
                name = self._absolute()
            if name not in self.said.values():
                break
        said = name
        if stem != "venv" and self.random.random() < 0.1:
            said = f'"{name}"'
        self.put(slot, said, name)

    def _absolute(self) -> str:
        """A directory by its whole path, often some levels down."""
        path = self.random.choice(ABSOLUTE + HOME)
        while self.random.random() < 0.35:
            path = f"{path.rstrip('/')}/{self.random.choice(DIRS)}"
        return path

    def _kind(self, tail: str) -> None:
        taken = self.said.get("ext")
        ext = self.random.choice([key for key in KINDS if key != taken])
        plural, one = KINDS[ext]
        if self.random.random() < 0.45 or not ext:
            plural, one = f".{ext} files", f".{ext} file"
        elif self.random.random() < 0.15:
            plural, one = f"*.{ext} files", f"*.{ext} file"
        self.put(f"kind{tail}", plural)
        self.put(f"kindone{tail}", one)
        self.put(f"glob{tail}", f"*.{ext}")
        self.put(f"ext{tail}", ext)

    def _where(self) -> None:
        if self.random.random() < 0.45:
            self.put("where", self.random.choice(HERE))
            self.put("d", ".")
            return
        path = self._absolute() if self.random.random() < 0.7 else self.random.choice(DIRS)
        shape = self.random.choice(
            [
                "in {}",
                "in {}",
                "under {}",
                "in the directory {}",
                "in the {} directory",
                "below {}",
                "in the folder {}",
                'in "{}"',
                "in the {} folder",
            ]
        )
        self.put("where", shape.format(path))
        self.put("d", path)

    def _number(self) -> None:
        number = self.random.choice([2, 3, 3, 4, 5, 5, 6, 7, 8, 9, 10, 10, 10])
        if self.random.random() < 0.15:
            number = self.random.randint(11, 120)
        word = NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)
        said = word if self.random.random() < 0.4 else str(number)
        self.put("n", said, str(number))
        self.put("nd", str(number))
        self.put("nplus", str(number + 1))
        nth = ORDINALS[number] if number < len(ORDINALS) else f"{number}{_ending(number)}"
        self.put(
            "nth",
            nth if self.random.random() < 0.7 else f"{number}{_ending(number)}",
        )

    def _size(self) -> None:
        count = self.random.choice([1, 2, 5, 10, 20, 50, 100, 200, 500])
        unit, letter = self.random.choice(
            [
                ("MB", "M"),
                ("M", "M"),
                (" MB", "M"),
                (" megabytes", "M"),
                ("MiB", "M"),
                ("kB", "k"),
                (" kilobytes", "k"),
                ("K", "k"),
                ("GB", "G"),
                (" GB", "G"),
                (" bytes", "c"),
            ]
        )
        self.put("size", f"{count}{unit}")
        self.put("fsize", f"{count}{letter}")

    def _recent(self) -> None:
        if self.random.random() < 0.25:
            minutes = self.random.choice([5, 10, 15, 30, 45, 60, 90])
            if minutes == 60:
                self.put("recent", "in the last hour")
            else:
                self.put("recent", f"in the last {minutes} minutes")
            self.put("recentf", f"-mmin -{minutes}")
            return
        days = self.random.choice([1, 1, 2, 3, 5, 7, 7, 10, 14, 30])
        words = [f"in the last {days} days", f"within the past {days} days"]
        if days == 1:
            words = ["in the last day", "in the last 24 hours", "since yesterday", "today"]
        if days == 7:
            words += ["in the last week", "this week"]
        self.put("recent", self.random.choice(words))
        self.put("recentf", f"-mtime -{days}")

    def _simple(self, slot: str, stem: str) -> None:
        pick = self.random.choice
        number = self.random.randint
        choices = {
            "word": lambda: pick(WORDS),
            "user": lambda: pick(USERS),
            "group": lambda: pick(GROUPS),
            "host": lambda: pick(HOSTS),
            "proc": lambda: pick(PROCS),
            "pkg": lambda: pick(PACKAGES),
            "pypkg": lambda: pick(PYTHON),
            "npmpkg": lambda: pick(["express", "react", "typescript", "eslint", "vite", "lodash"]),
            "svc": lambda: pick(SERVICES),
            "branch": lambda: pick(BRANCHES),
            "remote": lambda: pick(["upstream", "origin", "backup", "fork"]),
            "phrase": lambda: pick(PHRASES),
            "port": lambda: pick(["80", "8080", "3000", "5432", "22", "443", "8000", "6379"]),
            "pid": lambda: str(number(100, 32000)),
            "mode": lambda: pick(["644", "755", "600", "700", "640", "750", "664", "400", "777"]),
            "umask": lambda: pick(["022", "027", "077", "002"]),
            "big": lambda: str(pick([10, 20, 50, 80, 100, 120, 200, 500, 1000, 42, 37])),
            "date": lambda: f"{number(2019, 2026)}-{number(1, 12):02}-{number(1, 28):02}",
            "ts": lambda: str(number(10**9, 18 * 10**8)),
            "VAR": lambda: pick(["HOME", "PATH", "EDITOR", "LANG", "DEBUG", "API_URL", "SHELL"]),
            "var": lambda: pick(["PORT", "HOST", "DEBUG", "timeout", "user", "LOG_LEVEL"]),
            "key": lambda: pick(["name", "version", "id", "email", "price", "status", "title"]),
            "prog": lambda: pick(["python3", "git", "bash", "gcc", "node", "vim", "docker", "ssh"]),
            "progname": lambda: pick(STEMS),
            "url": lambda: (
                f"https://{pick(['example.com', 'files.example.org', 'api.example.net'])}"
                f"/{pick(STEMS)}{pick(['', '.html', '.json', '.tar.gz', '/v1', '.zip'])}"
            ),
            "giturl": lambda: (
                f"https://{pick(['github.com', 'gitlab.com', 'git.example.org'])}"
                f"/{pick(USERS)}/{pick(STEMS)}.git"
            ),
            "tag": lambda: f"v{number(0, 9)}.{number(0, 20)}{pick(['', '.1', '.0'])}",
            "ver": lambda: f"{number(0, 9)}.{number(0, 20)}.{number(0, 9)}",
            "hash": lambda: f"{number(16**6, 16**7 - 1):x}",
            "email": lambda: f"{pick(USERS)}@{pick(['example.com', 'example.org'])}",
            "dev": lambda: pick(["/dev/sdb1", "/dev/sda2", "/dev/nvme0n1p1", "/dev/sdc"]),
            "letter": lambda: pick("aeiosxtz"),
        }
        while (value := choices[stem]()) in self.said.values() and stem not in ("remote", "mode"):
            pass
        self.put(slot, value)


def _ending(number: int) -> str:
    """Of an ordinal: 1st, 2nd, 3rd, 11th, 12th."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
