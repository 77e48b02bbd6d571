"""Programs that create, copy, move, change or delete files and archives."""

from __future__ import annotations

import re

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.paths import ENDLESS, canonical, is_secret, zone
from aish.core.safety.programs.generic import MOST_BYTES, filtered, size
from aish.core.safety.scope import Field
from aish.core.safety.streams import NOTHING, UNSEEN, Stream


def rm(call: ProgramCall) -> Stream:
    call.parse()
    if not call.operands:
        return NOTHING
    deep = call.has("-r", "-R", "--recursive")
    for operand in call.operands:
        writing.delete(call.reader, operand, call.scope, by=call.program, deep=deep)
    return NOTHING


def copy(call: ProgramCall) -> Stream:
    """cp and install: the last operand is written, unless -t names the place."""
    takes = "-t -S --target-directory --suffix" + (" -m -o -g" if call.program == "install" else "")
    call.parse(takes)
    if call.program == "install" and call.has("-d", "--directory"):
        for operand in call.operands:
            _create(call, operand)
        return NOTHING
    target, sources = _target(call)
    if target is None:
        return NOTHING
    mode = call.value("-m", "--mode") if call.program == "install" else None
    if mode is not None and _mode_risk(mode.text, "", "here", False):
        call.destructive(
            "permissions", f"installs {target.text} with dangerous rights ({mode.text})"
        )
    for source in sources:
        call.reader.file_content(source, call.scope, call.program)
        if _path(call, source) in ENDLESS:
            call.destructive("resource", f"writes to {target.text} until the disk is full")
        if call.has("-r", "-R", "-a", "--recursive", "--archive"):
            _swallows(call, source, target)
        if source.text == "/dev/null":
            call.destructive("writes", f"empties {target.text}", _path(call, target))
    if call.has("-f", "--force", "--remove-destination"):
        call.destructive("writes", f"replaces {target.text} without asking", _path(call, target))
    keeps = call.has("-n", "--no-clobber", "-i", "--interactive", "-u") or "--backup" in call.texts
    _into(call, sources, target, keeps=keeps)
    return NOTHING


def _swallows(call: ProgramCall, source: Field, target: Field) -> None:
    """A copy of everything, or of a directory into itself."""
    whole, inner = _path(call, source), _path(call, target)
    if whole == "/" or (inner != whole and inner.startswith(whole + "/")):
        call.destructive("resource", f"copies {source.text} into itself, or all there is", whole)


def move(call: ProgramCall) -> Stream:
    call.parse("-t -S --target-directory --suffix")
    target, sources = _target(call)
    if target is None:
        return NOTHING
    path = _path(call, target)
    if path == "/dev/null":
        call.destructive("deletes", f"throws {' '.join(s.text for s in sources)} away")
        return NOTHING
    for source in sources:
        place = zone(_path(call, source), call.reader.situation)
        if place not in ("here", "temp", "session"):
            call.destructive(
                "writes", f"moves {source.text} away from its place", _path(call, source)
            )
        elif place == "here" and zone(path, call.reader.situation) == "temp":
            call.unsure("writes", f"moves {source.text} to where files are cleared away", path)
        if source.glob or not source.known:
            call.unsure("writes", "moves files whose names are only known when it runs")
    if call.has("-f", "--force"):
        call.destructive("writes", f"replaces {target.text} without asking", path)
    _into(call, sources, target, keeps=call.has("-n", "-i", "--no-clobber", "--interactive"))
    return NOTHING


def link(call: ProgramCall) -> Stream:
    call.parse("-t -S --target-directory --suffix")
    if call.has("-f", "--force"):
        call.destructive("writes", "replaces a file by a link")
    if len(call.operands) > 1:
        _into(call, call.operands[:-1], call.operands[-1], keeps=True)
    return NOTHING


def _target(call: ProgramCall) -> tuple[Field | None, list[Field]]:
    named = call.value("-t", "--target-directory")
    if named is not None:
        return named, call.operands
    if len(call.operands) < 2:
        return None, []
    return call.operands[-1], call.operands[:-1]


