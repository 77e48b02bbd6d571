"""Pairs of request and command made from the templates in pairs/, with concrete names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from names import FILES, STEMS, Picks

SLOT = re.compile(r"<([a-zA-Z]+[23]?)>")
DISTRIBUTIONS = {
    "apt": [
        "Debian GNU/Linux 12",
        "Ubuntu 24.04",
        "Ubuntu 22.04",
        "Debian GNU/Linux 13",
        "Linux Mint 22",
    ],
    "dnf": ["Fedora Linux 41", "Rocky Linux 9", "Red Hat Enterprise Linux 9"],
    "pacman": ["Arch Linux", "Manjaro Linux"],
    "apk": ["Alpine Linux v3.20"],
    "zypper": ["openSUSE Tumbleweed"],
}
PREFIXES = [
    "please ",
    "can you ",
    "how do I ",
    "I want to ",
    "could you ",
    "I need to ",
    "help me ",
]
VERBS = """show list print find count delete remove copy move rename create make replace sort search
extract unpack pack compress kill stop start restart install uninstall add append write set change
convert split join merge download stage commit push pull switch clone run give let display unzip
zip gzip display sum follow watch undo""".split()


@dataclass
class Template:
    """Ways to ask, one command, and what is known of the machine when it is asked."""

    asked: list[str] = field(default_factory=list)
    command: str = ""
    files: str = ""
    last: str = ""
    manager: str = ""


def templates(folder: Path) -> Iterator[tuple[str, Template]]:
    """Every template, with its family."""
    for path in sorted(folder.glob("*.txt")):
        current, manager = Template(), ""
        for line in path.read_text().splitlines():
            mark, _, text = line.partition(" ")
            if mark == "%":
                manager = text
            elif mark == "?":
                current.asked.append(text)
            elif mark == "@":
                current.files = text
            elif mark == "=":
                current.last = text
            elif mark == "!":
                current.command, current.manager = text, manager
                yield path.stem, current
                current = Template()


def pair(template: Template, chance: random.Random) -> dict[str, str] | None:
    """One pair from a template; None when its quoting would not survive the choices."""
    picks = Picks(chance)
    asked = chance.choice(template.asked)
    for text in (asked, template.command, template.files, template.last):
        for slot in SLOT.findall(text):
            if slot not in picks.said:
                fill(picks, slot)
    command = render(template.command, picks.typed)
    if "'" in template.command and any(
        "'" in picks.typed[slot] for slot in SLOT.findall(_quoted_parts(template.command))
    ):
        return None
    request = _dressed(render(asked, picks.said), chance)
    distribution = chance.choice(DISTRIBUTIONS[template.manager or _any(chance)])
    made = {"nl": request, "cmd": command, "system": distribution}
    if template.files:
        made["files"] = _listing(render(template.files, picks.typed), chance)
    elif chance.random() < 0.08:
        made["files"] = _listing("", chance)
    if template.last:
        status = chance.choice([0, 0, 0, 1, 2, 100, 127])
        made["last"] = f"{render(template.last, picks.typed)} (exit status {status})"
    return made


def fill(picks: Picks, slot: str) -> None:
    """Choose something for a slot of a template."""
    if slot == "cstem":
        picks.put(slot, picks.typed["bcfile"].rsplit(".", 1)[0])
    elif slot in ("prog2",):
        picks.put(slot, picks.random.choice(STEMS))
    elif slot.startswith("b") and slot[1:] in FILES:  # in this directory, without a space
        ending = picks.random.choice([e for e in FILES[slot[1:]] if e] or ["sh"])
        picks.put(slot, f"{picks.random.choice(STEMS)}.{ending}")
    else:
        picks.fill(slot)


def _any(chance: random.Random) -> str:
    return chance.choice(["apt", "apt", "apt", "dnf", "pacman", "apk", "zypper"])


def _quoted_parts(command: str) -> str:
    return " ".join(re.findall(r"'[^']*'", command))


def render(text: str, values: dict[str, str]) -> str:
    """A text of a template with what was chosen in its slots."""
    return SLOT.sub(lambda found: values[found[1]], text)


def _listing(wanted: str, chance: random.Random) -> str:
    others = [
        f"{chance.choice(STEMS)}.{chance.choice(['txt', 'md', 'html', 'yml', 'toml', 'lock'])}"
        for _ in range(chance.randint(0, 3))
    ]
    others += [f"{chance.choice(STEMS)}/" for _ in range(chance.randint(0, 2))]
    names = wanted.split() + others
    chance.shuffle(names)
    return " ".join(dict.fromkeys(names))


def _dressed(request: str, chance: random.Random) -> str:
    """The request as people type it: polite, terse, capitalised or not."""
    if request[:1].isupper() and request[1:2].islower() and chance.random() < 0.5:
        request = request[0].lower() + request[1:]
    first = request.split(" ", 1)[0]
    if first in VERBS and chance.random() < 0.15:
        request = chance.choice(PREFIXES) + request
    if chance.random() < 0.3:
        request = request[0].upper() + request[1:]
    question = first in ("what", "which", "how", "who", "is", "are", "where", "when")
    if chance.random() < 0.3:
        request += "?" if question else "."
    return request


def generated(folder: Path, each: int, seed: int) -> Iterator[dict[str, str]]:
    """`each` different pairs of every template, fewer where it has fewer."""
    chance = random.Random(seed)
    for family, template in templates(folder):
        seen: set[str] = set()
        ways = len(template.asked) * (6 if SLOT.search(template.command) else 1)
        most = 2 * each if family == "context" else each
        for _ in range(min(most, 5 * ways + 3)):
            made = pair(template, chance)
            if made and made["nl"].lower() not in seen:
                seen.add(made["nl"].lower())
                yield made | {"from": family}
