"""The second parser may not take the first down with it."""

import subprocess
import sys
import textwrap

# Found by fuzzing: characters beyond ASCII crashed the scanner of tree-sitter-bash.
CRASHED = (
    "ü\\\\\u3000{}$\u202e# in `{\U0010ffff@(;\U0010ffff(//\ud7ffrm\n",
    "@(\U0010ffff",
    "rm${\U0001f600//\uffff}",
    "<<\u3000EOF\né\nEOF",
)


def test_no_character_ends_the_process_that_reads() -> None:
    program = textwrap.dedent(
        """
        import random, sys
        from aish.core.shellsyntax.crosscheck import _seen
        for text in sys.argv[1:]:
            _seen(text.encode("utf-8", "replace"))
        dice = random.Random(7)
        parts = ["$", "{", "}", "(", ")", "<<", "E", "\\n", " ", "é", "\\u202e", "\\U0010ffff",
                 "'", '"', "`", "\\\\", "$(", "${", "[[", "]]", "=~", "case ", " in ", "@(", "//"]
        for _ in range(4000):
            text = "".join(dice.choice(parts) for _ in range(dice.randint(1, 25)))
            data = bytearray(text.encode())
            data.insert(dice.randint(0, len(data)), dice.randint(128, 255))
            _seen(bytes(data))
        print("alive")
        """
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, *CRASHED], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "alive"), ran.stderr[-500:]
