"""git: what each subcommand could lose, and the ways its options run other programs."""

from __future__ import annotations

import re

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.paths import canonical, is_secret
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNSEEN, Stream

_GLOBAL = "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix"
_READS = frozenset(
    (
        "status log show diff blame annotate describe shortlog grep ls-files ls-tree ls-remote "
        "cat-file rev-parse rev-list show-ref for-each-ref name-rev merge-base cherry range-diff "
        "whatchanged var version help check-ignore check-attr count-objects fsck verify-commit "
        "verify-tag verify-pack diff-tree diff-index diff-files show-branch get-tar-commit-id "
        "archive bugreport column check-ref-format check-mailmap instaweb request-pull "
        "format-patch interpret-trailers mailinfo stripspace patch-id bundle diagnose init clone fetch "
        "pull add commit merge rebase cherry-pick revert mv lfs citool gui gitk hash-object "
        "write-tree mktree commit-tree merge-tree sparse-checkout maintenance am apply repack "
        "pack-refs unpack-file difftool mergetool submodule worktree remote branch tag stash "
        "notes config reflog bisect checkout switch restore reset rm push clean gc prune "
        "symbolic-ref send-email credential svn p4 flow subtree replace rerere"
    ).split()
)
# Options of a subcommand that lose something, and what they lose.
_LOSES = {
    "clean": ("", "deletes files that git does not know"),
    "filter-branch": ("", "rewrites the history"),
    "filter-repo": ("", "rewrites the history"),
    "update-ref": ("", "changes references by hand"),
    "prune": ("", "deletes objects that nothing names"),
    "read-tree": ("", "replaces the index and may replace files"),
    "checkout-index": ("", "writes files over those that are there"),
    "gc": ("--prune", "deletes what could still be recovered"),
    "commit": ("--amend", "replaces the last commit"),
    "rebase": ("-i --interactive --onto --root --abort --skip", "rewrites commits"),
    "merge": ("--abort --quit", "throws the merge away"),
    "cherry-pick": ("--abort --quit --skip", "throws the pick away"),
    "am": ("--abort --skip", "throws patches away"),
    "revert": ("--abort", "throws the revert away"),
    "branch": ("-D -M -C --force -f", "deletes or replaces a branch, merged or not"),
    "tag": ("-d --delete -f --force", "deletes or replaces a tag"),
    "switch": ("-f --force --discard-changes -C --force-create", "throws local changes or a branch away"),
    "apply": ("--unsafe-paths --reject", "changes files"),
    "mv": ("-f --force", "replaces a file"),
    "fetch": ("-f --force", "replaces local references"),
    "pull": ("-f --force -X --strategy-option", "replaces local references or changes"),
    "notes": ("", ""), "replace": ("", "makes one object stand for another"),
    "repack": ("-d -A", ""), "sparse-checkout": ("set reapply init", "takes files out of the working tree"), "svn": ("dcommit", "publishes commits"), "send-email": ("", "sends mail"),
    "lfs": ("prune migrate", "deletes or rewrites large files"), "credential": ("", "hands out passwords"), "p4": ("submit", "publishes"),
    "rerere": ("clear forget", "forgets resolutions"), "maintenance": ("", ""), "instaweb": ("", "starts a web server"),
}  # fmt: skip
_SECOND = {
    "stash": ({"drop", "clear"}, "deletes stashed work"),
    "reflog": ({"expire", "delete"}, "deletes the way back to lost commits"),
    "worktree": ({"remove", "prune", "move"}, "removes a working tree"),
    "remote": (
        {"remove", "rm", "set-url", "rename", "prune", "set-head"},
        "changes which remotes there are",
    ),
    "submodule": ({"deinit", "foreach", "set-url"}, "changes or runs something in the submodules"),
    "notes": ({"remove", "prune", "append", "edit", "merge"}, "changes notes"),
    "bisect": ({"run", "reset"}, "runs a program or leaves the search"),
    "symbolic-ref": ({"-d", "--delete"}, "deletes a reference"),
    "lfs": ({"prune", "migrate", "uninstall"}, "deletes or rewrites large files"),
    "rerere": ({"clear", "forget"}, "forgets resolutions"),
    "subtree": ({"push", "split"}, "changes branches"),
    "bundle": (set(), ""),
}
_CODE_KEYS = re.compile(
    r"(?i)^(alias\..*|core\.(pager|editor|sshcommand|fsmonitor|hookspath|gitproxy|askpass|attributesfile|excludesfile|worktree)|"
    r"pager\..*|diff\..*(external|textconv|command)|diff\.external|.*\.(cmd|command|driver|clean|smudge|process|helper|path|program|textconv)|"
    r"credential\..*|sequence\.editor|gpg\..*|filter\..*|merge\..*driver|protocol\..*|url\..*|include.*|uploadpack\..*|receive\..*|"
    r"init\.templatedir|browser\..*|man\..*|web\.browser|http\.proxy|http\.sslverify|safe\.directory|submodule\..*|remote\..*|sendemail\..*|"
    r"trailer\..*command|instaweb\..*|interactive\.difffilter|core\.bare)$"
)
_RUNS = ["-x", "--exec", "--upload-pack", "--receive-pack", "--open-files-in-pager", "-O", "--extcmd", "-x", "--ext-cmd", "--index-filter", "--tree-filter", "--msg-filter", "--env-filter", "--commit-filter"]  # fmt: skip
_TAKES = (
    "-m -F -b -B -c -C -n --message --file --author --date -S --grep --since --until --after --before --format --pretty -L -G "
    "--max-count --output -o --exec --upload-pack --receive-pack --open-files-in-pager --extcmd -u --orphan --reference --depth "
    "--branch --config --jobs -j --strategy --strategy-option -X --onto --source -s --prune --expire --sort --points-at --contains --remote "
    "--index-filter --tree-filter --msg-filter --env-filter --commit-filter --prefix --filter --output-directory"
)


