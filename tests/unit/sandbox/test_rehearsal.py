"""Several commands in one trial: they build on each other, and nothing is real before the end."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aish.core.errors import SandboxError
from aish.sandbox.rehearsal import MOST_KEPT, Rehearsal
from aish.sandbox.trials import Trials
from aish.session.ports import Workplace
from support.trials import LIMIT, really, seeded, tree


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return seeded(tmp_path / "work")


@pytest.fixture
def trials(tmp_path: Path) -> Trials:
    return Trials(tmp_path / "data", LIMIT)


@pytest.fixture
def rehearsal(trials: Trials, work: Path) -> Iterator[Rehearsal]:
    with trials.rehearse(str(work)) as made:
        yield made


def kinds(rehearsal: Rehearsal, work: Path) -> dict[str, str]:
    found = rehearsal.changes().changes
    return {str(Path(change.path).relative_to(work)): change.kind for change in found}


def test_a_command_sees_what_the_one_before_it_did_and_the_real_files_do_not(
    rehearsal: Rehearsal, work: Path
) -> None:
    before = tree(work)
    rehearsal.run("echo first > note; rm -r many")
    second = rehearsal.run("cat note; ls many; echo second >> note; exit 3")
    assert second.status == 3
    assert second.output.startswith("first\n")
    assert rehearsal.run("cat note").output == "first\nsecond\n"
    assert kinds(rehearsal, work) == {"note": "created", "many": "deleted"}
    assert tree(work) == before


def test_no_file_keeps_the_command_or_the_variables_it_got(
    trials: Trials, work: Path, tmp_path: Path
) -> None:
    environment = {**os.environ, "KEY": "blue-elephant-77"}
    with trials.rehearse(str(work), environment=environment) as made:
        assert made.run("echo $KEY red-elephant-78").output == "blue-elephant-77 red-elephant-78\n"
        kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
        assert kept
        assert not [path for path in kept if b"elephant" in path.read_bytes()]


def test_a_command_may_use_every_usual_descriptor(rehearsal: Rehearsal) -> None:
    numbers = [*range(3, 64), 255]
    opened = "; ".join(f"exec {number}> seen{number}; echo here >&{number}" for number in numbers)
    rehearsal.run(f"{opened}; export NEW=1; cd d")
    found = rehearsal.run("cat ../seen*; echo $NEW").output
    assert found == "here\n" * len(numbers) + "1\n"


def test_a_file_opened_in_place_of_our_descriptor_gets_no_variables(rehearsal: Rehearsal) -> None:
    every = "for each in /proc/$$/fd/*; do number=${each##*/}"
    rehearsal.run(f'{every}; [ $number -lt 3 ] || eval "exec $number>> seen"; done')
    assert rehearsal.run("cat seen").output == ""


def test_what_was_made_and_removed_again_is_no_change(rehearsal: Rehearsal, work: Path) -> None:
    rehearsal.run("mkdir -p build/deep; echo 1 > build/deep/x; mv d/b d/b2")
    rehearsal.run("rm -r build; mv d/b2 d/b")
    assert kinds(rehearsal, work) == {}


def test_many_commands_applied_leave_what_they_do_for_real(
    trials: Trials, rehearsal: Rehearsal, work: Path, tmp_path: Path
) -> None:
    commands = [
        "mkdir n",
        "cd n",
        "echo 1 > x",
        "cd ..; mv many/1 n/",
        "rm -r d",
        "mkdir d",
        "echo z > d/z",
    ]
    before = tree(work)
    real = seeded(tmp_path / "real")
    time.sleep(0.01)
    since = time.time_ns()
    really(real, "\n".join(commands))
    for command in commands:
        assert rehearsal.run(command).status == 0
    applied = rehearsal.apply(rehearsal.changes(), "tidy up")
    assert not applied.refused
    assert tree(work, since=since) == tree(real, since=since)
    (record,) = trials.records()
    assert record.command == "tidy up"
    assert not trials.undo(record).refused
    assert tree(work) == before


def test_the_directory_and_exported_variables_last(rehearsal: Rehearsal, work: Path) -> None:
    assert rehearsal.run("cd d/e && export WORD='two words' LINE=$'a\nb'; here=1").cwd == str(
        work / "d/e"
    )
    assert rehearsal.cwd == str(work / "d/e")
    shown = rehearsal.run('pwd; echo "$WORD"; echo "$LINE"; echo "<$here>"; unset WORD').output
    assert shown == f"{work}/d/e\ntwo words\na\nb\n<>\n"
    assert rehearsal.run("env | grep -c ^WORD=").output == "0\n"


@pytest.mark.parametrize(
    "command",
    ["cd d; exit 1", "cd d; false", "cd d; nonsense-here", "cd d; set -eux; false", "cd d\nif"],
)
def test_a_command_that_fails_leaves_the_directory_where_it_was_then(
    rehearsal: Rehearsal, work: Path, command: str
) -> None:
    assert rehearsal.run(command).status != 0
    assert rehearsal.cwd == str(work / "d")


def test_a_directory_that_is_gone_leads_back_to_the_first(rehearsal: Rehearsal, work: Path) -> None:
    rehearsal.run("mkdir t && cd t && rmdir ../t")
    assert rehearsal.run("pwd").output == f"{work}\n"
    assert rehearsal.cwd == str(work)


def test_variables_of_the_loader_are_for_the_inside_only(rehearsal: Rehearsal, work: Path) -> None:
    rehearsal.run("export LD_PRELOAD=/no/such.so PATH=/nowhere PYTHONHOME=/nowhere")
    assert rehearsal.run("echo on").status == 0
    assert "on" in rehearsal.run("echo on").output


def test_output_comes_as_it_is_made_and_is_kept_within_a_bound(rehearsal: Rehearsal) -> None:
    shown: list[bytes] = []
    result = rehearsal.run(
        "echo begin; yes line | head -c 2000000; echo end >&2", show=shown.append
    )
    assert result.output.startswith("begin\n")
    assert result.output.endswith("end\n")
    assert "bytes cut" in result.output
    assert len(result.output) < MOST_KEPT + 100
    assert len(b"".join(shown)) == 2_000_010


@pytest.mark.parametrize("between", ["\\n", " "])
def test_a_long_output_is_cut_between_words_so_that_half_a_secret_is_never_kept(
    rehearsal: Rehearsal, between: str
) -> None:
    output = rehearsal.run(
        f"printf 'password=tangerine{between}%.0s' $(seq 30000); printf 'x{between}'"
    ).output
    assert "bytes cut" in output
    words = set(re.sub(r"\[\.\.\. \d+ bytes cut \.\.\.\]", "", output).split())
    assert words == {"password=tangerine", "x"}


def test_a_command_that_takes_too_long_is_ended_with_all_it_started(rehearsal: Rehearsal) -> None:
    result = rehearsal.run(
        "echo begun; touch mark; (trap '' TERM INT; sleep 600) & sleep 600", timeout=3
    )
    assert (result.status, result.output) == (124, "begun\n")
    assert rehearsal.run("ls mark; ls -d /proc/[0-9]* | wc -l").output.split()[0] == "mark"


def test_a_command_that_never_stops_printing_takes_too_long_too(rehearsal: Rehearsal) -> None:
    assert rehearsal.run("yes", timeout=1).status == 124


def test_an_interrupt_ends_the_command_and_is_raised_then(rehearsal: Rehearsal) -> None:
    def interrupt() -> None:
        begun.wait(30)
        os.kill(os.getpid(), signal.SIGINT)

    begun = threading.Event()
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        rehearsal.run("echo begun; sleep 600", show=lambda _: begun.set())
    thread.join()
    assert rehearsal.run("echo still there").output == "still there\n"


def test_there_is_no_terminal_to_wait_at(rehearsal: Rehearsal) -> None:
    result = rehearsal.run("read -r line; cat; (: < /dev/tty) || echo none")
    assert result.status == 0
    assert "none" in result.output


def test_some_of_it_and_then_more_can_be_applied_but_nothing_run(
    rehearsal: Rehearsal, work: Path
) -> None:
    rehearsal.run("echo 1 > one; echo 2 > two")
    found = rehearsal.changes()
    rehearsal.apply(found, "some", {str(work / "one")})
    assert (work / "one").exists()
    assert not (work / "two").exists()
    with pytest.raises(SandboxError):
        rehearsal.run("echo 3 > three")
    assert not rehearsal.apply(found, "more", {str(work / "two")}).refused
    assert (work / "two").read_text() == "2\n"


def test_a_file_somebody_changed_in_the_meantime_is_refused(
    rehearsal: Rehearsal, work: Path
) -> None:
    rehearsal.run("echo tried > d/b")
    rehearsal.run("echo tried > n")
    (work / "d" / "b").write_text("mine\n")
    applied = rehearsal.apply(rehearsal.changes(), "x")
    assert [one.change.path for one in applied.refused] == [str(work / "d" / "b")]
    assert (work / "d" / "b").read_text() == "mine\n"
    assert (work / "n").read_text() == "tried\n"


def test_leaving_it_throws_everything_away(trials: Trials, work: Path, tmp_path: Path) -> None:
    before = tree(work)
    with trials.rehearse(str(work)) as rehearsal:
        rehearsal.run("rm -rf ./*")
    rehearsal.discard()
    assert tree(work) == before
    assert not [p for p in (tmp_path / "data" / "trials").iterdir() if not p.name.startswith(".")]


def test_it_is_a_shell_to_whoever_needs_one(rehearsal: Rehearsal) -> None:
    shell: Workplace = rehearsal
    assert shell.enter("echo line").output == "line\n"
    assert shell.cwd == rehearsal.cwd