def _into(call: ProgramCall, sources: list[Field], target: Field, *, keeps: bool) -> None:
    """Write to the target, or into it where it is a directory."""
    path = _path(call, target)
    files = call.reader.situation.files
    if files.is_folder(path) or target.text.endswith("/") or target.text in (".", ".."):
        for source in sources:
            name = source.text.rstrip("/").rsplit("/", 1)[-1]
            inner = (
                f"{target.text.rstrip('/') or '/'}/{name}" if name not in (".", "") else target.text
            )
            writing.write(call.reader, Field(inner), call.scope, by=call.program, keeps=keeps)
        return
    writing.write(call.reader, target, call.scope, by=call.program, keeps=keeps)


def _path(call: ProgramCall, field: Field) -> str:
    return canonical(field.text, call.scope.cwd, call.reader.situation.home)


def _create(call: ProgramCall, operand: Field) -> None:
    writing.write(call.reader, operand, call.scope, by=call.program, keeps=True)


def create(call: ProgramCall) -> Stream:
    """mkdir, touch, mkfifo: nothing is replaced."""
    call.parse("-m -d -t -r --mode --date --reference")
    for operand in call.operands:
        _create(call, operand)
    return NOTHING


def tee(call: ProgramCall) -> Stream:
    call.parse()
    append = call.has("-a", "--append")
    for operand in call.operands:
        if operand.stream is not None:
            continue
        if call.stdin.endless:
            call.destructive("resource", f"writes to {operand.text} until the disk is full")
        writing.write(call.reader, operand, call.scope, by="tee", append=append, content=call.stdin,
                      source=call.stdin)  # fmt: skip
    return call.stdin


def truncate(call: ProgramCall) -> Stream:
    call.parse("-s -r --size --reference")
    wanted = call.value("-s", "--size")
    for operand in call.operands:
        name = writing.name(call.reader, _path(call, operand))
        asked = size(wanted.text) if wanted is not None and re.match(r"\d", wanted.text) else 0
        if asked > MOST_BYTES:
            call.destructive("resource", f"makes {name} larger than a disk", _path(call, operand))
        elif asked >= 1024:
            writing.write(call.reader, operand, call.scope, by="truncate")
        else:
            call.destructive("writes", f"cuts {name} short", _path(call, operand))
    return NOTHING


def fallocate(call: ProgramCall) -> Stream:
    call.parse("-l -o --length --offset")
    wanted = call.value("-l", "--length")
    if wanted is None or size(wanted.text) > MOST_BYTES:
        call.destructive("resource", "takes more disk than is sensible")
    cuts = call.has("-p", "-c", "-z", "--punch-hole", "--collapse-range", "--zero-range")
    for operand in call.operands:
        if cuts:
            call.destructive("writes", f"takes bytes out of {operand.text}", _path(call, operand))
        writing.write(call.reader, operand, call.scope, by="fallocate", append=True)
    return NOTHING


def dd(call: ProgramCall) -> Stream:
    values: dict[str, Field] = {}
    for word in call.args:
        name, _, value = word.text.partition("=")
        values[name] = Field(value, word.glob, word.many, word.tags)
    source = (
        call.reader.file_content(values["if"], call.scope, "dd") if "if" in values else call.stdin
    )
    total = (
        size(values["bs"].text if "bs" in values else "512") * size(values["count"].text)
        if "count" in values
        else None
    )
    endless = source.endless and (total is None or total > MOST_BYTES)
    if "seek" in values and size(values["seek"].text) > MOST_BYTES:
        call.destructive("resource", "makes a file larger than a disk")
    if "of" not in values:
        return Stream(endless=endless, tags=source.tags)
    target = _path(call, values["of"])
    if endless and target != "/dev/null":
        call.destructive("resource", f"fills the disk through {values['of'].text}", target)
    elif endless and total is None:
        call.destructive("resource", "reads without end")
    content = NOTHING if source.text == "" else Stream(None)
    writing.write(call.reader, values["of"], call.scope, by="dd", content=content,
                  source=source)  # fmt: skip
    return NOTHING


