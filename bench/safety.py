"""How well commands are read: flagged by family, rewrites, inert text, speed.

python bench/safety.py            the figures of the guide
python bench/safety.py --misses   and every command that is wrong
python bench/safety.py --tuning   only the part of the own set that rules were tuned on
"""

# ruff: noqa: E501 - tables of one-liners

from __future__ import annotations

import json
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from aish.core.safety import Situation, judge
from aish.shell.shfmt import Shfmt

DATA = Path(__file__).parent.parent / "tests" / "data" / "safety"
Sample = tuple[str, str]  # family, command


def samples(name: str) -> list[Sample]:
    """The labelled samples: a JSON record per line."""
    rows = (json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines())
    return [(row["category"], row["cmd"]) for row in rows]


def own(name: str, part: str = "all") -> list[Sample]:
    """The self-written set, in parts by a checksum; the misses of both have been mended since."""
    found: list[Sample] = []
    family = ""
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        if line.startswith("## "):
            family = line[3:]
        elif line.strip():
            command = line.replace("⏎", "\n")
            held = zlib.crc32(command.encode()) % 3 == 0
            if part == "all" or held == (part == "held"):
                found.append((family, command))
    return found


def rounds(kind: str) -> list[tuple[str, list[Sample]]]:
    """The sets written after the rules, one after the other; each was measured before it was looked at."""
    names = sorted(path.stem for path in (DATA / "rounds").glob(f"*-{kind}.txt"))
    return [(name.partition("-")[0], own(f"rounds/{name}")) for name in names]


def quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


REWRITES: dict[str, Callable[[str], str]] = {
    "subshell": lambda c: f"( {c}\n)",
    "block": lambda c: f"{{ {c}\n}}",
    "bash -c": lambda c: f"bash -c {quote(c)}",
    "eval": lambda c: f"eval {quote(c)}",
    "here-document": lambda c: f"bash <<'END_OF_IT'\n{c}\nEND_OF_IT",
    "variable": lambda c: f'todo={quote(c)}; eval "$todo"',
    "spacing": lambda c: f"  {c}  \n",
    "newline": lambda c: f"true\n{c}\ntrue",
    "env prefix": lambda c: f"env LANG=C bash -c {quote(c)}",
    "function": lambda c: f"work() {{\n{c}\n}}; work",
    "alias": lambda c: f"alias work={quote(c)}\nwork",
    "xargs": lambda c: f"printf '%s\\0' {quote(c)} | xargs -0 -I% sh -c {quote(c)}",
    "if": lambda c: f"if true; then\n{c}\nfi",
    "quoting": lambda c: (
        f"{c.split(' ')[0][:1]}\\{c.split(' ')[0][1:]}{c[len(c.split(' ')[0]) :]}"
        if c[:2].isalpha()
        else c
    ),
    "$IFS": lambda c: f"sh${{IFS}}-c${{IFS}}{quote(c)}",
    "brace expansion": lambda c: f"{{bash,-c,{quote(c)}}}",
}
INERT: dict[str, Callable[[str], str]] = {
    "echo": lambda c: f"echo {quote(c)}",
    "grep pattern": lambda c: f"grep -F -- {quote(c)} notes.txt",
    "comment": lambda c: "ls # " + c.replace("\n", " "),
    "commit message": lambda c: f"git commit -m {quote(c)}",
}


def flagged(command: str, parse: Shfmt, situation: Situation) -> bool:
    return judge(command, parse, situation).flagged


def table(title: str, rows: list[Sample], parse: Shfmt, *, want: bool, misses: bool) -> None:
    situation = Situation()
    right: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    wrong: list[tuple[str, str, str]] = []
    for family, command in rows:
        verdict = judge(command, parse, situation)
        total[family] += 1
        right[family] += verdict.flagged
        if verdict.flagged != want:
            wrong.append((family, command, f"{verdict.rule}: {verdict.reason}"))
    whole = sum(right.values())
    print(f"\n{title}: {whole} of {len(rows)} flagged, {100 * whole / max(len(rows), 1):.1f} %")
    print("  " + ", ".join(f"{name} {right[name]}/{count}" for name, count in total.items()))
    if misses:
        for family, command, why in wrong:
            print(f"  {'MISSED' if want else 'NAGGED'} {family}: {command!r}   [{why}]")