def git(call: ProgramCall) -> Stream:
    call.parse(_GLOBAL, first_operand_ends=True)
    _global_options(call)
    if not call.operands:
        return UNSEEN
    verb = call.operands[0].text
    rest = call.operands[1:]
    inner = ProgramCall(call.reader, [Field("git"), *rest], call.scope, call.stdin)
    inner.parse(_takes(verb))
    texts = inner.texts
    if "--help" in texts or "-h" in texts:
        return UNSEEN
    if not call.operands[0].known or verb not in _READS | set(_LOSES):
        call.unsure("version-control", f"runs git {verb}, which may be an alias for anything")
        return UNSEEN
    _programs(inner, verb)
    if inner.has("--dry-run") or (
        inner.has("-n") and verb in ("clean", "add", "rm", "push", "mv", "prune", "fetch")
    ):
        return UNSEEN
    special = _SPECIAL.get(verb)
    if special is not None:
        special(inner)
    _losses(inner, verb)
    _written(inner, verb)
    return UNSEEN


def _written(call: ProgramCall, verb: str) -> None:
    """Files that a reading subcommand is told to write."""
    for out in call.values("--output"):
        writing.write(call.reader, out, call.scope, by="git")
        if verb not in ("archive", "bundle"):
            call.unsure("writes", f"git {verb} writes over the file {out.text}")
    for place in call.values("-o", "--output-directory") if verb == "format-patch" else ():
        inside = Field(place.text.rstrip("/") + "/.")
        writing.write(call.reader, inside, call.scope, by="git", keeps=True)
    if call.has("--ext-diff", "--textconv") and verb != "grep":
        call.unsure("runs-unknown-code", f"git {verb} starts the programs its settings name")


def _takes(verb: str) -> str:
    words = set(_TAKES.split())
    if verb in (
        "clean",
        "push",
        "fetch",
        "add",
        "rm",
        "mv",
        "prune",
        "merge",
        "log",
        "pull",
        "rebase",
        "stash",
    ):
        words -= {"-n", "-u", "-x", "-s"}
    if verb in ("clean", "rebase", "cherry-pick", "am"):
        words |= {"-x"} if verb == "rebase" else set()
        words |= {"-e"} if verb == "clean" else set()
    if verb in ("diff", "show", "ls-files", "restore", "branch", "tag", "checkout"):
        words -= {
            "-c",
            "-s" if verb != "restore" else "",
            "-u",
            "-o",
            "-m" if verb == "branch" else "",
            "-n",
            "-C",
            "-B" if verb == "diff" else "",
        }
    if verb == "difftool":
        words |= {"-x"}
    if verb == "restore":
        words -= {"-S", "-W"}
    if verb in ("switch", "checkout"):
        words -= {"-m"}
        words |= {"-c", "-C", "-b", "-B"}
    if verb == "branch":
        words -= {"-c", "-C", "-F"}
    if verb == "config":
        words = {"-f", "--file", "--blob", "--type", "--default"}
    if verb == "grep":
        words = {
            "-e",
            "-f",
            "-A",
            "-B",
            "-C",
            "-m",
            "--open-files-in-pager",
            "--max-depth",
            "--threads",
        }
    return " ".join(words)


