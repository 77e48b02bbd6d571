"""Looking a host name up so that Ctrl-C and a time limit count.

The C library's look-up cannot be interrupted; done in a thread of its own, waiting for it can.
The connection repeats it afterwards, answered from the resolver's cache.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

from aish.core.errors import Unreachable

_fresh: dict[str, float] = {}
FRESH_SECONDS = 60.0


def check_name(
    host: str, port: int, timeout: float, resolve: Callable[[str, int], object] = socket.getaddrinfo
) -> None:
    """Return once the name is known to exist.

    Raises: Unreachable.
    """
    if _is_number(host) or _fresh.get(host, 0.0) > time.monotonic():
        return
    outcome: list[OSError | None] = []
    done = threading.Event()

    def look() -> None:
        try:
            resolve(host, port)
            outcome.append(None)
        except (OSError, UnicodeError) as error:
            outcome.append(error if isinstance(error, OSError) else OSError(str(error)))
        done.set()

    threading.Thread(target=look, daemon=True).start()
    if not done.wait(timeout):
        raise Unreachable(
            f"looking up {host} takes longer than {timeout:g} s", "is the network up?"
        )
    if outcome[0] is not None:
        raise Unreachable(
            f"there is no host {host}", "check the endpoint's spelling and the network"
        )
    _fresh[host] = time.monotonic() + FRESH_SECONDS


def _is_number(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()
