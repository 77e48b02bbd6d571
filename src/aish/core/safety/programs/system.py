"""The machine itself: services, processes, network settings, scheduled commands."""

from __future__ import annotations

import re
from itertools import pairwise

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.programs.generic import MOST_BYTES, size
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream
from aish.core.safety.verdict import EffectKind

_SYSTEMCTL_READS = frozenset(
    (
        "status show cat list-units list-unit-files list-timers list-sockets list-jobs "
        "list-dependencies list-machines is-active is-enabled is-failed is-system-running get-default "
        "help show-environment list-automounts list-paths"
    ).split()
)


def systemctl(call: ProgramCall) -> Stream:
    call.parse(
        "-t -p -H -M -n -o -s --type --property --host --machine --lines --output --state --signal --root --job-mode"
    )
    if call.has("--dry-run") or not call.operands:
        return UNSEEN
    verb = call.operands[0].text
    if verb not in _SYSTEMCTL_READS:
        names = " ".join(o.text for o in call.operands[1:4])
        call.destructive(
            "service", f"systemctl {verb} {names}".strip() + ": changes what runs on this machine"
        )
    return UNSEEN


def service(call: ProgramCall) -> Stream:
    words = call.texts
    if words == ["--status-all"] or words[-1:] == ["status"]:
        return UNSEEN
    call.destructive("service", f"controls the service {' '.join(words)}")
    return UNSEEN


def kill(call: ProgramCall) -> Stream:
    texts = call.texts
    if texts[:1] in (["-l"], ["-L"], ["--list"], ["-0"]) or texts[:2] == ["-s", "0"] or not texts:
        return UNSEEN
    call.destructive("process-kill", "ends running programs")
    return UNSEEN


_VERBS = {
    "ip": (re.compile(r"^(a(ddr(ess)?)?|l(ink)?|r(oute)?|n(eigh)?|rule|netns|maddr|tunnel|tuntap|mroute|monitor|token|xfrm)$"),
           re.compile(r"^(s(how)?|l(s|ist)?|get|help|-.*||all|dev|up|type)$")),
}  # fmt: skip


def ip(call: ProgramCall) -> Stream:
    call.parse("-n -f  -rc --netns --family", first_operand_ends=False)
    words = [o.text for o in call.operands]
    if not words or len(words) == 1:
        return UNSEEN
    if words[0] == "netns" and words[1:2] == ["exec"]:
        return call.run(call.args[call.texts.index("exec") + 2 :])
    if _VERBS["ip"][0].match(words[0]) and _VERBS["ip"][1].match(words[1]):
        return UNSEEN
    call.destructive("service", "changes the network of this machine")
    return UNSEEN


def verbs(call: ProgramCall) -> Stream:
    """Programs whose words are either questions or changes; see READS."""
    call.parse(_TAKES.get(call.program, ""))
    reads = READS[call.program]
    words = [o.text for o in call.operands]
    names = [o.name for o in call.options]
    if words[:1] == ["help"]:
        return UNSEEN
    if not words and not names:
        if "" in reads:
            return UNSEEN
    elif (
        any(text in reads for text in (*words, *names))
        and not any(text in _NEVER - reads for text in (*words, *names))
        and not (call.program == "resolvectl" and words[:1] in (["dns"], ["domain"]) and words[2:])
    ):
        return UNSEEN
    call.destructive(
        KINDS.get(call.program, "service"),
        f"{call.program}: changes {_WHAT.get(call.program, 'the system')}",
    )
    return UNSEEN


