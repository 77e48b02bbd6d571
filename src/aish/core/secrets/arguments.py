"""Whether a value may stand in a command: only as data of a program that is known to take it so.

A command is words, quotes, pipes and redirections to this reader. What has anything else in it
(loops, functions, substitutions), or a program that is not known where the value goes, gets none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from aish.core.shell_words import BUILTINS, KEYWORDS
from aish.core.values import dataclass, field

HERE = "\0"  # where a value would stand
_NAME = r"[A-Za-z_]\w*"
_EXPANSION = rf"\$(?:{_NAME}|\{{{_NAME}\}})"
_TOKEN = re.compile(
    r"(?P<blank>[ \t]+|\\\n|(?<![^\s;&|])#[^\n\0]*)"
    r"|(?P<redirect>(?:(?<![^\s;&|])\d+)?(?:&>>|&>|>>|>\||>&|<&|<<<|[<>]))"
    r"|(?P<pipe>\|&|\|(?!\|))|(?P<end>&&|\|\||[;&\n])"
    rf"|'(?P<single>[^']*)'|\"(?P<double>(?:[^\"\\$`]|\\[^\n]|{_EXPANSION})*)\""
    rf"|\\(?P<escaped>[^\n])|(?P<bare>{_EXPANSION}|[^\s'\"\\$`&|;()<>]+)"
)
_QUOTES = {"single": "'", "double": '"', "escaped": "?", "bare": ""}
_ESCAPED = re.compile(r'\\([\\"$`])')
_ASSIGNMENT = re.compile(rf"({_NAME})=(.*)", re.DOTALL)
_NO_FILE = re.compile(r"/dev/(?:null|stderr|stdout|tty)|\d+|-")
_BINARIES = re.compile(r"\A/(?:usr/)?bin/(?=[^/]+\Z)")
_PROGRAM = re.compile(r"[\w./+-]+")
_SUDO_OPTION = re.compile(r"-[SnEHk]+")
# Variables in which programs look for a credential, and never for a program to run.
_FOR_A_CREDENTIAL = re.compile(
    r"(?i)(?!.*askpass)\w*(?:pass|passwd|password|passphrase|pwd|pin|token|secret|key|auth|cookie"
    r"|credentials?|dsn|url|uri)\d*"
)
# Options whose argument is a credential, or something to send.
_FOR_DATA = re.compile(
    r"-[A-Za-z]*[abdfhknpuwAFHNPU]|-pass(?:in|out)?|-(?:store|key)pass"
    r"|--(?!.*(?:askpass|command|cmd|exec|program|helper|hook))[\w-]*(?:pass|token|secret|user|header"
    r"|data|json|form|auth|key|body|cred|cookie|string|literal|arg|pin|url|uri)[\w-]*"
)
_PRINT = frozenset(("echo", "printf"))
_OF_BASH = (BUILTINS | KEYWORDS) - _PRINT - {"cd", "pwd", "true", "false"}
# Programs that take their arguments and their input as they are.
_TAKE_DATA = _PRINT | frozenset(
    "cat tee grep egrep fgrep head tail cut tr wc sort uniq rev fold column base64 base32 xxd od "
    "hexdump md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum jq ls true false "
    "cd pwd mkdir touch chmod chown cp mv rm sleep date whoami id xclip xsel wl-copy pbcopy "
    "qrencode curl wget http https xh openssl gpg ssh-keygen keytool htpasswd mkpasswd chpasswd "
    "passwd usermod zip unzip 7z unrar qpdf cryptsetup secret-tool wpa_passphrase nmcli ldapsearch "
    "ldapwhoami smbclient ipmitool xfreerdp rdesktop kinit rclone s3cmd twine docker podman "
    "kubectl gh git sshpass pg_dump pg_dumpall pg_isready createdb dropdb mysqldump mysqladmin "
    "mariadb-dump mongodump python3 apt apt-get dnf yum pacman systemctl service".split()
)
# Their arguments are data too, their input is commands.
_OBEY_INPUT = frozenset("psql mysql mariadb mongosh mongo redis-cli lftp ftp".split())
# Of programs that can also run things: what they are told before the value, or with it as input.
_WORK = {
    "docker": re.compile(rf"login .*|run (?:.* )?(?:-e|--env) {_NAME}="),
    "podman": re.compile(rf"login .*|run (?:.* )?(?:-e|--env) {_NAME}="),
    "kubectl": re.compile(r"(?:create secret|config set-credentials) .*"),
    "gh": re.compile(r"(?:auth|secret|variable|api) .*"),
    "git": re.compile(r"(?:clone|fetch|pull|push|ls-remote|remote) (?:.* )?https?://[^ ]*"),
    "sshpass": re.compile(r"-p ?"),
    "python3": re.compile(r"-m json\.tool"),
}
_RUN_CODE = frozenset(
    "eval sh bash dash zsh ksh fish ash csh busybox xargs parallel awk gawk mawk nawk perl ruby php "
    "lua tclsh expect make".split()
)


@dataclass(slots=True)
class _Simple:
    """One program of a command: `NAME=value program word <<< text`."""

    words: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)  # texts that it reads
    writes: bool = False  # into a file
    assigned: list[tuple[str, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.words or self.inputs or self.assigned or self.writes)

    @property
    def program(self) -> str:
        return _BINARIES.sub("", self.words[0]) if self.words else ""

    @property
    def taken(self) -> list[str]:
        """The words and texts in which the value would stand."""
        return [text for text in (*self.words, *self.inputs) if HERE in text]

    @property
    def runs_code(self) -> bool:
        return not _RUN_CODE.isdisjoint(word.rpartition("/")[2] for word in self.words)

    def parted(self) -> _Simple:
        """With what stands before the program told from its words."""
        if self.words[:1] in (["export"], ["env"]):
            del self.words[0]
        while self.words and (found := _ASSIGNMENT.fullmatch(self.words[0])):
            self.assigned.append((found[1], found[2]))
            del self.words[0]
        if self.words[:1] == ["sudo"]:
            del self.words[: 1 + len(list(takewhile(_SUDO_OPTION.fullmatch, self.words[1:])))]
        return self


Pipeline = list[_Simple]


def may_stand(command: str) -> bool:
    """Whether values may stand in all the places of this command that are marked."""
    pipelines = _read(command)
    if pipelines is None:
        return False
    simples = [one for pipeline in pipelines for one in pipeline]
    for one in simples:
        known = not one.words or (_PROGRAM.fullmatch(one.program) and one.program not in _OF_BASH)
        if not known or "PATH" in dict(one.assigned):
            return False  # what it runs cannot be told, or it may change what the others run
    return _may_be_kept(command, simples) and _may_be_taken(pipelines, simples)


def _may_be_kept(command: str, simples: list[_Simple]) -> bool:
    """In a variable: one for credentials, of which nothing else in the command speaks."""
    names = [name for one in simples for name, value in one.assigned if HERE in value]
    if names and any(one.runs_code for one in simples):
        return False
    return all(
        _FOR_A_CREDENTIAL.fullmatch(name) and len(re.findall(rf"\b{name}\b", command)) == 1
        for name in names
    )


def _may_be_taken(pipelines: list[Pipeline], simples: list[_Simple]) -> bool:
    """As an argument or as input, and in whatever the programs of a pipeline hand on."""
    printed = [one for one in simples if one.taken and (one.inputs or one.program in _PRINT)]
    if printed and any(one.writes or one.program == "tee" for one in simples):
        # By itself it may be in a file; as a part of a line it may be code to who reads that.
        if any(text != HERE for one in printed for text in one.taken):
            return False
        pipelines = [simples]
    known = _TAKE_DATA if printed else _TAKE_DATA | _OBEY_INPUT
    concerned = (one for line in pipelines if any(each.taken for each in line) for one in line)
    return all(one.program in known and _takes(one) for one in concerned)


def _takes(one: _Simple) -> bool:
    """Whether a program that is known takes the value as data: in its words, or as its input."""
    words = one.words[1:]
    if one.program in _PRINT:
        return one.program == "echo" or "-v" not in words
    places = [at for at, word in enumerate(words) if HERE in word]
    if work := _WORK.get(one.program):
        told = [" ".join(words[: at + 1]).partition(HERE)[0] for at in places] or [" ".join(words)]
        return not one.runs_code and all(map(work.fullmatch, told))
    return not one.runs_code and all(_is_data(words, at) for at in places)


def _is_data(words: list[str], at: int) -> bool:
    """Whether a word with the value in it is no code, by the option that it belongs to."""
    option = words[at].partition(HERE)[0].partition("=")[0]
    if not option.startswith("-"):
        option = words[at - 1] if at else ""
    return not option.startswith("-") or "=" in option or bool(_FOR_DATA.fullmatch(option))


def _read(command: str) -> list[Pipeline] | None:
    """The programs of a command in their pipelines; None where it is more than words and pipes."""
    pipelines: list[Pipeline] = [[]]
    one, tokens = _Simple(), _tokens(command + "\n")
    for kind, text in tokens:
        if kind == "word":
            one.words.append(text)
        elif kind == "redirect":
            follows, target = next(tokens, ("", ""))
            if follows != "word" or (HERE in target and text != "<<<"):
                return None
            if text == "<<<":
                one.inputs.append(target)
            one.writes = one.writes or (">" in text and not _NO_FILE.fullmatch(target))
        elif one and kind in ("pipe", "end"):
            pipelines[-1].append(one.parted())
            pipelines += [[]] if kind == "end" else []
            one = _Simple()
        elif text != "\n":  # which goes on after a pipe, and is nothing by itself
            return None
    return None if one else pipelines  # one is left where a backslash waits for more


def _tokens(command: str) -> Iterator[tuple[str, str]]:
    """Words without their quotes, and the signs between them; "?" at anything else."""
    at, word = 0, None
    while at < len(command):
        found = _TOKEN.match(command, at)
        kind = found.lastgroup if found else None
        if found is None or kind is None:
            yield "?", ""
            return
        at, text = found.end(), found[kind]
        if kind in _QUOTES:
            word = (word or "") + (_ESCAPED.sub(r"\1", text) if kind == "double" else text)
            continue
        if word is not None:
            yield "word", word
            word = None
        if kind != "blank":
            yield kind, text


def quotes_at(command: str, place: int) -> str:
    """What stands around a place of a command: ' or " or nothing; "?" after a backslash."""
    for found in _TOKEN.finditer(command):
        if found.start() <= place < found.end():
            escaped = (place - len(command[:place].rstrip("\\"))) % 2
            single = found.lastgroup == "single"
            return "?" if escaped and not single else _QUOTES.get(found.lastgroup or "", "?")
    return "?"
