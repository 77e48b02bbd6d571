"""Our dataclasses behave as the standard library's do, wherever aish uses them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import pytest

from aish.core.values import dataclass, field

KINDS: list[dict[str, bool]] = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "repr": False, "eq": False},
]


def body() -> type:
    class Thing:
        """Documented."""

        kinds: ClassVar[int] = 3
        name: str
        count: int = 2
        words: list[str] = field(default_factory=list)
        secret: str = field(default="", repr=False)
        seen: float = field(default=0.0, compare=False, metadata={"doc": "when"})

        def shout(self) -> str:
            return self.name.upper()

    return Thing


def both(kind: dict[str, bool]) -> tuple[Any, Any]:
    return dataclass(**kind)(body()), dataclasses.dataclass(**kind)(body())


@pytest.mark.parametrize("kind", KINDS)
def test_instances_are_built_shown_and_compared_alike(kind: dict[str, bool]) -> None:
    for made in both(kind):
        thing = made("a", secret="s")
        assert (thing.name, thing.count, thing.words, thing.seen) == ("a", 2, [], 0.0)
        assert thing.shout() == "A"
        assert made.kinds == 3
        assert made("a").words is not made("a").words
        assert (made("a") == made("a")) is kind.get("eq", True)
        assert (made("a", seen=1.0) == made("a")) is kind.get("eq", True)
        assert made("a") != made("b")
        assert made("a") != "a"
        with pytest.raises(TypeError):
            made()
        with pytest.raises(TypeError):
            made("a", unknown=1)
        shown = repr(thing)
        assert ("name='a', count=2, words=[], seen=0.0" in shown) is kind.get("repr", True)
        assert "secret" not in shown


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_standard_library_offers_works_on_them(kind: dict[str, bool]) -> None:
    made, theirs = both(kind)
    thing = made("a", 3)
    assert made.__match_args__ == theirs.__match_args__
    assert dataclasses.is_dataclass(made)
    assert [one.name for one in dataclasses.fields(made)] == [
        one.name for one in dataclasses.fields(theirs)
    ]
    assert dataclasses.fields(made)[-1].metadata["doc"] == "when"
    assert dataclasses.asdict(thing) == dataclasses.asdict(theirs("a", 3))
    assert dataclasses.replace(thing, count=4).count == 4
    assert copy.copy(thing).count == copy.deepcopy(thing).count == 3
    assert hasattr(thing, "__dict__") is hasattr(theirs("a"), "__dict__")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.get("frozen")])
def test_a_frozen_one_does_not_change(kind: dict[str, bool]) -> None:
    thing = both(kind)[0]("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        thing.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del thing.name
    assert thing.name == "a"


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class Place(Point):
    name: str = "here"


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(slots=True)
class Counted:
    n: int

    def __post_init__(self) -> None:
        self.n += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counted)

    __hash__ = None  # type: ignore[assignment]


def test_values_are_keys_match_and_travel() -> None:
    assert {Point(1): "a"}[Point(1)] == "a"
    assert hash(Nothing()) == hash(Nothing())
    assert Nothing() == Nothing()
    assert pickle.loads(pickle.dumps(Place(1, 2, "there"))) == Place(1, 2, "there")
    match Place(1, 2):
        case Point(x, 2):
            assert x == 1
        case _:
            raise AssertionError("matched nothing")


def test_a_subclass_adds_its_fields_and_is_no_equal_of_its_base() -> None:
    assert repr(Place(1)) == "Place(x=1, y=0, name='here')"
    assert Place(1) != Point(1)
    assert not hasattr(Place(1), "__dict__")


def test_a_dataclass_of_the_standard_library_may_be_made_of_one() -> None:
    @dataclasses.dataclass(frozen=True)
    class Named(Point):
        name: str = "far"

    assert Named(1) == Named(1, 0, "far")


def test_what_a_body_has_of_its_own_stays() -> None:
    assert Counted(1).n == 2
    assert Counted(1) == Counted(5)
    with pytest.raises(TypeError):
        hash(Counted(1))


def test_types_may_be_written_out_in_a_module_without_postponed_ones() -> None:
    body = {"__annotations__": {"x": int, "kinds": ClassVar[int]}, "kinds": 3}
    made: Any = dataclass(frozen=True, slots=True)(type("Written", (), body))
    assert repr(made(1)) == "Written(x=1)"
    assert made.kinds == 3
