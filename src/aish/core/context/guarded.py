"""Objects that several threads may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any


class Guarded:
    """Every public call of a subclass happens alone; `with it.lock:` makes several calls one."""

    def __init__(self) -> None:
        self.lock = RLock()

    def __init_subclass__(cls) -> None:
        for name, member in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(member, property):
                setattr(cls, name, property(_alone(member.fget), _alone(member.fset)))
            elif callable(member):
                setattr(cls, name, _alone(member))

    def __getstate__(self) -> dict[str, Any]:
        with self.lock:
            return {name: value for name, value in vars(self).items() if name != "lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, lock=RLock())


def _alone(method: Callable[..., Any] | None) -> Callable[..., Any] | None:
    if method is None:
        return None
    called: Callable[..., Any] = method

    @wraps(called)
    def alone(self: Guarded, *given: Any, **named: Any) -> Any:
        with self.lock:
            return called(self, *given, **named)

    return alone