_NEVER = frozenset(
    (
        "delete del remove down up add set modify flush off disable reset -D -F -X -P -A -I "
        "--flush --delete --append --insert --remove-service --add-port --reload import edit"
    ).split()
)
READS: dict[str, frozenset[str]] = {
    name: frozenset(words.split(" "))
    for name, words in {
        "iptables": "-L -S --list --list-rules", "ip6tables": "-L -S --list --list-rules", "iptables-save": " ", "nft": "list monitor",
        "ufw": "status version app", "firewall-cmd": "--list-all --state --list-ports --list-services --get-active-zones --get-zones --list-all-zones "
        "--get-default-zone --list-rich-rules",
        "nmcli": " show status list device dev general g -t --version connection con c d", "route": " -n -e", "timedatectl": " status show list-timezones timesync-status",
        "hostnamectl": " status show --static", "localectl": " status list-locales list-keymaps", "loginctl": " list-sessions list-users show-session show-user "
        "session-status user-status list-seats seat-status show-seat",
        "resolvectl": " status query statistics dns domain", "networkctl": " list status lldp", "bootctl": " status list", "udevadm": "info monitor test test-builtin",
        "supervisorctl": "status tail avail pid", "pm2": "list ls l status show describe info logs log monit prettylist jlist", "launchctl": "list print blame",
        "rfkill": " list", "tc": "show ls list", "zpool": "status list iostat history get events", "zfs": "list get diff holds",
        "btrfs": "list show df usage stats status --readonly", "mdadm": "--detail -D --examine  -E -Q --query --scan --detail-platform", "nvme": "list id-ctrl id-ns smart-log list-subsys "
        "error-log fw-log", "cryptsetup": "status luksDump isLuks luksUUID benchmark", "dmsetup": "ls info status table deps targets version",
        "snap": "list find info version changes services connections interfaces known warnings logs", "chronyc": "sources tracking sourcestats activity",
        "gpg": "--list-keys -k --list-secret-keys -K --verify --fingerprint --list-sigs --check-sigs --list-packets  --version --list-public-keys --card-status",
        "ssh-keygen": "-l -lf -lvf  -F -B -L", "tune2fs": "-l", "auditctl": "-l -s", "virsh": "list dominfo domstate net-list pool-list vol-list dumpxml nodeinfo "
        "domblklist domiflist capabilities version uri snapshot-list net-info pool-info console domifaddr",
        "VBoxManage": "list showvminfo showhdinfo --version ", "multipass": "list info find version get networks", "conntrack": "-L -S", "passwd": "-S --status",
        "chage": "-l --list",
    }.items()
}  # fmt: skip
_TAKES = {"gpg": "-r -u -o --recipient --output --homedir --keyserver", "ssh-keygen": "-f -t -b -C -N -P -m -E -R -I -s -n -V -D",
          "nmcli": "-f --fields -m", "iptables": "-t --table", "ip6tables": "-t", "zfs": "-t -o -s -d ", "firewall-cmd": "--zone",
          "supervisorctl": "-c -s -u -p", "virsh": "-c --connect", "pm2": "--lines", "resolvectl": "-i", "mdadm": ""}  # fmt: skip
KINDS: dict[str, EffectKind] = {"zpool": "disk", "zfs": "disk", "btrfs": "disk", "mdadm": "disk", "nvme": "disk", "cryptsetup": "disk", "dmsetup": "disk", "gpg": "secret",
         "ssh-keygen": "secret", "snap": "packages", "passwd": "permissions", "chage": "permissions", "tune2fs": "disk"}  # fmt: skip
_WHAT = {"gpg": "keys, or writes encrypted files", "ssh-keygen": "or replaces keys", "zpool": "volumes", "zfs": "volumes", "btrfs": "volumes",
         "iptables": "the firewall", "ip6tables": "the firewall", "nft": "the firewall", "ufw": "the firewall", "firewall-cmd": "the firewall", "snap": "packages",
         "passwd": "a password", "chage": "an account", "nmcli": "the network", "route": "the network"}  # fmt: skip


def gpg(call: ProgramCall) -> Stream:
    if any(
        re.match(
            r"--(export-secret|delete|gen-key|full-gen|quick-gen|edit-key|import|send-keys|generate|batch)",
            t,
        )
        for t in call.texts
    ):
        call.destructive("secret", "gpg: hands out, deletes or changes keys")
        return Stream(tags=frozenset(("secret",)))
    return verbs(call)