_WIDE = re.compile(r"[0-7]*7[0-7]?[2367]$|000$|[0-7]?[0-7]?[2367]$")


def chmod(call: ProgramCall) -> Stream:
    call.parse("--reference")
    args = [w for w in call.args if not re.fullmatch(r"-[Rvcf]+|--\S+", w.text)]
    like = call.value("--reference")
    if like is not None:
        args = [like, *(w for w in args if w is not like)]
    if not args:
        return NOTHING
    mode, targets = args[0].text, args[1:]
    deep = call.has("-R", "--recursive")
    for target in targets:
        path = _path(call, target)
        place = zone(path, call.reader.situation)
        reason = _mode_risk(mode, path, place, deep)
        if reason or (not target.known and re.fullmatch(r"0?777|000", mode)):
            call.destructive(
                "permissions", f"{reason or 'opens files to everybody'}: {target.text}", path
            )
        elif place not in ("here", "temp", "session") and not (
            place == "startup" and re.fullmatch(r"0?[67]00", mode)
        ):
            call.destructive(
                "permissions", f"changes the rights of {writing.name(call.reader, path)}", path
            )
    return NOTHING


def _mode_risk(mode: str, path: str, place: str, deep: bool) -> str:
    if re.fullmatch(r"[2467][0-7]{3}", mode) or re.search(r"[ugoa]*\+[rwxX]*s", mode):
        return "lets a program run with its owner's rights"
    if re.fullmatch(r"0?[0-7]?[0-7]?[2367]|0?777", mode) or re.search(
        r"(^|,)(o|a|)\+[rxX]*w", mode
    ):
        return "lets everybody change"
    if re.fullmatch(r"0{1,4}", mode) or re.search(r"(^|,)[ugoa]*=($|,)|-[rwx]*r", mode):
        return "locks its owner out of"
    if deep and place == "here" and re.search(r"777|000|-r|-w|-x", mode):
        return "changes the rights of everything below"
    return "takes a right away from" if re.search(r"-\w*x", mode) and place != "here" else ""


def owner(call: ProgramCall) -> Stream:
    """chown, chgrp, setfacl: the rights of files."""
    call.parse("--reference --from -m -x -M -X")
    if call.program == "setfacl" and call.has("--test"):
        return NOTHING
    target = call.operands[-1].text if call.operands else "files"
    call.destructive("permissions", f"changes who owns or may use {target}")
    return NOTHING


def tar(call: ProgramCall) -> Stream:
    words = call.args
    if words and not words[0].text.startswith("-") and words[0].known and "/" not in words[0].text:
        call.words = [call.words[0], Field("-" + words[0].text), *words[1:]]  # tar xzf
    call.parse(
        "-f -C -T -X -I -b -g -K -N -H --file --directory --use-compress-program --to-command --checkpoint-action "
        "--exclude --transform --files-from --rsh-command --info-script --new-volume-script --strip-components -F"
    )
    for name in (
        "-I",
        "--use-compress-program",
        "--to-command",
        "--rsh-command",
        "--info-script",
        "--new-volume-script",
        "-F",
    ):
        for value in call.values(name):
            if value.text.split(" ")[0] not in (
                "zstd",
                "gzip",
                "pigz",
                "xz",
                "bzip2",
                "pbzip2",
                "lz4",
                "lzip",
                "pixz",
                "zstdmt",
            ):
                call.run_text(value.text)
                call.unsure("runs-unknown-code", "tar starts another program")
    for value in call.values("--checkpoint-action"):
        if value.text.startswith("exec="):
            call.run_text(value.text[5:])
        call.unsure("runs-unknown-code", "tar starts another program")
    if call.has(
        "--remove-files",
        "--delete",
        "--unlink-first",
        "--recursive-unlink",
        "--overwrite",
        "-U",
        "--overwrite-dir",
    ):
        call.destructive("deletes", "tar deletes or replaces files")
    archive = call.value("-f", "--file")
    place = call.value("--one-top-level") or call.value("-C", "--directory")
    if call.has("-x", "--extract", "--get"):
        if call.has("-P", "--absolute-names"):
            call.destructive("writes", "unpacks to wherever the archive says")
        if not call.has("-O", "--to-stdout"):
            if place is not None:
                _into_home(call, place)
            writing.write(
                call.reader,
                Field((place.text if place else ".").rstrip("/") + "/."),
                call.scope,
                by="tar",
                keeps=True,
            )
        return UNSEEN
    if call.has("-t", "--list") or not call.has(
        "-c", "-r", "-u", "--create", "--append", "--update", "-A"
    ):
        return UNSEEN
    tags: set[str] = set()
    for operand in call.operands:
        path = _path(call, operand)
        if is_secret(path):
            tags.add("secret")
        if path in ("/", call.reader.situation.home):
            call.unsure("resource", "packs a whole system or home directory")
    if archive is not None and archive.text != "-":
        if archive.text.count(":") == 1 and "/" not in archive.text.split(":")[0]:
            call.destructive("network", "writes the archive to another machine")
        else:
            writing.write(call.reader, archive, call.scope, by="tar")
        return UNSEEN
    return Stream(tags=frozenset(tags))


