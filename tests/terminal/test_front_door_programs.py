"""The front door: the programs of a working day, at a prompt that was left idle."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.home import Home
from support.person import INSTALLED, Person, descendants

GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


def open_files(person: Person) -> int:
    return len(list(Path(f"/proc/{person.process.pid}/fd").iterdir()))


@pytest.fixture
def person(home: Home) -> Iterator[Person]:
    with Person(home, env=GIT) as person:
        yield person


@pytest.mark.needs("git")
def test_git_add_p_asks_and_is_answered(person: Person) -> None:
    person.do("git init -q -b trunk . && printf '1\\n2\\n' > n && git add n && git commit -qm 1")
    person.wait_for("trunk ❯")
    person.do("echo 3 >> n")
    person.say("git add -p n")
    person.wait_for("Stage this hunk")
    person.say("y")
    person.at_prompt(person.prompts + 1)
    assert person.do("git diff --cached --numstat").split() == ["1", "0", "n"]


@pytest.mark.needs("vim")
@pytest.mark.needs("less")
@pytest.mark.needs("fzf")
def test_full_screen_programs_get_the_terminal_and_give_it_back(person: Person) -> None:
    before = person.settings()
    person.say("vim -u NONE note.txt")
    person.wait_for(lambda t: t.screen.alternate)
    person.pause(0.3)
    person.keys("ihello")
    person.press("escape")
    person.pause(0.3)
    person.say(":wq")
    person.at_prompt(2)
    assert (person.home.path / "note.txt").read_text() == "hello\n"
    person.say("seq 300 | less")
    person.wait_for(lambda t: t.screen.alternate and "20" in t.text)
    person.keys("Gq")
    person.at_prompt(3)
    person.say("printf 'one\\ntwo\\nthree\\n' | fzf")
    person.wait_for(lambda t: "3/3" in t.text)
    person.keys("two")
    person.wait_for(lambda t: "1/3" in t.text)
    person.press("enter")
    person.wait_for(re.compile(r"^two$", re.MULTILINE))
    person.at_prompt(4)
    assert person.settings() == before
    assert "⏎" not in person.text
    assert "[1;1R" not in person.scrollback


@pytest.mark.needs("tmux")
def test_tmux_runs_inside(person: Person) -> None:
    person.say("tmux -L inside -f /dev/null new 'echo in-tmux; read x; echo $x > got'")
    person.wait_for(lambda t: t.screen.alternate and "in-tmux" in t.lines)
    person.say("from-tmux")
    person.wait_for("[exited]")
    person.at_prompt(2)
    assert (person.home.path / "got").read_text() == "from-tmux\n"


@pytest.mark.needs("ssh")
@pytest.mark.needs("sshd")
def test_ssh_to_a_server_here(home: Home, tmp_path: Path) -> None:
    for name in ("host", "user"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True
        )
    (tmp_path / "authorized").write_bytes((tmp_path / "user.pub").read_bytes())
    settings = {
        "HostKey": tmp_path / "host",
        "AuthorizedKeysFile": tmp_path / "authorized",
        "StrictModes": "no",
        "UsePAM": "no",
        "PidFile": "none",
        "PermitRootLogin": "yes",
    }
    server = ["/usr/sbin/sshd", "-i", "-f", "/dev/null"]
    server += [f"-o{name}={value}" for name, value in settings.items()]
    proxy = tmp_path / "proxy"
    proxy.write_text("#!/bin/sh\nexec " + " ".join(server) + "\n")
    if os.getuid() == 0:  # then it insists on a directory and a user of its own
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        users = Path("/etc/passwd").read_text() + "sshd:x:4243:65534::/run/sshd:/bin/false\n"
        (tmp_path / "passwd").write_text(users)
        inside = f"mount --bind {tmp_path}/passwd /etc/passwd && exec {' '.join(server)}"
        proxy.write_text(f"#!/bin/sh\nexec unshare -m sh -c '{inside}'\n")
    proxy.chmod(0o755)
    with Person(home) as person:
        options = "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
        person.do(f'alias go="ssh -tt -o ProxyCommand={proxy} -i {tmp_path}/user {options} here"')
        person.say("go 'stty size; cat; sleep 40'")
        person.wait_for(re.compile(r"^24 80", re.MULTILINE))
        person.say("over there")
        person.wait_for(re.compile(r"over there\s+over there"))
        person.press("ctrl-d")
        person.pause(0.5)
        person.press("ctrl-c")
        person.at_prompt(3)
        assert person.do("echo back") == "back"


AS_SOMEBODY = """
set -e
for file in passwd shadow sudoers; do mount --bind {place}/$file /etc/$file; done
mount --bind {home} /mnt
cd /mnt
read_all=+dac_read_search  # the project may lie where only root can look
exec setpriv --reuid=4242 --regid=4242 --clear-groups \
    --inh-caps=$read_all --ambient-caps=$read_all \
    env HOME=/mnt USER=somebody LOGNAME=somebody {aish}
