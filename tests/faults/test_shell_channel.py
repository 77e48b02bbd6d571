"""Records that no bash would send, on the private channel between it and aish."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aish.shell.channel import number
from support.home import Home
from support.person import Person

SENDER = r"""
import glob, os, re, sys
[folder] = glob.glob(os.path.expanduser("~/.cache/aish/shell/aish-*"))
mark = re.search(r"aish[0-9a-f]{24}", open(folder + "/start").read())[0].encode()

def record(*fields):
    return mark + b"\0" + b"\0".join(fields) + b"\0" + mark + b".\0"

kinds = (b"prompt", b"forked", b"ready", b"started", b"answer", b"loaded", b"\xff")
values = ([], [b"1"], [b"9" * 5000] * 14, [b"x\xff"] * 30, [b"-1"] * 14, [b"99999999999"] * 14)
data = b"".join(record(kind, *some) for kind in kinds for some in values)
up = os.open(folder + "/up", os.O_WRONLY)
os.write(up, os.urandom(30_000))
while data:
    data = data[os.write(up, data) :]
os.write(up, mark + b"\0" + b"endless" * 1000)
"""

THIEF = r"""
import glob, os, select, sys
[folder] = glob.glob(os.path.expanduser("~/.cache/aish/shell/aish-*"))
down = os.open(folder + "/down", os.O_RDWR | os.O_NONBLOCK)
os.write(down, sys.argv[2].encode())  # as if the rest of a request had been read
print("ready", flush=True)
left = int(sys.argv[1])
while left:
    select.select([down], [], [])
    try:
        left -= bool(os.read(down, 65536))
    except BlockingIOError:
        pass
"""


def test_damaged_records_end_nothing(home: Home) -> None:
    (home.path / "sender.py").write_text(SENDER)
    with home.shell() as terminal:
        terminal.wait_for("❯")
        for round_ in ("one", "two"):
            terminal.enter(f"{sys.executable} sender.py; echo status $?-{round_}")
            terminal.wait_for(f"status 0-{round_}")
            terminal.enter(f"cd /; echo ali''ve-{round_}")
            terminal.wait_for(f"alive-{round_}")
            terminal.enter("cd")


@pytest.mark.parametrize("stolen", [0, 1, 2, 3])
def test_a_line_that_another_process_reads_off_the_channel_is_sent_again(
    home: Home, stolen: int
) -> None:
    half = "" if stolen else "1:run:touch half"
    theft = [sys.executable, "-c", THIEF, str(stolen), half]
    with (
        Person(home) as person,
        subprocess.Popen(theft, env=home.env, stdout=subprocess.PIPE) as thief,
    ):
        assert thief.stdout
        assert thief.stdout.readline()
        person.say("echo on''ce >> made; cat made; read x; echo got-$x")
        person.wait_for("\nonce")
        person.say("it")
        person.wait_for("got-it")
        person.at_prompt(2)
        assert "alive" in person.do("echo ali''ve")
        thief.kill()
    assert (home.path / "made").read_text() == "once\n"
    assert not list(home.path.glob("half*"))


@pytest.mark.parametrize("field", [b"", b"-1", b"x", b"9" * 5000, b"9999999999", b"\xb2", b"1 2"])
def test_what_bash_cannot_have_counted_is_no_number(field: bytes) -> None:
    with pytest.raises(ValueError, match="number"):
        number(field)