def _into_home(call: ProgramCall, place: Field) -> None:
    if _path(call, place) in ("/", call.reader.situation.home):
        call.unsure("writes", f"{call.program} puts files over those in {place.text}")


def zip_(call: ProgramCall) -> Stream:
    call.parse("-b -n -t -x -i -TT -P --unzip-command")
    if call.has("-m", "--move", "-d", "--delete", "-FS", "--filesync"):
        call.destructive("deletes", "zip deletes files")
    for value in call.values("-TT", "--unzip-command"):
        call.run_text(value.text)
        call.destructive("runs-unknown-code", "zip starts another program")
    if any(_path(call, operand) == "/" for operand in call.operands[1:]):
        call.unsure("resource", "packs everything there is")
    if call.operands and call.operands[0].text != "-":
        writing.write(call.reader, call.operands[0], call.scope, by="zip", append=True)
    return Stream()


def unzip(call: ProgramCall) -> Stream:
    call.parse("-d -x -P")
    if call.has("-l", "-t", "-v", "-Z", "-z", "-p"):
        return UNSEEN
    if call.has("-o"):
        call.destructive("writes", "unpacks over existing files without asking")
    place = call.value("-d")
    writing.write(
        call.reader,
        Field((place.text if place else ".").rstrip("/") + "/."),
        call.scope,
        by=call.program,
        keeps=True,
    )
    return UNSEEN


def seven_zip(call: ProgramCall) -> Stream:
    call.parse()
    verb = call.operands[0].text if call.operands else "l"
    if verb in ("l", "t", "b", "i", "h"):
        return UNSEEN
    if (
        verb in ("d", "rn")
        or call.has("-sdel")
        or any(o.name.startswith("-y") for o in call.options)
    ):
        call.destructive("deletes", "changes an archive or files without asking")
    for option in call.texts:
        if option.startswith("-o"):
            writing.write(
                call.reader,
                Field(option[2:].rstrip("/") + "/."),
                call.scope,
                by=call.program,
                keeps=True,
            )
    return UNSEEN


def compress(call: ProgramCall) -> Stream:
    """gzip and its like replace the file, unless told to keep it."""
    call.parse("-S -b -T -o -M --suffix --threads --memlimit")
    name = call.program
    if call.has("-l", "--list", "-t", "--test", "-c", "--stdout", "--to-stdout"):
        return filtered(call)
    if not call.operands:
        return call.stdin.after()
    if call.has("-f", "--force"):
        call.destructive("writes", f"{name} replaces files without asking")
    elif not call.has("-k", "--keep") and name not in ("zstd", "unzstd"):
        call.unsure("writes", f"{name} puts another file in the place of {call.operands[0].text}")
    if call.has("--rm"):
        call.destructive("deletes", f"{name} deletes the files it packed")
    return UNSEEN


def cpio(call: ProgramCall) -> Stream:
    call.parse("-D -F -E -H --directory --file")
    if call.has("-t", "--list"):
        return UNSEEN
    if call.has("-i", "--extract", "-p"):
        call.destructive("writes", "cpio unpacks files to where the archive says")
    return UNSEEN


