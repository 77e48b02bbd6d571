"""Whether this machine can spare what a model server takes, before anybody has asked for it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OVERHEAD = 256 << 20  # bytes beside the weights: the window and the program
SHARE = 1.5  # of the file's size, in memory
KEPT_FREE = 0.1  # of the memory, for everybody else
SUPPLIES = Path("/sys/class/power_supply")
CONTAINER = Path("/sys/fs/cgroup")
MEMORY = Path("/proc/meminfo")


def can_spare(model: Path) -> bool:
    """Whether a server of this model may start unasked: room, an idle core, not on battery."""
    try:
        needed = int(model.stat().st_size * SHARE) + OVERHEAD
    except OSError:
        return False
    return has_room(needed) and not is_busy() and not on_battery()


def has_room(needed: int, meminfo: Path = MEMORY, container: Path = CONTAINER) -> bool:
    """Whether so many bytes of memory can be taken, and enough is left; not where none can tell."""
    try:
        total, available = memory(meminfo)
    except (OSError, ValueError, KeyError, IndexError):
        return False
    with suppress(OSError, ValueError):
        limit = int((container / "memory.max").read_text("ascii"))
        used = int((container / "memory.current").read_text("ascii"))
        total, available = min(total, limit), min(available, limit - used)
    return available - needed >= KEPT_FREE * total


def memory(meminfo: Path = MEMORY) -> tuple[int, int]:
    """Bytes in all, and those that can be had without hurting anybody.

    Raises: OSError, ValueError, KeyError, IndexError.
    """
    lines = (line.split() for line in meminfo.read_text("ascii").splitlines())
    kilobytes = {words[0]: int(words[1]) for words in lines}
    return kilobytes["MemTotal:"] << 10, kilobytes["MemAvailable:"] << 10


def is_busy() -> bool:
    """Whether every core has had something to do in the last minute."""
    return os.getloadavg()[0] >= (os.cpu_count() or 1)


def on_battery(supplies: Path = SUPPLIES) -> bool:
    """Whether there is a mains supply and it is out; a machine that knows of none has power."""
    plugs = []
    with suppress(OSError):
        for supply in supplies.iterdir():
            with suppress(OSError):
                if (supply / "type").read_text("ascii").strip() in ("Mains", "USB"):
                    plugs.append((supply / "online").read_text("ascii").strip() != "0")
    return bool(plugs) and not any(plugs)
