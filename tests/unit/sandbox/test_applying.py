"""Applying a trial leaves what the command would have left; undoing leaves what was before."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aish.sandbox.applying import apply
from aish.sandbox.undoing import undo
from support.trials import Bench, really, seeded, tree

SCRIPTS = [
    "echo x >> a",
    "echo x > d/b; rm -r many; mv d/e/c moved",
    "rm -r d",
    "mv d g",
    "mkdir -p n/m; echo 1 > n/m/x",
    "rm -r d; mkdir d; echo z > d/new",
    "rm a; mkdir a; echo q > a/x",
    "rm -r d; echo f > d",
    "chmod 600 d/b; touch -d 2019-01-01 many/1; chmod 711 many",
    "cp a t; mv t a",  # a hard link replaced by a file of the same content
    "sed -i s/one/uno/ a",
    "ln d/b d/b2; echo more >> d/b",
    "mv a z",
    "rm $'new\\nline'; echo 1 > $'more\\nlines'",
    "mkfifo f/p; mv f ff",  # a pipe in a folder that is moved
    "mkfifo d/p2; mv d dd",
    "ln -sf nowhere sym; rm dirlink; mkdir dirlink",
    "python3 -c \"import os; os.setxattr('a', 'user.z', b'1'); os.setxattr('f', 'user.y', b'2')\"",
    "truncate -s 10M sparse; dd if=/dev/zero of=sparse bs=1k count=1 seek=100 conv=notrunc",
    "chmod 000 d/b; mkdir x; echo 1 > x/y; chmod 555 x",
    "python3 -c \"import socket; socket.socket(1).bind('sock')\"",
    "mv d/e/c a; ln -f d/b many/2",
    "cp -a d d2; tar cf t.tar d; rm -r d; tar xf t.tar; rm t.tar",
    "rm -rf * .[a-z]*",
    "touch a",
    "echo 1 > new; ln new new2; ln new d/new3",
    "rm d/pipe; mkfifo d/pipe; cd d && mv e ../e",
    "mkdir -p q; mv q r; echo 1 > r/1; mv r many/",
    "rm -r many; mkdir many; echo 3 > many/3; chmod 711 many",
    "truncate -s 0 d/b; rm -r f; ln -s d f",
    "ln dirlink many/l; ln d/pipe p",  # links and pipes with two names
    "touch -d 2018-05-05 d; cp -r many/1 many/2",
    "tar cf t.tar d; rm -r d; tar xf t.tar; rm t.tar",
]


def both_ways(tmp_path: Path, script: str, *, hard_links: bool = True) -> None:
    """Run for real in one copy, try and apply in another, compare; undo, compare with before."""
    real = seeded(tmp_path / "real", hard_links=hard_links)
    tried = seeded(tmp_path / "tried", hard_links=hard_links)
    bench = Bench(tmp_path / "bench")
    before = tree(tried, folder_times=True)
    time.sleep(0.01)
    since = time.time_ns()
    time.sleep(0.01)
    really(real, script)
    applied = bench.applied(tried, script)
    assert not applied.refused
    assert tree(tried, since=since) == tree(real, since=since)
    undone = undo(bench.last())
    assert not undone.refused
    assert tree(tried, folder_times=True) == before


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_trial_applied_is_what_the_command_does(tmp_path: Path, script: str) -> None:
    both_ways(tmp_path, script)


NAMES = st.sampled_from(
    [
        "a",
        "d",
        "d/b",
        "d/e",
        "d/e/c",
        "d/hard",
        "f",
        "many",
        "many/1",
        "many/2",
        "sym",
        "new",
        "d/new",
        "dirlink",
        "n2",
    ]
)
STEPS = st.one_of(
    st.builds("echo text >> {}".format, NAMES),
    st.builds("echo other > {}".format, NAMES),
    st.builds("rm -rf {}".format, NAMES),
    st.builds("mv -T {} {}".format, NAMES, NAMES),
    st.builds("mkdir -p {}".format, NAMES),
    st.builds("mkfifo {}".format, st.sampled_from(["d/p", "f/p", "many/p"])),  # nobody opens them
    st.builds("ln -sfn a {}".format, NAMES),
    st.builds("chmod {} {}".format, st.sampled_from(["600", "755", "000", "1777"]), NAMES),
    st.builds("ln {} {}".format, NAMES, NAMES),
    st.builds("cp -a {} {}".format, NAMES, st.sampled_from(["new", "n2", "d/new"])),
    st.builds("truncate -s 3 {}".format, NAMES),
    st.builds("cp -r {} {}".format, NAMES, NAMES),
    st.builds("touch -d 2018-05-05 {}".format, NAMES),
)


@settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=1, max_size=6))
def test_any_script_leaves_the_same_by_trial_as_for_real(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    both_ways(tmp_path_factory.mktemp("property"), "; ".join(steps), hard_links=False)


# Refusals ------------------------------------------------------------------------------------


def test_a_file_that_changed_meanwhile_is_refused_and_the_rest_applied(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    trial, found = bench.tried(work, "echo x > a; echo y > d/b; rm many/1 many/2; echo n > new")
    (work / "d" / "b").write_text("mine\n")
    (work / "many" / "1").write_text("mine\n")
    (work / "new").write_text("mine\n")
    applied = apply(trial, found, bench.store.begin("x", str(work)))
    refused = {Path(one.change.path).name: one.reason for one in applied.refused}
    assert (
        refused
        == {
            "b": "it changed meanwhile",
            "1": "it changed meanwhile",
            "new": "it changed meanwhile",
        }
        or refused["new"] == "something is there now"
    )
    assert (work / "a").read_text() == "x\n"
    assert (work / "d" / "b").read_text() == "mine\n"
    assert not (work / "many" / "2").exists()
    assert (work / "many" / "1").read_text() == "mine\n"


def test_a_folder_with_something_new_in_it_is_not_deleted(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    trial, found = bench.tried(work, "rm -r d")
    (work / "d" / "e" / "late").write_text("mine\n")
    applied = apply(trial, found, bench.store.begin("x", str(work)))
    assert [one.reason for one in applied.refused] == ["something in it changed meanwhile"]
    assert (work / "d" / "e" / "late").exists()


def test_a_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    bench = Bench(tmp_path / "bench")
    trial, found = bench.tried(work, "echo n > f/new")
    (work / "f").rmdir()
    (work / "f").symlink_to(elsewhere)
    applied = apply(trial, found, bench.store.begin("x", str(work)))
    assert len(applied.refused) == 1
    assert not list(elsewhere.iterdir())


def test_two_names_of_one_file_that_came_apart_are_refused(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    applied = bench.applied(work, "echo x >> a; echo y >> d/hard; echo z > d/b")
    assert {Path(one.change.path).name for one in applied.refused} == {"a", "hard"}
    assert (work / "a").read_text() == "one\n"
    assert (work / "d" / "b").read_text() == "z\n"


@pytest.mark.parametrize("copy", ["cp -p", "cp -a"])
def test_what_may_have_been_written_to_or_replaced_is_refused_with_other_names(
    tmp_path: Path, copy: str
) -> None:
    work = seeded(tmp_path / "work")
    os.utime(work / "d" / "b", (1_500_000_000, 1_500_000_000))
    time.sleep(0.01)
    applied = Bench(tmp_path / "bench").applied(work, f"{copy} d/b a; echo z > d/b")
    (refused,) = applied.refused
    assert "other names" in refused.reason
    assert (work / "a").read_text() == (work / "d" / "hard").read_text() == "one\n"
    assert (work / "d" / "b").read_text() == "z\n"


def test_some_changes_can_be_applied_and_more_of_them_later(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    trial, found = bench.tried(work, "mkdir -p n/m; echo 1 > n/m/x; echo 2 > n/y; rm -r d; rm a")
    apply(trial, found, bench.store.begin("x", str(work)), only={str(work / "n/m/x")})
    assert (work / "n/m/x").read_text() == "1\n"
    assert not (work / "n/y").exists()
    assert (work / "d").exists()
    rest = {str(work / "d"), str(work / "a")}
    applied = apply(trial, found, bench.store.begin("x", str(work)), only=rest)
    assert not applied.refused
    assert not (work / "d").exists()


def test_aish_s_own_files_are_never_applied(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    trial, found = bench.tried(work, "rm -r d a")
    never = (str(work / "d" / "e"),)
    applied = apply(trial, found, bench.store.begin("x", str(work)), never=never)
    assert [one.reason for one in applied.refused] == ["it belongs to aish"]
    assert (work / "d" / "e" / "c").exists()
    assert not (work / "a").exists()


# Undo ----------------------------------------------------------------------------------------


def test_undo_leaves_alone_what_changed_since(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    bench.applied(work, "echo ai > d/b; rm many/1")
    (work / "d" / "b").write_text("mine\n")
    undone = undo(bench.last())
    assert [reason for _, reason in undone.refused] == ["it changed since"]
    assert (work / "d" / "b").read_text() == "mine\n"
    assert (work / "many" / "1").read_text() == "1\n"


def test_what_is_over_the_limit_is_not_kept_and_that_is_said(tmp_path: Path) -> None:
    from aish.sandbox.undo_store import UndoStore

    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    (work / "big").write_bytes(bytes(range(256)) * 4000)
    trial, found = bench.tried(work, "rm big a")
    store = UndoStore(tmp_path / "undo", 1000)
    applied = apply(trial, found, store.begin("rm big a", str(work)))
    assert applied.not_kept == (str(work / "big"),)
    undone = undo(next(store.records()))
    assert [reason for _, reason in undone.refused] == ["the old one was too big to keep"]
    assert (work / "a").read_text() == "one\n"


def test_the_oldest_records_make_room(tmp_path: Path) -> None:
    from aish.sandbox.undo_store import UndoStore

    work = tmp_path / "work"
    work.mkdir()
    bench = Bench(tmp_path / "bench")
    store = UndoStore(tmp_path / "undo", 3_000_000)
    for _ in range(4):
        (work / "big").write_bytes(os.urandom(1_000_000))
        trial, found = bench.tried(work, "rm big")
        apply(trial, found, store.begin("rm big", str(work)))
    store.trim()
    assert 1 <= len(list(store.records())) <= 3


def test_records_and_old_files_are_private(tmp_path: Path) -> None:
    work = seeded(tmp_path / "work")
    bench = Bench(tmp_path / "bench")
    bench.applied(work, "rm a")
    record = bench.last()
    for folder in (record.folder.parent, record.folder, record.folder / "old"):
        assert folder.stat().st_mode & 0o077 == 0
    assert (record.folder / "record.jsonl").stat().st_mode & 0o077 == 0