"""


@pytest.mark.needs("sudo")
@pytest.mark.needs("root")
def test_sudo_asks_for_a_password_and_does_not_show_it(home: Home, tmp_path: Path) -> None:
    hashed = subprocess.run(
        ["openssl", "passwd", "-6", "open-sesame"], capture_output=True, text=True, check=True
    ).stdout.strip()
    passwd = Path("/etc/passwd").read_text() + "somebody:x:4242:4242::/mnt:/bin/bash\n"
    shadow = Path("/etc/shadow").read_text() + f"somebody:{hashed}:19000:0:99999:7:::\n"
    sudoers = "Defaults lecture=never\nsomebody ALL=(ALL) ALL\n"
    for name, text in (("passwd", passwd), ("shadow", shadow), ("sudoers", sudoers)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o644 if name == "passwd" else 0o440)
    os.chown(home.path, 4242, 4242)
    script = AS_SOMEBODY.format(place=tmp_path, home=home.path, aish=INSTALLED)
    with Person(home, argv=["unshare", "-m", "sh", "-c", script]) as person:
        assert person.do("id -un") == "somebody"
        person.say("sudo id -un")
        person.wait_for("password for somebody")
        person.pause(0.3)
        person.say("open-sesame")
        person.wait_for(re.compile(r"^root$", re.MULTILINE))
        person.at_prompt()
        assert "open-sesame" not in person.scrollback
        assert person.do("echo shown") == "shown"


def test_the_window_can_change_its_size(person: Person) -> None:
    person.resize(30, 60)
    person.pause(0.3)
    assert person.do("stty size") == "30 60"
    person.say("sh -c 'trap \"stty size > got\" WINCH; sleep 30 & wait; kill $!'")
    person.wait_runs("sleep 30")
    person.resize(20, 70)
    got = person.home.path / "got"
    person.wait_for(lambda t: got.exists() and got.read_text() == "20 70\n")
    person.at_prompt()


def test_keys_typed_ahead_become_the_next_lines(person: Person) -> None:
    person.say("sleep 1.5")
    person.wait_runs("sleep 1.5")
    person.say("echo a$((1))")
    person.say("echo b$((2))")
    person.keys("echo c$((3))")
    person.wait_for(re.compile(r"^a1$", re.MULTILINE))
    person.wait_for(re.compile(r"^b2$", re.MULTILINE))
    person.wait_for(re.compile(r"❯ echo c\$\(\(3\)\)$", re.MULTILINE))
    person.press("enter")
    person.wait_for(re.compile(r"^c3$", re.MULTILINE))


def test_a_paste_of_several_lines_waits_for_enter(person: Person) -> None:
    person.paste("echo p1\necho p2\n")
    person.pause(0.7)
    assert not re.search(r"^p1$", person.text, re.MULTILINE)
    person.press("enter")
    person.wait_for(re.compile(r"^p1\np2$", re.MULTILINE))


def test_five_hundred_commands_leave_nothing_behind(person: Person) -> None:
    before = person.settings()
    files = open_files(person)
    for number in range(500):
        wanted = person.prompts + 1
        person.type(f"true {number}\r")
        person.next_prompt(wanted)
    assert person.do("echo alive") == "alive"
    assert open_files(person) <= files + 2
    assert not [line for line in descendants(person.process.pid) if "defunct" in line]
    assert person.settings() == before


def test_removing_temporary_files_does_no_harm(person: Person) -> None:
    person.do("rm -rf ${TMPDIR:-/tmp}/aish-[0-9]*-* ~/.cache/aish")
    assert person.do("echo alive", timeout=60).splitlines()[-1] == "alive"
    assert person.do("echo well") == "well"


def test_vi_keys_are_used_where_the_user_chose_them(home: Home) -> None:
    (home.path / ".inputrc").write_text("set editing-mode vi\n")
    with Person(home) as person:
        person.do("true")
        person.keys("echo one two")
        person.press("escape")
        person.pause(0.3)
        person.keys("bcwthree")
        person.pause(0.1)
        person.type("\r")
        person.wait_for(re.compile(r"^one three$", re.MULTILINE))


def test_a_wrapped_command_is_copied_as_one_line(person: Person) -> None:
    long = "echo " + "x" * 100
    person.do(long)
    stream = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", bytes(person.raw))
    assert b"x" * 100 in stream.rpartition(b"\x1b]133;C")[0]


def test_control_r_finds_and_each_key_does_its_part(person: Person) -> None:
    for line in ("echo apple-pie", "echo banana", "echo cherry"):
        person.do(line)
    person.press("ctrl-r")
    person.keys("appl")
    person.wait_for("› echo apple-pie")
    person.press("right")
    person.wait_for(re.compile(r"❯ echo apple-pie$", re.MULTILINE))
    person.keys("-s")
    person.press("enter")
    person.wait_for(re.compile(r"^apple-pie-s$", re.MULTILINE))
    person.at_prompt()
    person.keys("keep")
    person.press("ctrl-r")
    person.wait_for("search: keep")
    person.press("ctrl-g")
    person.wait_for(re.compile(r"❯ keep$", re.MULTILINE))
    person.press("ctrl-u", "ctrl-r")
    person.keys("bnn")
    person.wait_for("› echo banana")
    person.press("enter")
    person.wait_for(lambda t: t.text.count("\nbanana") == 2)
    person.at_prompt()
    person.keys("echo ch")
    person.press("up")
    person.wait_for(re.compile(r"❯ echo cherry$", re.MULTILINE))