def journalctl(call: ProgramCall) -> Stream:
    if any(
        re.match(r"--(vacuum|rotate|flush|sync|relinquish|setup-keys|update-catalog)", t)
        for t in call.texts
    ):
        call.destructive("deletes", "deletes or moves the system's logs")
    return UNSEEN


def crontab(call: ProgramCall) -> Stream:
    call.parse("-u")
    if call.has("-l") and not call.has("-r"):
        return UNSEEN
    what = (
        "deletes your scheduled commands" if call.has("-r") else "changes your scheduled commands"
    )
    call.destructive("runs-unknown-code", what)
    return UNSEEN


def at(call: ProgramCall) -> Stream:
    if any(t in ("-l", "-c", "-V") for t in call.texts):
        return UNSEEN
    if call.stdin.piped and call.stdin.known():
        call.run_text(call.stdin.text or "")
    call.unsure("runs-unknown-code", "schedules commands for later")
    return UNSEEN


def mount(call: ProgramCall) -> Stream:
    call.parse("-t -o -O -L -U --types --options --source --target")
    if not call.args or (not call.operands and call.has("-l", "-t", "--show-labels")):
        return UNSEEN
    options = call.value("-o", "--options")
    wanted = re.search(r"size=(\d+\w?)", options.text) if options is not None else None
    if wanted and size(wanted.group(1)) > MOST_BYTES:
        call.destructive("resource", "makes a disk in memory that is larger than the memory")
    call.destructive("service", "mounts a file system, which hides or opens files")
    return UNSEEN


def sysctl(call: ProgramCall) -> Stream:
    if any(t in ("-w", "--write", "-p", "--load", "--system") or "=" in t for t in call.texts):
        call.destructive("service", "changes the running kernel")
    return UNSEEN


def parted(call: ProgramCall) -> Stream:
    words = [t for t in call.texts if not t.startswith("-")]
    if words[1:2] == ["unit"]:
        words = [words[0], *words[3:]]
    if (
        call.texts[:1] in (["-l"], ["--list"])
        or words[1:2] in (["print"], ["p"])
        or (len(words) == 1 and "-l" in call.texts)
    ):
        return UNSEEN
    call.destructive("disk", "changes the partitions of a disk")
    return UNSEEN


def date(call: ProgramCall) -> Stream:
    call.parse("-d --date -r --reference -f --file -I")
    sets = call.has("-s", "--set") or any(o.text[:1].isdigit() for o in call.operands)
    if sets:
        call.destructive("service", "sets the clock")
    return UNSEEN


_NMCLI_READS = frozenset("show status list monitor permissions connectivity hostname".split())


def nmcli(call: ProgramCall) -> Stream:
    call.parse("-f --fields -m --mode -g --get-values -e")
    words = [o.text for o in call.operands]
    verbs_ = [w for w in words[1:3] if w not in ("wifi", "all", "wwan", "logging")]
    if call.program == "nmcli" and verbs_ and verbs_[0] not in _NMCLI_READS:
        call.destructive("service", f"nmcli {' '.join(words[:3])}: changes the network")
    return UNSEEN


def hostname(call: ProgramCall) -> Stream:
    words = [t for t in call.texts if not t.startswith("-")]
    if words or any(t in ("-F", "--file", "-b") for t in call.texts):
        call.destructive("service", "changes the name of this machine")
    return Stream(tags=frozenset(("machine",)))


def make(call: ProgramCall) -> Stream:
    """make: the project's own targets, by their names."""
    call.parse(
        "-f -C -I -o -W -l --file --directory --include-dir --makefile --load-average --eval"
    )
    if call.has("-n", "--dry-run", "--just-print", "--recon", "-q", "--question", "-p"):
        return UNSEEN
    if call.has("-j") and not any(re.fullmatch(rf"-\w*j(\d+|{UNKNOWN})", t) for t in call.texts):
        following = [t for p, t in pairwise(call.texts) if p == "-j"]
        if not following or not (following[0].isdigit() or following[0] == UNKNOWN):
            call.unsure("resource", "starts as many programs at once as there are targets")
    if call.values("-f", "--file", "--makefile", "--eval"):
        call.unsure("runs-unknown-code", "make obeys a file that aish has not read")
    for operand in call.operands:
        name, equals, value = operand.text.partition("=")
        if equals and (
            name in ("SHELL", "MAKEFLAGS", "CC", "CXX", "PATH", "DESTDIR")
            or re.search(r"[;&|`$!]|rm ", value)
        ):
            call.destructive("runs-unknown-code", f"make runs another program through {name}")
        elif not equals:
            _target(call, name)
    return UNSEEN


