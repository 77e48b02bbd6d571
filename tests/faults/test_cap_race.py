"""Two processes race one cap, and one of them is killed."""

import subprocess
import sys
from pathlib import Path

import support
from support.books import FileBook

CAP = 1_000_000
SPENDER = """
import os, sys
from pathlib import Path
from aish.core.caps import Caps, Wallet
from aish.core.cost import Price, Tariff
from aish.core.errors import CapReached
from aish.core.messages import Usage
from support.books import FileBook

path, name, die_after = sys.argv[1:]
wallet = Wallet(FileBook(Path(path)), Caps(day=1_000_000), name)
tariff = Tariff(True, Price.per_million(100, 100))
made = 0
while True:
    try:
        held = wallet.reserve("m", "main", tariff, 30, 70)
    except CapReached:
        break
    made += 1
    if made == int(die_after):
        os._exit(9)
    wallet.settle(held, Usage(30, made % 70))
print(made)
"""


def test_two_processes_and_a_crash_stay_below_one_cap(tmp_path: Path) -> None:
    book = tmp_path / "book.jsonl"
    book.touch()
    tests = str(Path(support.__file__).parent.parent)
    environment = {"PYTHONPATH": ":".join([tests, *filter(None, sys.path)])}
    spenders = [
        subprocess.Popen(
            [sys.executable, "-c", SPENDER, str(book), name, die_after],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, die_after in (("one", "0"), ("two", "0"), ("dying", "5"))
    ]
    made = [spender.communicate(timeout=60)[0].strip() for spender in spenders]
    assert [spender.returncode for spender in spenders] == [0, 0, 9]
    assert all(int(count) > 10 for count in made if count)
    spent = FileBook(book).total()
    # A request that did not fit may cost 10,750, and two more may have been reserved just then.
    assert CAP - 3 * 10_750 <= spent <= CAP