def rewritten(
    rows: Iterable[Sample],
    forms: dict[str, Callable[[str], str]],
    parse: Shfmt,
    *,
    misses: bool,
    want: bool,
) -> None:
    situation = Situation()
    rows = [row for row in rows if "\x1b" not in row[1]]
    for name, form in forms.items():
        results = [(command, flagged(form(command), parse, situation)) for _, command in rows]
        share = 100 * sum(hit for _, hit in results) / len(results)
        print(f"  {name:<16} {share:5.1f} % flagged")
        if misses:
            for command, hit in results:
                if hit != want:
                    print(f"      {form(command)!r}")


def speed(parse: Shfmt) -> None:
    situation = Situation()
    commands = [command for _, command in samples("danger") + samples("benign")]
    times: list[float] = []
    for command in commands:
        parse.forget()
        parse.warm()
        time.sleep(0.01)  # a person reads the last verdict; meanwhile the next process starts
        start = time.perf_counter()
        judge(command, parse, situation)
        times.append(time.perf_counter() - start)
    times.sort()
    print(
        f"\nwarm: median {times[len(times) // 2] * 1e3:.1f} ms, 95 % within {times[int(len(times) * 0.95)] * 1e3:.1f} ms"
    )
    line = 'for f in *.log; do if [ -f "$f" ]; then cp -n "$f" out/ && echo "done $f"; fi; done\n'
    script = (line * 200)[:10_000].rpartition("\n")[0]
    best = min(_timed(script, parse, situation) for _ in range(5))
    print(f"a script of 10 KB: {best * 1e3:.0f} ms")
    deep = "$(echo " * 1000 + "x" + ")" * 1000
    start = time.perf_counter()
    level = judge("echo " + deep, parse, situation).level
    print(f"nested 1,000 deep: {level} after {(time.perf_counter() - start) * 1e3:.1f} ms")


def _timed(command: str, parse: Shfmt, situation: Situation) -> float:
    parse.forget()
    start = time.perf_counter()
    judge(command, parse, situation)
    return time.perf_counter() - start


def main() -> None:
    misses = "--misses" in sys.argv
    part = "tuned" if "--tuning" in sys.argv else "held" if "--held" in sys.argv else "all"
    parse = Shfmt()
    if part == "all":
        table("samples, harmful", samples("danger"), parse, want=True, misses=misses)
        table("samples, harmless", samples("benign"), parse, want=False, misses=misses)
    for piece in ("tuned", "held") if part == "all" else (part,):
        table(f"own set ({piece}), harmful", own("harmful", piece), parse, want=True, misses=misses)
        table(
            f"own set ({piece}), harmless", own("harmless", piece), parse, want=False, misses=misses
        )
    if part == "all":
        table("written last, harmful", own("unseen-harmful"), parse, want=True, misses=misses)
        table("written last, harmless", own("unseen-harmless"), parse, want=False, misses=misses)
        for kind, want in (("harmful", True), ("harmless", False)):
            for number, rows in rounds(kind):
                table(f"round {number}, {kind}", rows, parse, want=want, misses=misses)
    if "--tuning" in sys.argv or "--held" in sys.argv:
        return
    fresh = [row for _, rows in rounds("harmful") for row in rows][::12]
    for title, rows in (
        ("every harmful sample", samples("danger")),
        ("every twelfth of the rounds", fresh),
    ):
        print(f"\nrewrites of {title}:")
        rewritten(rows, REWRITES, parse, misses=misses, want=True)
        print("\nthe same as inert text:")
        rewritten(rows, INERT, parse, misses=misses, want=False)
    speed(parse)
    parse.close()


if __name__ == "__main__":
    main()