RISKY_TARGET = re.compile(
    r"(^|[-_:/.])(clean\w*|distclean|mrproper|maintainer-clean|uninstall|install|destroy|deploy\w*|publish|release|reset|drop|purge|nuke|wipe|"
    r"delete|remove|rm|flush|teardown|down|rollback|undo|unpublish|push|upload|eject|prune|format-disk|migrate|seed|kill|stop|erase|obliterate|"
    r"clobber|realclean|scrub|provision|promote|ship|restore|revert)($|[-_:/.])"
)


# A task that tests, checks or shows something is named for it first.
QUIET_TARGET = re.compile(
    r"(tests?|check|lint|docs?|spec|unit|e2e|bench|list|show|print|help|status|plan|preview|typecheck)[-_:/.]"
)


def _target(call: ProgramCall, name: str) -> None:
    if QUIET_TARGET.match(name):
        return
    if RISKY_TARGET.search(name):
        call.unsure(
            "runs-unknown-code",
            f"runs the project's task {name}, which by its name may delete or publish",
        )


_CMAKE_READS = frozenset(
    (
        "echo echo_append capabilities environment md5sum sha1sum sha256sum sha512sum cat "
        "compare_files time sleep true false"
    ).split()
)


def cmake(call: ProgramCall) -> Stream:
    texts = call.texts
    if texts[:1] == ["-E"]:
        verb = texts[1] if len(texts) > 1 else ""
        if verb in ("env", "time", "chdir"):
            return call.run(call.args[2:] if verb == "time" else call.args[3:])
        if verb not in _CMAKE_READS:
            call.destructive("writes", f"cmake -E {verb}: changes or deletes files")
    elif "-P" in texts or "--install" in texts:
        call.unsure("runs-unknown-code", "cmake runs a script, or installs what was built")
    elif any(RISKY_TARGET.search(t) for p, t in pairwise(texts) if p in ("--target", "-t")):
        call.unsure("runs-unknown-code", "builds a target which by its name may delete or publish")
    return UNSEEN


def environments(call: ProgramCall) -> Stream:
    """tox and nox: tasks of the project, by their names."""
    call.parse("-e -s -c -p -k --sessions --conf --env")
    for value in call.values("-e", "-s", "--sessions", "--env"):
        for name in value.text.split(","):
            _target(call, name)
    return UNSEEN


def dc(call: ProgramCall) -> Stream:
    if (call.stdin.text is None and call.stdin.piped) or "!" in (call.stdin.text or "") + "".join(
        call.texts
    ):
        call.unsure("runs-unknown-code", "dc runs commands after an exclamation mark")
    return UNSEEN


def uniq(call: ProgramCall) -> Stream:
    from aish.core.safety.programs.generic import filtered

    call.parse("-f -s -w")
    for operand in call.operands[1:2]:
        writing.write(call.reader, operand, call.scope, by="uniq")
    call.operands = call.operands[:1]
    return filtered(call)


RULES = {
    "systemctl": systemctl, "service": service, "kill": kill, "ip": ip, "journalctl": journalctl, "crontab": crontab, "at": at, "batch": at,
    **dict.fromkeys(READS, verbs), "gpg": gpg, "gpg2": gpg, "mount": mount, "sysctl": sysctl, "parted": parted, "hostname": hostname,
    "make": make, "gmake": make, "cmake": cmake, "tox": environments, "nox": environments, "dc": dc, "uniq": uniq, "date": date, "nmcli": nmcli,
}  # fmt: skip
RULES["gpg2"] = gpg
READS["gpg2"] = READS["gpg"]
