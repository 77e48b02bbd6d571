"""One cap, three processes, one of which dies: the ledger keeps them all below it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import aish
from aish.store.ledger import Ledger

CAP = 1_000_000
SPENDER = """
import os, sys
from pathlib import Path
from aish.core.money.caps import Caps, Wallet
from aish.core.money.cost import Price, Tariff
from aish.core.errors import CapReached
from aish.core.messages import Delta, Usage
from aish.core.money.received import Received
from aish.store.ledger import Ledger

path, name, die_after = sys.argv[1:]
wallet = Wallet(Ledger(Path(path)).book(name), Caps(day=1_000_000), name)
tariff = Tariff(True, Price.per_million(100, 100))
made = 0
print("ready", flush=True)
sys.stdin.readline()  # all begin at once
while True:
    try:
        held = wallet.reserve("m", "main", tariff, 30, 70)
    except CapReached:
        break
    made += 1
    if made == int(die_after):
        os._exit(9)
    received = Received()
    received.take(Delta(usage=Usage(30, made % 70)))
    wallet.settle(held, received, complete=True)
print(made)
"""


def test_a_cap_holds_across_processes_and_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    environment = {"PYTHONPATH": str(Path(aish.__file__).parent.parent)}
    spenders = [
        subprocess.Popen(
            [sys.executable, "-c", SPENDER, str(path), name, die_after],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, die_after in (("one", "0"), ("two", "0"), ("dying", "5"))
    ]
    for spender in spenders:
        assert spender.stdout is not None
        assert spender.stdout.readline() == "ready\n"
    for spender in spenders:
        assert spender.stdin is not None
        spender.stdin.write("go\n")
        spender.stdin.flush()
    made = [int(spender.communicate(timeout=120)[0] or 0) for spender in spenders]
    assert [spender.returncode for spender in spenders] == [0, 0, 9]
    # One request costs 10,000 at most, and two more may have been reserved just then.
    assert CAP - 3 * 10_750 <= Ledger(path).spent() <= CAP
    assert Ledger(path).by("model")["m"].calls == sum(made) + 4
