"""What servers said of themselves earlier, kept in the cache for all aish of a user.

It is advice: an entry that is old, damaged or gone costs one question to the server.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED
from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.broker.probe import Probe
    from aish.core.messages import ModelSpec
    from aish.core.money.cost import Price

FRESH = 24 * 3600.0  # seconds after which a server is asked anew
BELIEVED = 7 * FRESH  # seconds that a server is believed to be free after it was,
OFTEN = 3600.0  # and how often that is written down
LEAST_WINDOW = 256  # tokens; a server that names fewer was misread, or is a joke
LARGEST_WINDOW = 10**9
ENTRIES = 200
LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Known:
    """One model of one server."""

    at: float = 0.0  # when it said so, in seconds since 1970; 0: it never did
    window: int = 0
    server: str = ""
    price: tuple[int, int, int, int] | None = None  # nano-dollars per token
    fee: int = 0  # nano-dollars per request
    without: tuple[str, ...] = ()  # parts of a request that it rejects
    without_at: float = 0.0  # when it last said so
    dearest: int = 0  # millionths of a dollar it reported where no price said so
    dearest_at: str = ""  # the price that was set then; another one makes it forgotten
    free_at: float = 0.0  # when it last answered without a cost
    refused: int = 0  # the window it named when it refused a request
    refused_of: int = 0  # the window that request was made for
    refused_at: float = 0.0

    def seen(self, price: str) -> int:
        """The dearest request while this price was set ("": none)."""
        return self.dearest if self.dearest_at == price else 0

    @property
    def is_possible(self) -> bool:
        """Whether its numbers can be true: a file may be damaged."""
        windows, money = (self.window, self.refused), (self.fee, self.dearest, *(self.price or ()))
        sized = all(size == 0 or LEAST_WINDOW <= size <= LARGEST_WINDOW for size in windows)
        return sized and min(money) >= 0

    def offered(self) -> Price | None:
        from aish.core.money.cost import Price

        return Price(*self.price, self.fee) if self.price else None


class KnownServers:
    """The file `servers.json` in the cache; read with the first question."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._entries: dict[str, Known] | None = None
        self._read_of: tuple[int, int] | None = None  # the file that was read; others write too
        self._writing = threading.Lock()

    def entry(self, spec: ModelSpec) -> Known:
        return self._all().get(_key(spec), Known())

    def is_fresh(self, spec: ModelSpec) -> bool:
        return 0 <= self._clock() - self.entry(spec).at < FRESH

    def saw(self, spec: ModelSpec, found: Probe) -> None:
        """A server answered; what it did not come to say counts as it said it within a day."""
        before = self.entry(spec) if found.cut_short and self.is_fresh(spec) else Known()
        window = found.window if found.window >= LEAST_WINDOW else 0
        stated = window if found.server else 0  # a list may name more than a server was given
        price = found.price or before.offered()
        quad = (price.prompt, price.output, price.cache_read, price.cache_write) if price else None
        self._keep(
            spec,
            at=before.at if found.cut_short else self._clock(),
            window=stated or before.window or window,
            server=found.server or before.server,
            price=quad,
            fee=price.request if price else 0,
        )

    def reported(self, spec: ModelSpec, micro: int, price: str = "") -> None:
        """A server that was thought to be free, or far cheaper at this price, reported a cost.

        Or, with 0, it answered and reported none.
        """
        if micro > self.entry(spec).seen(price):
            self._keep(spec, dearest=micro, dearest_at=price)
        elif not micro and not self.was_free(spec, OFTEN):
            self._keep(spec, free_at=self._clock())

    def was_free(self, spec: ModelSpec, within: float = BELIEVED) -> bool:
        """Whether it answered without a cost within so many seconds."""
        return 0 <= self._clock() - self.entry(spec).free_at < within

    def refused(self, spec: ModelSpec, window: int) -> None:
        """A server refused a request made for `spec.window` tokens and named a smaller window.

        The built-in model's is our own setting, which another start may change.
        """
        if spec.name != EMBEDDED and LEAST_WINDOW <= window < spec.window:
            before = self.entry(spec)
            of = before.refused_of if spec.window == before.refused else spec.window
            self._keep(spec, refused=window, refused_of=of, refused_at=self._clock())

    def learned(self, spec: ModelSpec, stated: int) -> int:
        """The window named in a refusal, for a day; 0 if there was none.

        Where another window is stated now than then, the server or its settings have changed.
        """
        entry = self.entry(spec)
        fresh = 0 <= self._clock() - entry.refused_at < FRESH
        return entry.refused if fresh and stated == entry.refused_of else 0

    def forget_refusal(self, spec: ModelSpec) -> None:
        """The window named in one is not believed any more."""
        self._keep(spec, refused=0, refused_of=0, refused_at=0.0)

    def of(self, spec: ModelSpec) -> frozenset[str]:
        """What a server rejected within a day: another may answer there since, or a newer one.

        How its answers begin is seen with each of them.
        """
        from aish.core.messages import BEGUN

        entry = self.entry(spec)
        fresh = 0 <= self._clock() - entry.without_at < FRESH
        return frozenset(part for part in entry.without if fresh or part == BEGUN)

    def learn(self, spec: ModelSpec, without: frozenset[str]) -> None:
        """What a server rejected, now or within a day, and how its answer began.

        The day counts from what it said, not from an answer that began in another way.
        """
        from aish.core.messages import BEGUN

        rejected_anew = (without ^ self.of(spec)) - {BEGUN}
        at = self._clock() if rejected_anew else self.entry(spec).without_at
        self._keep(spec, without=tuple(sorted(without)), without_at=at)

    def _keep(self, spec: ModelSpec, **changes: object) -> None:
        with self._writing, self._shared():
            entries = _read(self._path)  # others write too: what they learned stays
            entries[_key(spec)] = replace(entries.pop(_key(spec), Known()), **changes)  # type: ignore[arg-type]
            while len(entries) > ENTRIES:
                del entries[next(iter(entries))]
            self._entries = entries
            self._save(entries)
            self._read_of = _written(self._path)

    @contextmanager
    def _shared(self) -> Iterator[None]:
        """Nobody else writes meanwhile, as far as that can be had."""
        from aish.core.errors import StoreError
        from aish.store.jsonl import writing

        with ExitStack() as stack:
            with suppress(StoreError):
                stack.enter_context(writing(self._path))
            yield

    def _all(self) -> dict[str, Known]:
        """All entries, read anew when another aish has learned something: what costs money."""
        written = _written(self._path)
        if self._entries is None or (written and written != self._read_of):
            self._entries, self._read_of = _read(self._path), written
        return self._entries

    def _save(self, entries: dict[str, Known]) -> None:
        import msgspec

        from aish.core.errors import StoreError
        from aish.store.jsonl import replace as replace_file

        with suppress(StoreError):  # without a cache the servers are asked again
            replace_file(self._path, [msgspec.json.encode(entries) + b"\n"])


def _key(spec: ModelSpec) -> str:
    """A name for a server and its model that tells nothing of a login in the endpoint."""
    return hashlib.sha256(f"{spec.endpoint}\n{spec.model}".encode()).hexdigest()[:32]


def _written(path: Path) -> tuple[int, int] | None:
    """Which file this is, and of when: it is never written in place."""
    try:
        facts = path.lstat()
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns


def _read(path: Path) -> dict[str, Known]:
    import msgspec

    try:
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return {}
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            return {}
        entries = msgspec.json.decode(data, type=dict[str, Known])
        return {key: known for key, known in entries.items() if known.is_possible}
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return {}
