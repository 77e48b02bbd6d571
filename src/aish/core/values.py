"""Dataclasses that cost little to define.

The standard library compiles about six functions for each, which was half of the processor time
of all imports of a question. These compile one and share the rest. They know what aish uses:
`frozen`, `slots`, `eq`, `repr`, and `field` with a default, a factory, `repr`, `compare` and
`metadata`; `fields`, `replace`, `asdict`, copies and `match` work on them as on any.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError, field
from inspect import get_annotations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["dataclass", "field"]

_FIELDS = "__dataclass_fields__"
_KEY = "__compared__"

if TYPE_CHECKING:
    from dataclasses import dataclass  # noqa: TID251
else:

    def dataclass(cls=None, /, **wanted):
        """As `dataclasses.dataclass`, for classes of the kinds above."""
        return _made(cls) if cls is not None else lambda cls: _made(cls, **wanted)


class _Wanted(NamedTuple):
    """What the standard library asks of a base class."""

    init: bool = True
    repr: bool = True
    eq: bool = True
    order: bool = False
    unsafe_hash: bool = False
    frozen: bool = False


def _made(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002
) -> type:
    own = _own_fields(cls)
    known = _inherited(cls) | own
    methods: dict[str, Any] = {
        _FIELDS: known,
        "__dataclass_params__": _Wanted(repr=repr, eq=eq, frozen=frozen),
        "__match_args__": tuple(known),
        "__init__": _init(cls, known.values(), frozen),
    }
    if repr:
        methods["__repr__"] = _repr
    if eq:
        compared = [name for name, one in known.items() if one.compare]
        methods[_KEY] = attrgetter(*compared) if compared else lambda _: ()
        methods |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if cls.__dict__.get(name) is None:  # a body that has its own keeps it
            setattr(cls, name, method)
    return _slotted(cls, own) if slots else cls


def _own_fields(cls: type) -> dict[str, Field[Any]]:
    """The fields of its body; their defaults stay in the class, as plain values."""
    found: dict[str, Any] = {}
    for name, kind in get_annotations(cls).items():
        if "ClassVar" in str(kind):
            continue
        given = cls.__dict__.get(name, MISSING)
        one: Any = given if isinstance(given, Field) else field(default=given)
        if one is given and one.default is MISSING:
            delattr(cls, name)
        elif one is given:
            setattr(cls, name, one.default)
        one.name, one.type, one.kw_only = name, kind, False
        one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # what fields() looks for
        found[name] = one
    return found


def _inherited(cls: type) -> dict[str, Field[Any]]:
    found: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= base.__dict__.get(_FIELDS, {})
    return found


def _init(cls: type, known: Iterable[Field[Any]], frozen: bool) -> Callable[..., None]:
    """The one function that is compiled, because every instance comes by here."""
    given, body = ["self"], []
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    for one in known:
        name = value = one.name
        if one.default_factory is not MISSING:
            names[f"_new_{name}"] = one.default_factory
            given.append(f"{name}=_missing")
            value = f"_new_{name}() if {name} is _missing else {name}"
        elif one.default is not MISSING:
            names[f"_of_{name}"] = one.default
            given.append(f"{name}=_of_{name}")
        else:
            given.append(name)
        body.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(given)}):\n" + "\n".join(body or [" pass"]), names)  # noqa: S102
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _slotted(cls: type, own: Iterable[str]) -> type:
    """The same class with a place for each field instead of a dictionary."""
    left_out = {*own, "__dict__", "__weakref__"}
    body = {name: value for name, value in cls.__dict__.items() if name not in left_out}
    body["__slots__"] = tuple(own)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _repr(self: Any) -> str:
    shown = (one.name for one in getattr(self, _FIELDS).values() if one.repr)
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{self.__class__.__qualname__}({inner})"


def _eq(self: Any, other: object) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    key = getattr(self.__class__, _KEY)
    return key(self) == key(other)


def _hash(self: Any) -> int:
    return hash(getattr(self.__class__, _KEY)(self))


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"{name!r} of a {self.__class__.__name__} does not change")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=True):
        object.__setattr__(self, name, value)