def _global_options(call: ProgramCall) -> None:
    for value in call.values("-c", "--config-env"):
        key, _, text = value.text.partition("=")
        if _CODE_KEYS.match(key.strip()):
            if text:
                call.run_text(text.removeprefix("!"))
            call.destructive(
                "runs-unknown-code", f"makes git run a program of its choice through {key}"
            )
    if call.value("--exec-path") is not None:
        call.destructive("runs-unknown-code", "makes git take its programs from elsewhere")
    for value in call.values("--git-dir", "--work-tree"):
        if value.text.startswith("/tmp"):  # noqa: S108
            call.unsure("runs-unknown-code", "uses the settings of another repository")


def _programs(call: ProgramCall, verb: str) -> None:
    for option in call.options:
        if option.name not in _RUNS or (
            option.name in ("-x", "-O") and verb not in ("rebase", "difftool", "grep")
        ):
            continue
        if option.value is not None:
            call.run_text(option.value.text)
        call.destructive("runs-unknown-code", f"git {verb} starts another program ({option.name})")
    for text in call.texts:
        if re.match(r"ext::|fd::|-u[\w/]", text) and (text.startswith(("ext::", "fd::"))):
            call.destructive("runs-unknown-code", "git starts another program to connect")
    if verb in ("submodule",) and call.texts[:1] == ["foreach"]:
        call.run_text(" ".join(t for t in call.texts[1:] if t not in ("--recursive", "--quiet")))
    if verb == "bisect" and call.texts[:1] == ["run"]:
        call.run(call.args[1:])


def _losses(call: ProgramCall, verb: str) -> None:
    options, reason = _LOSES.get(verb, ("-", ""))
    words = {option.name for option in call.options} | set(call.texts)
    if reason and (not options or words & set(options.split())):
        call.destructive("version-control", f"git {verb}: {reason}")
    second, why = _SECOND.get(verb, (set(), ""))
    if second and set(call.texts[:2]) & second:
        call.destructive("version-control", f"git {verb}: {why}")


def _push(call: ProgramCall) -> None:
    forced = call.has(
        "-f",
        "--force",
        "--force-with-lease",
        "--force-if-includes",
        "--mirror",
        "-d",
        "--delete",
        "--prune",
    )
    if forced or any(o.text.startswith(("+", ":")) for o in call.operands):
        call.destructive(
            "remote-state", "replaces or deletes what others see in the remote repository"
        )
    target = call.operands[0].text if call.operands else ""
    new = f"git remote {target}" in call.scope.variables
    if new or "://" in target or re.match(r"[\w.-]+@[\w.-]+:", target):
        call.unsure(
            "remote-state", "publishes to an address that is not a remote of this repository"
        )


def _fetch(call: ProgramCall) -> None:
    if any(operand.text.startswith("+") for operand in call.operands[1:]):
        call.destructive("version-control", "replaces branches here by those of the remote")


_MERGE_TOOLS = frozenset(
    "vimdiff nvimdiff meld kdiff3 opendiff p4merge bc code emerge gvimdiff tkdiff".split()
)


def _clone(call: ProgramCall) -> None:
    for value in call.values("-c", "--config"):
        if _CODE_KEYS.match(value.text.partition("=")[0]):
            call.destructive("runs-unknown-code", "makes git run a program of its choice")
    if any(text.startswith("--template") for text in call.texts):
        call.unsure("runs-unknown-code", "puts hooks of another place into the repository")


def _merge_tool(call: ProgramCall) -> None:
    for name, value in ((text.partition("=")[0], text.partition("=")[2]) for text in call.texts):
        if name == "--tool" and value not in _MERGE_TOOLS:
            call.unsure("runs-unknown-code", f"git starts {value or 'another program'}")


def _maintenance(call: ProgramCall) -> None:
    if call.texts[:1] in (["start"], ["stop"], ["unregister"]):
        call.unsure("runs-unknown-code", "changes what git does by itself")


