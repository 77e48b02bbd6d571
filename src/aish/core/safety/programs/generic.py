"""Programs described by the table: their options decide."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.paths import ENDLESS, canonical, zone
from aish.core.safety.programs.table import PROGRAMS, Program
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNSEEN, Stream, joined

BOUNDED = {"head": ("-c", "--bytes", "-n", "--lines", ""), "od": ("-N", "--read-bytes"), "hexdump": ("-n",),
           "xxd": ("-l",), "hd": ("-n",)}  # fmt: skip
PATTERN_FIRST = frozenset(
    (
        "grep egrep fgrep pcregrep pcre2grep zgrep zegrep bzgrep xzgrep rg ag ack ugrep jq yq gojq jaq htmlq pup "
        "tomlq xq"
    ).split()
)
# Programs that look at a file's entry and not into it.
OUTSIDE = frozenset("ls dir vdir stat file du tree exa eza lsd ldd".split())
# Programs whose last operand is the file they make.
CONVERTERS = frozenset(
    (
        "convert magick ffmpeg sox lame flac rsvg-convert ps2pdf pdfunite img2pdf cwebp dwebp qpdf "
        "wkhtmltopdf wkhtmltoimage pdfcrop split"
    ).split()
)
DRY = frozenset(
    (
        "--dry-run --dryrun --simulate --no-act --just-print --preview --preview-only --pretend "
        "--what-if --whatif --readonly"
    ).split()
)
_VERSION = frozenset(("-V", "-v", "--version", "-version"))
_LAST_WORD = frozenset(("rc-service", "grpcurl", "parted"))
_NAMES_OUTPUT = re.compile(
    r"-o|--?out(put|file|-?dir|)?(-?(file|dir|path|name))?|--dest(ination|dir)?|--logfile|--log-file"
)
_RISKY = frozenset(("device", "kernel", "system", "startup", "guarded"))
_OTHER_INPUT = re.compile(r"(msl|ephemeral|mvg|tcp|udp|rtmp|ftp):")
_LOOKS_ONLY = frozenset(
    (
        "test [ readlink realpath lsof namei basename dirname pathchk getfacl lsattr man which "
        "getfattr fuser findmnt udevadm blkid lsblk history compgen touch mkdir"
    ).split()
)
MOST_BYTES = 4 << 30
_UNITS = {"K": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60, "Z": 70, "Y": 80}


_HOLDS_ALL = frozenset("sort tac tail shuf wc grep md5sum sha256sum jq column".split())


def by_table(call: ProgramCall) -> Stream:
    """Judge a program by its line in the table; one that has none is unknown."""
    program = PROGRAMS.get(call.program)
    if program is None:
        call.unsure("runs-unknown-code", f"runs {call.program}, which aish does not know")
        return UNSEEN
    if any("://" in word.text and word.tags for word in call.args):
        call.unsure("secret", "puts what this machine knows into an address it opens")
    return apply(call, program)


def apply(call: ProgramCall, program: Program) -> Stream:
    """What a line of the table says about this call."""
    call.parse(" ".join((program.takes, program.writes, program.runs)))
    if program.does and not _excused(call, program):
        call.flag(
            program.kind, program.level, f"{program.does} ({call.program})" if program.does else ""
        )
    words = {option.name for option in call.options} | set(call.texts)
    if program.asks and words & set(program.asks.split()):
        call.destructive("writes", f"{call.program} {program.why}")
    if program.unsure and words & set(program.unsure.split()):
        call.unsure("runs-unknown-code", f"{call.program} may run other code with these options")
    same = {operand.text for operand in call.operands}
    for value in call.values(*program.writes.split()):
        if value.text in same:
            call.destructive("writes", f"{call.program} changes {value.text} in place")
        writing.write(call.reader, value, call.scope, by=call.program)
    _makes(call, program)
    for value in call.values(*program.runs.split()):
        call.run_text(value.text)
        call.unsure("runs-unknown-code", f"{call.program} starts another program for each file")
    return filtered(call) if program.filters else UNSEEN


def _makes(call: ProgramCall, program: Program) -> None:
    """What a program that is no filter writes by the way, and what it would never finish reading."""
    if program.filters and call.program not in CONVERTERS:
        return
    if call.program in CONVERTERS and len(call.operands) > (0 if call.program == "ffmpeg" else 1):
        writing.write(call.reader, call.operands[-1], call.scope, by=call.program)
    if call.program in CONVERTERS and any(_OTHER_INPUT.match(o.text) for o in call.operands):
        call.unsure(
            "runs-unknown-code", f"{call.program} obeys a file, or talks to another machine"
        )
    if any("%pipe%" in text for text in call.texts):
        call.destructive("runs-unknown-code", f"{call.program} starts another program")
    if {"lavfi", "x11grab", "pulse", "alsa"} & set(call.texts) and not {"-t", "-frames:v"} & set(
        call.texts
    ):
        call.unsure("resource", f"{call.program} records without end")
    situation = call.reader.situation
    for name, value in _pairs(call.texts):
        path = canonical(value, call.scope.cwd, situation.home)
        if _NAMES_OUTPUT.fullmatch(name) and zone(path, situation) in _RISKY:
            writing.write(call.reader, Field(value), call.scope, by=call.program)
    if call.program not in _LOOKS_ONLY and any(o.text in ENDLESS for o in call.operands):
        call.destructive("resource", "reads without end, until the memory or the disk is full")


def _pairs(texts: list[str]) -> list[tuple[str, str]]:
    """Each word with the one after it, and each `name=value`."""
    split = [text.partition("=") for text in texts]
    return [*pairwise(texts), *((name, value) for name, equals, value in split if equals)]


def _excused(call: ProgramCall, program: Program) -> bool:
    only = set(program.only.split())
    if any(text in DRY for text in call.texts):
        return True
    if program.bare and not call.operands and not call.options:
        return True
    if not only:
        return False
    first = call.operands[0].text if call.operands else ""
    last = call.operands[-1].text if call.operands else ""
    if call.operands:
        only -= _VERSION
    takes = set(program.takes.split())
    if any(_all_excused(text.partition("=")[0], only, takes) for text in call.texts):
        return True
    return first in only or (last in only and call.program in _LAST_WORD)


def _all_excused(option: str, only: set[str], takes: set[str]) -> bool:
    """`-l`, or letters that stand together and are all excused; `-eval` is not `-v`."""
    if option in only:
        return option.startswith("-")
    together = re.fullmatch(r"-[A-Za-z]{2,4}", option) is not None
    letters = {"-" + letter for letter in option[1:]}
    return together and bool(letters & only) and letters <= only | takes


def filtered(call: ProgramCall) -> Stream:
    """A program that reads its operands, or its input, and prints."""
    inputs: list[Stream] = []
    operands = call.operands
    if call.program in PATTERN_FIRST and not call.has(
        "-e", "-f", "--regexp", "--file", "--from-file"
    ):
        operands = operands[1:]
    if call.program == "tr":
        operands = []
    if call.program in OUTSIDE:
        return Stream(tags=frozenset[str]().union(*(operand.tags for operand in operands)))
    for operand in operands:
        if operand.text == "-":
            inputs.append(call.stdin)
        else:
            inputs.append(call.reader.file_content(operand, call.scope, call.program))
    if not operands:
        inputs.append(replace(call.stdin, tags=call.stdin.tags - {"everything"}))
    made = joined(inputs) if inputs else call.stdin
    if _prints_all(call, operands):
        made = replace(made, tags=made.tags | {"everything"})
    for operand in call.operands:
        made = Stream(made.text, made.endless, made.tags | operand.tags, True, made.origin)
    if made.endless and _bounded(call):
        made = Stream(made.text, False, made.tags, True, made.origin)
    if made.endless and call.program in _HOLDS_ALL:
        call.destructive("resource", "reads without end, until the memory is full")
    if call.program in ("cat", "tee") and not call.options:
        return made
    return made.after()


def _prints_all(call: ProgramCall, operands: list[Field]) -> bool:
    """`grep -r x /`: what the lines of every file there is would fill."""
    deep = call.program in ("rg", "ag", "ack") or call.has("-r", "-R", "--recursive")
    names = call.has("-l", "-L", "-c", "-q", "--files-with-matches", "--count", "--quiet")
    whole = any(operand.text in ("/", "/*") for operand in operands)
    return call.program in PATTERN_FIRST and whole and deep and not names


def _bounded(call: ProgramCall) -> bool:
    options = BOUNDED.get(call.program)
    if options is None:
        return False
    value = call.value(*options)
    if value is None:
        return "" in options
    return size(value.text) <= MOST_BYTES


def size(text: str) -> int:
    """A number with a unit, as programs write it; what cannot be read is huge."""
    number = text.strip().lstrip("+-").rstrip("iBb")
    shift = 0
    if number[-1:].upper() in _UNITS:
        shift = _UNITS[number[-1:].upper()]
        number = number[:-1]
    if not number.isascii() or not number.isdigit() or len(number) > 18:
        return 1 << 90
    return int(number) << shift
