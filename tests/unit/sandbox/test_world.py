"""What of the file system a trial sees where it cannot be laid over."""

from __future__ import annotations

import pytest

from aish.sandbox import inside, kernel


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What is shown as it is, and whether only to be read, in a world where no overlay works."""
    found: list[tuple[str, bool]] = []

    def fails(*_: object) -> None:
        raise OSError("no room for it")

    def bind(source: str, target: str, *, readonly: bool, rec: bool) -> None:
        assert target == f"/world{source}"
        assert rec
        found.append((source, readonly))

    monkeypatch.setattr(inside, "_overlay", fails)
    monkeypatch.setattr(kernel, "bind", bind)
    return found


def test_the_system_is_seen_also_where_it_cannot_be_laid_over(
    shown: list[tuple[str, bool]],
) -> None:
    for path in ("/usr", "/etc", "/lib"):
        inside._as_it_is(path, f"/world{path}", "/empty")
    assert shown == [("/usr", True), ("/etc", True), ("/lib", True)]


def test_other_folders_are_not_seen_then_because_of_their_sockets(
    shown: list[tuple[str, bool]],
) -> None:
    for path in ("/home", "/run", "/srv"):
        inside._as_it_is(path, f"/world{path}", "/empty")
    assert shown == []
