"""What a trial cannot show, told before it begins."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from aish.sandbox.layers import below

_WORD = re.compile(r"[^\s;&|()<>`$'\"{}]+")

_PROGRAMS = {
    "sudo su doas pkexec run0": "nobody becomes another user inside: `{0}` fails there",
    "systemctl service systemd-run loginctl crontab at batch initctl rc-service": (
        "services are out of reach inside: `{0}` fails there"
    ),
    "docker podman nerdctl kubectl helm virsh lxc incus": (
        "containers and clusters are out of reach inside: `{0}` fails there"
    ),
    "kill pkill killall skill xkill fuser": (
        "only its own processes are seen inside: `{0}` ends no other"
    ),
    "mount umount losetup mkfs fdisk parted sfdisk wipefs cryptsetup swapon modprobe insmod": (
        "devices and mounts are out of reach inside: `{0}` fails there"
    ),
    "reboot shutdown poweroff halt telinit": (
        "the machine is out of reach inside: `{0}` fails there"
    ),
    "tmux screen dbus-send busctl gdbus xdg-open notify-send wl-copy xclip": (
        "running programs cannot be spoken to inside: `{0}` fails there"
    ),
}
_NETWORK = frozenset(
    [
        "curl",
        "wget",
        "ssh",
        "scp",
        "sftp",
        "rsync",
        "ftp",
        "nc",
        "ncat",
        "telnet",
        "ping",
        "dig",
        "nslookup",
        "pip",
        "pip3",
        "pipx",
        "uv",
        "npm",
        "npx",
        "yarn",
        "pnpm",
        "cargo",
        "go",
        "gem",
        "bundle",
        "composer",
        "apt",
        "apt-get",
        "dnf",
        "yum",
        "pacman",
        "zypper",
        "brew",
        "flatpak",
        "snap",
        "gh",
        "glab",
        "aws",
        "gcloud",
        "az",
        "terraform",
        "ansible",
        "mosh",
        "rclone",
    ]
)
_GIT = re.compile(r"\bgit\b[^;&|\n]*\b(push|pull|fetch|clone|ls-remote|submodule)\b")
_BARRED = ("/dev", "/proc", "/sys")


def cannot_show(command: str, cwd: str, *, network: bool) -> list[str]:
    """What a trial of this command here will not tell, in plain words; usually nothing."""
    return [*_of_command(command, network), *_of_place(cwd)]


def _of_command(command: str, network: bool) -> Iterator[str]:
    words = {word.rpartition("/")[2]: None for word in _WORD.findall(command)}
    for programs, text in _PROGRAMS.items():
        known = programs.split()
        for word in words:
            if word.partition(".")[0] in known:
                yield text.format(word)
                break
    if "/dev/" in command and re.search(
        r"/dev/(?!null|zero|stdin|stdout|stderr|tty|u?random|fd)", command
    ):
        yield "devices are not there inside"
    used = next((word for word in words if word in _NETWORK), "")
    if git := _GIT.search(command):
        used = used or f"git {git[1]}"
    if used and network:
        yield f"what `{used}` does over the network is real and cannot be taken back"
    elif used:
        yield f"there is no network inside, so `{used}` will fail (--network allows it, for real)"


def _of_place(cwd: str) -> Iterator[str]:
    if below(cwd, _BARRED):
        yield f"nothing below {cwd} can be tried"
        return
    if os.geteuid() == 0:
        return
    try:
        found = os.stat(cwd)
    except OSError:
        return
    if found.st_uid != os.geteuid():
        yield "files of other users cannot be changed inside, even where you may"
    elif found.st_gid != os.getegid():
        yield "files of another group than your own cannot be changed inside"