_RSYNC_TAKES = (
    "-e -f -M -B -T --rsh --rsync-path --exclude --include --filter --exclude-from --include-from --bwlimit --port "
    "--log-file --backup-dir --suffix --compare-dest --copy-dest --link-dest --temp-dir --partial-dir --chmod --chown --timeout "
    "--files-from --max-size --min-size --info --out-format --password-file"
)


def rsync(call: ProgramCall) -> Stream:
    call.parse(_RSYNC_TAKES)
    for value in call.values("-e", "--rsh", "--rsync-path"):
        if not re.fullmatch(
            r"(ssh|/usr/bin/ssh)( -[pilFo]? ?[\w./~=@-]+)*|rsync|sudo rsync", value.text
        ):
            call.run_text(value.text)
            call.destructive("runs-unknown-code", "rsync starts another program")
    if call.has("-n", "--dry-run", "--list-only"):
        return UNSEEN
    if any(
        o.name.startswith("--del") or o.name in ("--remove-source-files", "--force", "--inplace")
        for o in call.options
    ):
        call.destructive("deletes", "rsync deletes or replaces files at its target")
    if len(call.operands) < 2:
        return UNSEEN
    return _sent(call, call.operands[:-1], call.operands[-1])


def scp(call: ProgramCall) -> Stream:
    call.parse("-P -i -F -o -c -l -S -J -D")
    for value in call.values("-S"):
        call.run_text(value.text)
        call.destructive("runs-unknown-code", "scp starts another program")
    for value in call.values("-o"):
        if re.match(r"(?i)\w*command", value.text):
            call.destructive("runs-unknown-code", "scp starts another program")
    if call.program == "sftp":
        if call.stdin.piped or call.has("-b"):
            call.unsure("remote-state", "sends commands to another machine")
        return UNSEEN
    if len(call.operands) < 2:
        return UNSEEN
    return _sent(call, call.operands[:-1], call.operands[-1])


def _remote(text: str) -> bool:
    return bool(
        re.match(r"[\w.@%+-]+:(?!//)|\[[0-9a-fA-F:]+\]:|(rsync|scp|sftp)://|[\w.@-]+::", text)
    )


def _sent(call: ProgramCall, sources: list[Field], target: Field) -> Stream:
    """Copies between machines: away is asked for, here is a write."""
    call.flag("network", "harmless", "copies over the network")
    if _remote(target.text):
        for source in sources:
            call.reader.file_content(source, call.scope, call.program)
        call.unsure("remote-state", f"copies files to another machine ({target.text})")
        return UNSEEN
    local = target.text
    _into_home(call, target)
    for source in sources:
        if not _remote(source.text):
            _swallows(call, source, target)
    if not target.known:
        call.unsure("writes", "copies to a place that is only known when it runs")
        return UNSEEN
    writing.write(call.reader, Field(local.rstrip("/") + "/." if local not in ("/",) else "/"), call.scope,
                  by=call.program, keeps=True)  # fmt: skip
    return UNSEEN


RULES = {
    "rm": rm, "grm": rm, "cp": copy, "gcp": copy, "install": copy, "ginstall": copy, "mv": move, "gmv": move, "ln": link, "mkdir": create,
    "touch": create, "mkfifo": create, "tee": tee, "truncate": truncate, "fallocate": fallocate, "dd": dd, "chmod": chmod,
    "chown": owner, "chgrp": owner, "setfacl": owner, "tar": tar, "gtar": tar, "bsdtar": tar, "zip": zip_, "unzip": unzip, "bsdunzip": unzip,
    "unrar": unzip, "7z": seven_zip, "7za": seven_zip, "7zz": seven_zip, "cpio": cpio, "rsync": rsync, "scp": scp, "sftp": scp,
    **dict.fromkeys(["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "zstd", "unzstd", "lz4", "unlz4", "pigz", "unpigz", "compress", "uncompress", "brotli"], compress),
}  # fmt: skip