def _apply(call: ProgramCall) -> None:
    if not call.has("--check", "--stat", "--numstat", "--summary", "--cached"):
        call.unsure("writes", "git apply changes the files a patch names")


def _bundle(call: ProgramCall) -> None:
    if call.texts[:1] == ["create"] and len(call.operands) > 1:
        writing.write(call.reader, call.operands[1], call.scope, by="git")


def _remote(call: ProgramCall) -> None:
    """A remote that was just added is an address like any other."""
    words = [operand.text for operand in call.operands]
    if words[:1] == ["add"] and len(words) > 2:
        call.scope.variables[f"git remote {words[1]}"] = words[2]


def _reset(call: ProgramCall) -> None:
    if call.has("--hard", "--merge", "--keep"):
        call.destructive("version-control", "git reset throws local changes away")
    elif (
        any(
            re.search(r"[~^@]|\bHEAD\d", o.text) and o.text not in ("HEAD", "@")
            for o in call.operands
        )
        and len(call.operands) == 1
    ):
        call.unsure("version-control", "git reset moves the branch back")


def _checkout(call: ProgramCall) -> None:
    if call.has("-f", "--force", "-B", "--ours", "--theirs"):
        call.destructive("version-control", "git checkout throws local changes away")
    texts = call.texts
    if (
        "--" in texts
        or "." in texts
        or any(o.text.endswith("/") for o in call.operands)
        or (len(call.operands) > 1 and not call.has("-b", "-t", "--track", "--orphan"))
    ):
        call.destructive("version-control", "git checkout replaces files by older versions")
    elif len(call.operands) == 1:
        path = call.operands[0].text
        if re.search(r"\.\w{1,4}\Z", path) and not re.search(r"\d\.\d", path):
            call.destructive("version-control", f"git checkout replaces {path} by an older version")


def _restore(call: ProgramCall) -> None:
    if not call.has("--staged", "-S") or call.has("--worktree", "-W"):
        call.destructive("version-control", "git restore throws local changes away")


def _rm(call: ProgramCall) -> None:
    if not call.has("--cached"):
        call.destructive("deletes", "git rm deletes files")


def _clean(call: ProgramCall) -> None:
    return


def _config(call: ProgramCall) -> None:
    if call.has("--unset", "--unset-all", "--remove-section", "--rename-section", "-e", "--edit"):
        call.unsure("version-control", "changes git's settings")
    operands = [o.text for o in call.operands if o.text not in ("set", "get", "list", "unset")]
    if (
        call.has("--get", "--get-all", "--list", "-l", "--get-regexp")
        or "get" in call.texts[:1]
        or len(operands) < 2
    ):
        return
    key, value = operands[0], operands[1]
    for place in call.values("-f", "--file"):
        writing.write(call.reader, place, call.scope, by="git")
    if _CODE_KEYS.match(key):
        if value.startswith("!"):
            call.run_text(value[1:])
        call.destructive("runs-unknown-code", f"changes {key}, which makes git run programs")
    elif call.has("--system"):
        call.destructive("writes", "changes git's settings for everybody")


def _add(call: ProgramCall) -> None:
    for operand in call.operands:
        path = canonical(operand.text, call.scope.cwd, call.reader.situation.home)
        if operand.known and is_secret(path):
            call.unsure("secret", f"puts {operand.text}, which holds keys or passwords, into git")


def _archive(call: ProgramCall) -> None:
    for value in call.values("-o", "--output"):
        writing.write(call.reader, value, call.scope, by="git")


def _gc(call: ProgramCall) -> None:
    if any(t.startswith("--prune") for t in call.texts):
        call.destructive("version-control", "git gc deletes what could still be recovered")


def _symbolic(call: ProgramCall) -> None:
    if len(call.operands) > 1:
        call.unsure("version-control", "moves a reference")


_SPECIAL = {
    "push": _push, "reset": _reset, "checkout": _checkout, "restore": _restore, "rm": _rm, "clean": _clean, "config": _config,
    "archive": _archive, "gc": _gc, "symbolic-ref": _symbolic, "fetch": _fetch, "pull": _fetch, "apply": _apply,
    "bundle": _bundle, "remote": _remote, "clone": _clone, "add": _add, "difftool": _merge_tool, "mergetool": _merge_tool, "maintenance": _maintenance,
}  # fmt: skip

RULES = {"git": git, "hub": git}
