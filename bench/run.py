"""Every figure the documents claim, one script after the other.

    python bench/run.py [NAME …]      names: those below; all by default

The context benchmarks against other libraries need an environment of their own: see
bench/context/speed.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = {
    "startup": ["startup.py"],
    "keys": ["keys.py"],
    "one_shot": ["one_shot.py"],
    "passthrough": ["passthrough.py"],
    "classify": ["classify.py"],
    "broker": ["broker.py"],
    "routing": ["routing.py"],
    "redact": ["redact.py"],
    "store": ["store.py"],
    "long_answers": ["long_answers.py"],
    "safety": ["safety.py"],
    "try": ["try.py"],
    "tools": ["tools.py"],
    "norris": ["norris.py"],
    "replay": ["context/replay.py"],
    "live": ["context/live.py"],
}


def main() -> int:
    wanted = sys.argv[1:] or list(SCRIPTS)
    if unknown := [name for name in wanted if name not in SCRIPTS]:
        sys.stderr.write(f"unknown: {', '.join(unknown)}; known: {', '.join(SCRIPTS)}\n")
        return 2
    path = os.pathsep.join(str(HERE.parent / part) for part in ("src", "tests", "bench/context"))
    failed = 0
    for name in wanted:
        print(f"\n── {name} " + "─" * (76 - len(name)), flush=True)
        command = [sys.executable, *(str(HERE / part) for part in SCRIPTS[name])]
        environment = {**os.environ, "PYTHONPATH": path}
        failed += bool(subprocess.run(command, env=environment, check=False).returncode)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
