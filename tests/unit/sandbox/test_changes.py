"""The list of what a trial changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.core.errors import SandboxError
from aish.core.safety.confining import may_be_added
from aish.sandbox.changes import FileChange
from aish.sandbox.layers import MOST_LAYERS, Mount, cover, mounts
from aish.sandbox.limits import cannot_show
from aish.sandbox.trial import prepare
from support.trials import Bench, seeded


def listed(tmp_path: Path, script: str) -> dict[str, FileChange]:
    work = seeded(tmp_path / "work")
    trial, found = Bench(tmp_path / "bench").tried(work, script)
    trial.discard()
    return {str(Path(change.path).relative_to(work)): change for change in found.changes}


def test_created_changed_and_deleted_are_told_apart(tmp_path: Path) -> None:
    found = listed(tmp_path, "echo more > d/b; echo new > n; rm many/1; chmod 700 d/e; rm -r f")
    assert {name: change.kind for name, change in found.items()} == {
        "d/b": "changed",
        "d/e": "changed",
        "f": "deleted",
        "many/1": "deleted",
        "n": "created",
    }
    assert found["d/b"].details == ("content",)
    assert (found["d/b"].before, found["d/b"].after) == (4, 5)
    assert found["d/e"].details == ("mode",)


def test_a_folder_deleted_and_made_again_lists_what_is_gone(tmp_path: Path) -> None:
    found = listed(tmp_path, "rm -r many; mkdir many; echo 2 > many/2")
    assert found["many/1"].kind == found["many/3"].kind == "deleted"
    assert "many/2" in found


def test_a_deleted_folder_says_how_much_was_in_it(tmp_path: Path) -> None:
    found = listed(tmp_path, "rm -r many")
    assert (found["many"].inner, found["many"].before) == (3, 6)


@pytest.mark.parametrize(
    ("script", "only"),
    [
        ("mkdir new && echo x > new/y && ln -s a link", True),
        ("echo more >> a", False),
        ("rm many/1; echo x > new", False),
        ("chmod 700 d/e", False),
        ("mkdir -p .git/hooks && echo x > .git/hooks/pre-commit", False),
        ("echo x > .aish.toml", False),
        ("echo x > ../beside", False),
    ],
)
def test_what_only_adds_touches_nothing_and_is_obeyed_by_nobody(
    tmp_path: Path, script: str, only: bool
) -> None:
    work = seeded(tmp_path / "work")
    trial, found = Bench(tmp_path / "bench").tried(work, script)
    trial.discard()
    assert found.only_adds(str(work)) is only


@pytest.mark.parametrize(
    ("path", "folder", "may"),
    [
        ("/home/me/src/new.py", "/home/me/src", True),
        ("/home/me/new.txt", "/home/me", True),
        ("/home/me/.bash_profile", "/home/me", False),
        ("/home/me/.config/autostart/x.desktop", "/home/me", False),
        ("/home/me/.ssh/authorized_keys", "/home/me", False),
        ("/home/me/src/sub/.git/hooks/pre-push", "/home/me/src", False),
        ("/home/me/src2/new.py", "/home/me/src", False),
        ("/etc/cron.d/x", "/etc", False),
        ("/root/x", "/", False),
    ],
)
def test_settings_and_hooks_are_no_mere_additions(path: str, folder: str, may: bool) -> None:
    assert may_be_added(path, folder, "/home/me") is may


def test_looking_and_opening_change_nothing(tmp_path: Path) -> None:
    assert not listed(
        tmp_path, "cat a d/b; : >> a; ls -lR; touch -r a a; find . -type f | xargs cat"
    )


def test_names_with_newlines_and_no_utf8_are_listed(tmp_path: Path) -> None:
    found = listed(tmp_path, "rm $'new\\nline'; touch $'\\xff\\xfe'")
    assert set(found) == {"new\nline", "\udcff\udcfe"}


def test_a_command_that_fails_to_start_and_one_that_fails_are_told_apart(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    _, status, output = bench.trial(tmp_path, "exit 7")
    assert (status, output) == (7, "")
    trial = prepare(tmp_path / "trials", str(tmp_path))
    with pytest.raises(SandboxError):
        trial.run(["/no/such/program"], captured=True)


def test_a_signal_in_a_trial_is_128_and_its_number(tmp_path: Path) -> None:
    assert Bench(tmp_path).trial(tmp_path, "kill -TERM $$")[1] == 143


def test_nothing_is_tried_below_dev() -> None:
    assert cannot_show("ls", "/dev/shm", network=False) == ["nothing below /dev/shm can be tried"]


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("sudo rm x", "another user"),
        ("systemctl restart nginx", "services"),
        ("git commit -m x && git push", "git push"),
        ("curl -O http://example.org/x", "network"),
        ("dd if=x of=/dev/sda", "devices"),
        ("pkill -f x", "processes"),
        ("docker rm x", "containers"),
    ],
)
def test_what_cannot_be_tried_is_said_before(command: str, word: str, tmp_path: Path) -> None:
    assert any(word in text for text in cannot_show(command, str(tmp_path), network=False))


def test_ordinary_commands_come_with_no_warning(tmp_path: Path) -> None:
    for command in ("rm -rf build", "find . -name '*.log' -delete > /dev/null", "make clean"):
        assert cannot_show(command, str(tmp_path), network=False) == []


def test_a_folder_with_mounts_below_it_is_covered_entry_by_entry(tmp_path: Path) -> None:
    for name in ("one", "two/mounted", "two/beside"):
        (tmp_path / name).mkdir(parents=True)
    found = cover([Mount(str(tmp_path / "two" / "mounted"), "ext4")], (str(tmp_path),))
    inside = {path for path in found.layers if path.startswith(str(tmp_path))}
    names = ("one", "two/mounted", "two/beside")
    assert inside == {str(tmp_path / name) for name in names}
    assert str(tmp_path / "two") in found.folders


def test_a_full_folder_with_a_mount_in_it_leaves_room_for_the_system(tmp_path: Path) -> None:
    for number in range(MOST_LAYERS + 10):
        (tmp_path / f"{number:03}").mkdir()
    mounted = Mount(str(tmp_path / "000" / "mounted"), "tmpfs")
    for needed in (str(tmp_path), str(tmp_path / "099"), "/nowhere"):
        found = cover([mounted], (needed,))
        assert "/usr" in (*found.layers, *found.still)
        assert "/usr" not in found.hidden


def test_mounts_are_read_with_blanks_in_their_names() -> None:
    text = "36 35 98:0 / /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw\n"
    assert mounts(text) == [Mount("/mnt/a b", "ext3")]
    assert mounts(text.replace("b rw", "b\u2028c rw")) == [Mount("/mnt/a b\u2028c", "ext3")]


def test_a_path_too_long_to_be_opened_is_said_and_nothing_is_applied(tmp_path: Path) -> None:
    deeper = "for i in $(seq 60); do mkdir $n && cd $n || break; done; echo x > end"
    with pytest.raises(SandboxError, match="cannot be listed"):
        listed(tmp_path, f"n=$(printf 'x%.0s' $(seq 100)); {deeper}")


def test_a_file_of_several_names_made_and_filled_in_one_moment_is_left_alone(
    tmp_path: Path,
) -> None:
    made = "echo x >> a; rm a; echo new > a; touch -d @2000000000 a; touch a"
    assert listed(tmp_path, made)["a"].doubtful
