"""Variables that make other programs do something else, and those that do not."""

from __future__ import annotations

import re

from aish.core.safety.situation import Situation
from aish.core.safety.streams import UNKNOWN

# Names with these parts have been ways to run code; a new one most likely is too.
_SUSPECT = re.compile(
    r"PATH$|PRELOAD|^LD_|^DYLD|_OPTIONS?$|_OPTS?$|OPT$|_ARGS$|COMMAND|_CMD$|EDITOR|VISUAL|PAGER|SHELL$|"
    r"^ENV$|_ENV_FILE|STARTUP|HOOK|_INIT|RC$|ASKPASS|BROWSER|WRAPPER|EXTERNAL|^GIT_|^SSH_|^RSYNC_RSH|_RSH$|"
    r"_SSH$|^BASH|^IFS$|^PS[0-4]$|EXEC|LOADER|PLUGIN|FLAGS$|^RUBY|^PERL5?|^PYTHON|^NODE_|^JAVA_TOOL|^_JAVA|"
    r"^GCONV|LOCPATH|^TERMINFO|HOSTALIASES|^LESS|PROMPT|HISTFILE|HISTSIZE|HISTCONTROL|HISTIGNORE|"
    r"_PROXY$|^HOME$|CONFIG_(HOME|FILE|DIR)$|INDEX_URL|REGISTRY|^CC$|^CXX$|^LDFLAGS|RUSTC|GOPROXY|KUBECONFIG|"
    r"DOCKER_HOST|PREFIX$|^TAR_|^GZIP$|^MAKE|^CURL_HOME|^WGETRC|OPENSSL_CONF|^PGSERVICE|SUDO_",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"^(PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONWARNINGS|PYTHONIOENCODING|PYTHONUTF8|"
    r"NODE_ENV|NODE_DEBUG|GIT_AUTHOR_\w+|GIT_COMMITTER_\w+|GIT_TERMINAL_PROMPT|GIT_TRACE\w*|GIT_OPTIONAL_LOCKS|"
    r"PAGER|KUBECONFIG|LESS|LESSCHARSET|CFLAGS|CXXFLAGS|RUSTFLAGS|MANPATH|CDPATH|INFOPATH|RAILS_ENV|GOFLAGS|GOPATH|"
    r"PKG_CONFIG_PATH|CMAKE_PREFIX_PATH)$"
)
# A program named by a variable is fine where the name is a well-known one.
_KNOWN_PROGRAMS = frozenset(
    (
        "cat less more most bat vim vi nvim nano emacs ed micro hx code subl kak true firefox "
        "chromium gcc g++ clang clang++ cc c++ bash zsh fish sh /bin/bash /bin/sh /usr/bin/vim "
        "/usr/bin/nano /bin/zsh /usr/bin/zsh delta"
    ).split()
)
_PROGRAM_NAME = re.compile(r"EDITOR$|VISUAL$|PAGER$|BROWSER$|^CC$|^CXX$|^SHELL$")
_MODULE_PATHS = frozenset(("PYTHONPATH", "NODE_PATH", "RUBYLIB", "PERL5LIB"))
_IN_PROJECT = re.compile(r"(?!\.\.)(?!.*/\.\.)[\w.-][\w./-]*\Z")
_PATHS = re.compile(r"^(PATH|MANPATH|CDPATH|INFOPATH)$")


def assignment_risk(name: str, value: str, situation: Situation, *, exported: bool) -> str:
    """Why setting this variable could run something else; empty where it could not."""
    if name == "IFS" and not exported:
        return ""
    if _PATHS.match(name):
        return _search_path_risk(name, value)
    if name in _MODULE_PATHS and all(_IN_PROJECT.match(part) for part in value.split(":")):
        return ""
    if (
        _PROGRAM_NAME.search(name)
        and value.split(" ", maxsplit=1)[0] in _KNOWN_PROGRAMS
        and not _acts(value)
    ):
        return ""
    if name == "IFS":
        return ""
    if _PLAIN.match(name) and UNKNOWN not in value and not (name == "PAGER" and _acts(value)):
        if name in ("PAGER", "GOFLAGS", "KUBECONFIG", "LESS") and _acts(value):
            return f"sets {name}, which other programs obey"
        return ""
    if name.startswith("HIST") and name != "HISTTIMEFORMAT":
        return "changes what is kept in the shell's history"
    if _SUSPECT.search(name):
        return f"sets {name}, which changes what other programs run"
    return ""


def _acts(value: str) -> bool:
    return bool(re.search(r"[;&|`$(!]|\brm\b|-c\b", value)) or UNKNOWN in value


def _search_path_risk(name: str, value: str) -> str:
    if name != "PATH":
        return ""
    for part in value.split(":"):
        if part in (UNKNOWN, ""):
            continue  # the present PATH
        place = part.replace(UNKNOWN, "")
        if not place.startswith("/") or place.startswith(("/tmp", "/var/tmp", "/dev")):  # noqa: S108
            return f"puts {place or 'an unknown directory'} where programs are looked for"
    return ""
