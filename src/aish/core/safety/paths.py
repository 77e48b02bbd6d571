"""Paths as they will be, and what writing to or reading from one means."""

from __future__ import annotations

import posixpath
import re
from typing import Literal

from aish.core.safety.situation import Situation
from aish.core.safety.streams import UNKNOWN

Zone = Literal[
    "sink", "device", "kernel", "system", "startup", "guarded", "temp", "session", "here", "home",
    "elsewhere", "unknown",
]  # fmt: skip

SINKS = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin"))
ENDLESS = frozenset(("/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"))
SYSTEM = ("/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/var", "/opt", "/root", "/srv",
          "/run", "/System", "/Library")  # fmt: skip
TEMP = ("/tmp", "/var/tmp")  # noqa: S108  # named here to be recognised
BINARIES = frozenset((
    "/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin",
))  # fmt: skip

_GUARDED = re.compile(
    r"/\.git/[^/]|/\.git$|/\.aish\.toml$|/(\.config|\.local/share)/aish/"
    r"|^/home/[^/]+/(bin|\.local/bin)/[^/]|^/root/(bin|\.local/bin)/[^/]"
)
_SECRET = re.compile(
    r"/\.ssh/(?!config$|known_hosts|[^/]*\.pub$|authorized_keys$)[^/]+$|/\.ssh$|/\.gnupg(/|$)"
    r"|/\.aws(/credentials|/sso|$)|/\.netrc$|/\.pgpass$|/\.my\.cnf$|/\.kube(/config|$)"
    r"|/\.docker/config\.json$|/\.git-credentials$|/\.npmrc$|/\.pypirc$|/\.vault-token$"
    r"|/\.env(\.(local|prod|production|dev|development|staging))?$|/etc/(g?shadow|sudoers)|/proc/[^/]+/(environ|mem)$|/dev/k?mem$|/proc/kcore$"
    r"|/\.config/(gcloud|gh|op|rclone|doctl|hub)(/|$)|/\.password-store(/|$)|\.kdbx$|/\.azure(/|$)"
    r"|(^|/)id_(rsa|dsa|ecdsa|ed25519)$|(^|[/._-])(secrets?|credentials?)(\.(json|ya?ml|txt|env|db))?$"
    r"|/Login Data$|/(cookies|logins)\.(sqlite|json)$|/key[34]\.db$|/wallet\.dat$|private[_-]?key"
    r"|(?<!cert)(?<!chain)\.(pem|key|p12|pfx|jks|keystore)$",
    re.IGNORECASE,
)
_PRECIOUS = re.compile(r"\.(db|sqlite3?|mdb|kdbx|img|qcow2|vmdk|vdi|rdb|pem|key)$", re.IGNORECASE)


def canonical(text: str, cwd: str, home: str = "") -> str:
    """The absolute path without `.` and `..`; what is not known of it stays marked."""
    if not text:
        return cwd
    if text.startswith(UNKNOWN):
        return text
    if text.startswith("~/") and home:
        text = home + text[1:]
    joined = text if text.startswith("/") else posixpath.join(cwd, text)
    return posixpath.normpath(joined) if UNKNOWN not in cwd else text


def below(path: str, root: str) -> bool:
    """Whether a path is a directory or something in it."""
    return bool(root) and (path == root or path.startswith(root.rstrip("/") + "/"))


def readable_path(path: str, situation: Situation) -> str:
    """A path as its user would write it."""
    plain = path.replace(UNKNOWN, "…")
    if plain == situation.home:
        return "your home directory"
    if below(plain, situation.home):
        return "~" + plain[len(situation.home) :]
    return plain


def zone(path: str, situation: Situation) -> Zone:
    """What kind of place a canonical path is."""
    if path in SINKS or path.startswith("/dev/fd/"):
        return "sink"
    if path.startswith(("/dev/tcp/", "/dev/udp/", "/dev/")) or path == "/dev":
        return "temp" if below(path, "/dev/shm") else "device"  # noqa: S108
    if below(path, "/proc") or below(path, "/sys"):
        return "kernel"
    if UNKNOWN in path.split("/")[1:2] or path.startswith(UNKNOWN):
        return "unknown"
    if _GUARDED.search(path):
        return "guarded"
    if below(path, situation.session_temp):
        return "session"
    if _startup(path, situation):
        return "startup"
    if _own(situation) and (below(path, situation.cwd) or below(path, situation.project)):
        return "unknown" if UNKNOWN in path and ".." in path else "here"
    if any(below(path, place) for place in TEMP):
        return "temp"
    if below(path, situation.home):
        return "home"
    if path == "/" or any(below(path, place) for place in SYSTEM):
        return "system"
    return "elsewhere"


def _own(situation: Situation) -> bool:
    """Whether the working directory is one to work in: not above home, nor the system's."""
    cwd = situation.cwd
    system = any(below(cwd, place) for place in ("/etc", "/usr", "/boot", "/proc", "/sys", "/dev"))
    above = cwd != situation.home and below(situation.home, cwd)
    return cwd != "/" and not system and not above


def _startup(path: str, situation: Situation) -> bool:
    """Whether a path is a settings file of the user, and not where they work."""
    if not below(path, situation.home):
        return False
    first = path[len(situation.home) :].lstrip("/").split("/")[0]
    if not first.startswith(".") or first == ".cache":
        return False
    return not below(situation.cwd, f"{situation.home}/{first}")


def is_secret(path: str) -> bool:
    """Whether a file of this name holds keys or passwords."""
    if path.endswith((".example", ".sample", ".template", ".pub")):
        return False
    return bool(_SECRET.search("/" + path.lstrip("/") if not path.startswith("/") else path))


def is_precious(path: str) -> bool:
    """Whether a file of this name holds data that no redirection should make."""
    return bool(_PRECIOUS.search(path))
