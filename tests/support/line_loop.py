"""The smallest program around a LiveShell: read a line, run it, say how it went.

    python line_loop.py [--rcfile FILE] [--program BASH] [--no-rc]

Lines that begin with "@" ask the shell instead: @jobs, @names NAME, @complete LINE, @cwd,
@restart, @open (this program's open descriptors), @children, @idle, @output.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from aish.core.errors import ShellError
from aish.shell.live import LiveShell
from aish.shell.terminal import Terminal
from aish.shell.values import ShellResult


def say(text: str) -> None:
    os.write(1, text.encode("utf-8", "replace") + b"\n")


def ask(shell: LiveShell, line: str, last: ShellResult | None) -> None:
    word, _, rest = line.partition(" ")
    if word == "@jobs":
        shell.ready(10)
        for job in shell.jobs():
            say(f"job {job.number} {job.state}: {job.command}")
        say(f"{shell.job_count} jobs")
    elif word == "@names":
        say(f"{rest} {'known' if rest in shell.names() else 'unknown'}")
    elif word == "@complete":
        shell.ready(10)
        found = shell.complete(rest)
        say(f"from {found.start}: {[c.text + c.suffix for c in found.candidates]}")
    elif word == "@cwd":
        say(f"in {shell.cwd}")
    elif word == "@restart":
        shell.start()
        say(f"restarted {shell.ready(30)}")
    elif word == "@open":
        say(f"open {len(list(Path('/proc/self/fd').iterdir()))}")
    elif word == "@children":
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        say(f"children {len(children)}")
    elif word == "@idle":
        say(f"idle {shell.idle_output()!r}")
    elif word == "@output" and last is not None:
        say(f"output {last.output!r} cut {last.cut_bytes} full {last.full_screen}")


def read_line(ahead: str) -> tuple[str, str]:
    """A line, from what was typed ahead if it holds one."""
    line, newline, rest = ahead.partition("\n")
    if newline:
        say(f"aish> {line}")
        return line, rest
    return ahead + input(f"aish> {ahead}"), ""


def loop(shell: LiveShell) -> int:
    last: ShellResult | None = None
    ahead = ""
    while True:
        ahead += shell.typed_ahead().replace("\r", "\n")
        try:
            line, ahead = read_line(ahead)
        except EOFError:
            return 0
        except KeyboardInterrupt:
            say("")
            continue
        if line.startswith("@"):
            ask(shell, line, last)
            continue
        while line.endswith("++"):  # the next line belongs to this one
            line = line[:-2] + "\n" + input("more> ")
        try:
            last = shell.run(line)
        except ShellError as error:
            say(f"error: {error.message}")
            continue
        extra = " incomplete" if last.incomplete else ""
        extra += f" ended by {last.ended.cause}" if last.ended else ""
        say(f"{'' if not last.open_line else chr(10)}= {last.status}{extra}")


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rcfile", type=Path, default=Path("/dev/null"))
    arguments.add_argument("--program", default="/bin/bash")
    chosen = arguments.parse_args()
    shell = LiveShell(chosen.program, chosen.rcfile, Terminal())
    shell.start()
    try:
        return loop(shell)
    finally:
        shell.close()


if __name__ == "__main__":
    sys.exit(main())
