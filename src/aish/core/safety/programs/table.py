"""Programs whose options decide: the rules as data. To teach aish a program, add a line here."""

from __future__ import annotations

from aish.core.safety.verdict import EffectKind, Level
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """What a program does, and which of its options change that.

    `does` is the reason to ask; empty means harmless unless one of the options below says otherwise.
    Options are named as typed, several of them divided by blanks.
    """

    does: str = ""
    kind: EffectKind = "reads"
    level: Level = "destructive"
    takes: str = ""  # options that have a value
    only: str = ""  # options or first words that make it harmless although it `does`
    bare: bool = False  # harmless with no operands at all
    writes: str = ""  # options whose value names a file it writes
    runs: str = ""  # options whose value is a command it runs
    asks: str = ""  # options or words that make it destructive, because it then …
    why: str = ""  # … does this
    unsure: str = ""  # options that make it unknown
    filters: bool = False  # reads its operands, or its input, and prints


def _each(names: str, program: Program) -> dict[str, Program]:
    return dict.fromkeys(names.split(), program)


_FILTERS = """
cat tac head tail less more most bat batcat wc sort uniq cut paste join tr nl rev column fold fmt expand
unexpand pr grep egrep fgrep pcregrep pcre2grep zgrep zegrep bzgrep xzgrep rg ag ack ugrep strings od hexdump hd xxd base64 base32
base58 basenc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum crc32 shasum md5 xxhsum zcat
bzcat xzcat zstdcat lz4cat gzcat zless zmore zdiff cmp comm diff diff3 sdiff colordiff icdiff vimdiff delta
difft jq yq gojq jaq dasel xq tomlq xmllint xmlstarlet csvcut csvlook csvgrep csvstat csvsort csvjson csvformat mlr qsv xsv
tsort shuf numfmt iconv uconv ts lolcat pygmentize highlight glow mdcat hexyl fx jless look ptx factor vis
unvis readelf objdump nm size ldd file stat tree exa eza lsd ls dir vdir du identify exiftool ffprobe mediainfo
pdfinfo pdftotext pdffonts antiword catdoc docx2txt qpdf zipinfo lsar pgrep rev asciidoctor dot plantuml sponge-less
cloc tokei scc wdiff dwdiff ccze grc jc jo gron htmlq pup envsubst uuencode bc dc
"""
_PLAIN = """
true false : test [ pwd whoami id groups logname users who w finger last lastb lastlog uptime uname arch nproc getconf
hostname hostid dnsdomainname date cal ncal sleep tty clear tput seq printenv locale basename dirname realpath
readlink pathchk which whereis whatis apropos man info tldr cheat help type hash times free vmstat iostat mpstat
pidstat sar ps pstree pidof top htop btop atop glances iotop iftop nethogs lsof lscpu lsmem lsusb lspci lshw lsmod
modinfo lsblk blkid df findmnt lsns lsipc ipcs lslocks lslogins getent sensors nvidia-smi rocm-smi dmidecode inxi
neofetch fastfetch screenfetch hwinfo acpi upower ss netstat arp mtr traceroute tracepath ping6 dig nslookup host
drill whois getfacl getfattr lsattr namei cloc figlet toilet cowsay fortune sl cmatrix echo printf expr notify-send xdpyinfo
xrandr-query   fc-match  pinky vdpauinfo vainfo glxinfo clinfo numactl-show
getenforce sestatus aa-status ausearch aureport  sesearch seinfo logname jobs fg bg wait disown dirs
popd pushd umask compgen complete bind history fc let caller shopt suspend mesg xev zipgrep lsinitramfs
locate plocate mlocate fdupes jdupes  units gcal   speedtest lsb_release
aplay   vim vi nvim view nano emacs emacsclient micro hx helix kak joe pico mcedit code subl gedit kate
xdg-open open tig lazygit gitk gitui k9s ncdu ranger nnn mc lf vifm yazi broot fzf sk peco
shellcheck hadolint yamllint markdownlint pylint flake8 pyflakes pycodestyle mypy pyright pytype bandit vulture radon
pydocstyle isort-check tflint tfsec checkov trivy grype syft semgrep gitleaks actionlint cppcheck clang-tidy
golangci-lint staticcheck govulncheck luacheck rubocop reek brakeman phpstan psalm phpcs stylelint jshint
pytest py.test nosetests nose2 tox nox behave coverage rspec minitest phpunit jest vitest mocha ava
karma cypress playwright ctest lit bats prove cucumber robot gtest-parallel
tsc javac kotlinc scalac ocamlc rustc gcc g++ cc c++ clang clang++ cpp ld as  ranlib gofmt
rustfmt black ruff isort autopep8 yapf prettier eslint biome clang-format shfmt stylua
 cmake ninja meson  scons ccache autoconf automake  protoc buf thrift
pandoc asciidoc sphinx-build mkdocs hugo jekyll doxygen latexmk pdflatex xelatex lualatex tex bibtex
convert magick ffmpeg sox lame flac inkscape rsvg-convert gs ps2pdf pdftk pdfunite img2pdf tesseract optipng
 cwebp dwebp gifsicle potrace
strace    ldd    reset mktemp mkdir touch
 iw iwconfig iwlist  stty  tcpdump tshark iperf iperf3 nmap  sntp ntpq
getopt getopts read readarray mapfile return break continue shift exit logout return say espeak
msgfmt xgettext gettext ngettext flex bison yacc indent ctags etags cscope gtags global
lscgroup systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-path  coredumpctl

sha3sum  nload bmon vnstat smem procinfo slabtop   toml-test apt-cache
dpkg-query rpmquery repoquery pkg-config pkgconf llvm-config python-config pg_isready pg_config mysqlshow pg_lsclusters
pgbadger   dumpe2fs xfs_info lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan
lsscsi lsdasd   sg_inq  atq   ulimit terraform-docs infracost stern
  kubeval kubeconform kube-score popeye dive  aspell hunspell ispell
 whatmask ipcalc sipcalc prips httpstat  jwt    lorem
perldoc ri pydoc pydoc3 godoc named-checkconf named-checkzone memcstat memcping rabbitmq-diagnostics quota repquota duf dust dua
pmap debsums gcovr lcov genhtml speedtest-cli fast arping fping oping procs bandwhich gping dog doggo rdap
lsfd lsirq wdctl numastat turbostat s-tui nvtop radeontop intel_gpu_top gpustat mailq lsinitrd showmount nfsstat rpcinfo
avahi-browse avahi-resolve sslscan testssl.sh sslyze whatweb clamscan yara diffstat interdiff filterdiff lsdiff onefetch
ldapsearch ldapwhoami klist smbstatus testparm wbinfo getsebool matchpathcon pstack gstack zdump typos codespell vale proselint
jsonlint json_verify jsonschema ajv check-jsonschema dotenv-linter dockle kubescape kubent pluto kube-capacity kubetail conftest
go-licenses licensecheck pip-audit osv-scanner madge depcheck lstopo cpuid x86info vulkaninfo errno ascii banner configure rc-status zenity meld pg_controldata uvicorn gunicorn hypercorn daphne streamlit
wkhtmltopdf wkhtmltoimage gdu sync filefrag lpstat lpq ntpstat infocmp fc-list pipdeptree nuget qrencode zbarimg pv markdown
mosquitto_sub snmpwalk snmpget snmpbulkwalk wireshark sass swagger-cli openapi-generator csvsql csvstack csvjoin
commitlint autoreconf esbuild kafka-console-consumer.sh kafka-console-consumer kafka-get-offsets.sh eg
"""

PROGRAMS: dict[str, Program] = {}
PROGRAMS.update(_each(_PLAIN, Program()))
PROGRAMS.update(_each(_FILTERS, Program(filters=True)))

# Readers and formatters with an option that writes, runs or changes.
PROGRAMS.update({
    "sort": Program(filters=True, takes="-k -t -S -T --key --parallel --field-separator --buffer-size",
                    writes="-o --output", runs="--compress-program"),
    "rg": Program(filters=True, takes="-e -f -g -t -T -A -B -C -m -j -M -r --type --glob --regexp --max-count "
                  "--color --sort --iglob --file --replace --context", runs="--pre --hostname-bin"),
    "ag": Program(filters=True, takes="-A -B -C -G -m -p --depth --ignore", runs="--pager"),
    "ack": Program(filters=True, takes="-A -B -C -m", runs="--pager"),
    "bat": Program(filters=True, takes="-l -H -r --language --style --theme --color", runs="--pager"),
    "batcat": Program(filters=True, takes="-l -H -r --language --style --theme", runs="--pager"),
    "delta": Program(filters=True, runs="--pager"),
    "grep": Program(filters=True, takes="-e -f -m -A -B -C -d -D --include --exclude --exclude-dir --color"),
    "yq": Program(filters=True, takes="-o -p --output-format --input-format -I", asks="-i --inplace",
                  why="changes the file in place"),
    "xmllint": Program(filters=True, writes="--output -o", takes="--xpath --schema"),
    "xmlstarlet": Program(filters=True, asks="-L --inplace", why="changes the file in place"),
    "jq": Program(filters=True, takes="--arg --argjson --slurpfile --rawfile --indent -f --from-file -L"),
    "tree": Program(filters=True, takes="-L -I -P --filelimit --charset", writes="-o"),
    "xxd": Program(filters=True, takes="-l -s -c -g -o -n", asks="-r", why="writes bytes into a file"),
    "uniq": Program(filters=True, takes="-f -s -w"),
    "shuf": Program(filters=True, takes="-n -i --random-source", writes="-o --output"),
    "exiftool": Program(filters=True, asks="-overwrite_original -all= -delete_original -overwrite_original_in_place",
                        why="changes the files in place"),
    "od": Program(filters=True, takes="-N -A -t -j -w"), "hexdump": Program(filters=True, takes="-n -s -e -f"),
    "hd": Program(filters=True, takes="-n -s"),
    "tail": Program(filters=True, takes="-n -c -s --pid --lines --bytes"),
    "head": Program(filters=True, takes="-n -c --lines --bytes"),
    "iconv": Program(filters=True, takes="-f -t --from-code --to-code", writes="-o --output"),
    "man": Program(takes="-s -S -M -L -m -e -C -R -k -f", runs="-P --pager -H --html --preprocessor"),
    "date": Program(takes="-d --date -r --reference -f --file -I", asks="-s --set", why="sets the clock"),
    "hostname": Program(takes="", asks="-F --file -b", why="changes the name of this machine"),
    "tput": Program(), "mktemp": Program(takes="-p --tmpdir --suffix"),
    "tcpdump": Program(takes="-i -c -s -r -G -C", writes="-w", runs="-z"),
    "tshark": Program(takes="-i -c -r -Y -f", writes="-w"),
    "nmap": Program(takes="-p -T --top-ports", writes="-oN -oX -oG -oA", unsure="--script"),
    "ping": Program(takes="-c -i -I -W -w -s -t -p", asks="-f", why="floods the network"),
    "perf": Program("runs a program under a profiler", "runs-unknown-code", "unknown", only="list  report"),
    "coredumpctl": Program(unsure="debug gdb"),
    "kotlinc": Program(unsure="-script"), "tsc": Program(takes="-p --project --outDir --target"),
    "pytest": Program(takes="-k -m -n -p -c -o --tb --cov --cov-report --maxfail --durations --junitxml --rootdir"),
    "black": Program(takes="-l --line-length -t"), "ruff": Program(takes="--select --ignore --config"),
    "cmake": Program(takes="-S -B -G -D -C --build --target --config --preset -j --parallel"),
    "ninja": Program(takes="-C -f -j -t -k", asks="clean", why="deletes what was built"),
    "gcc": Program(takes="-I -L -l -D -x -std -include", writes="-o", runs="-wrapper -B -fplugin -specs"),
    "ssh-keyscan": Program(takes="-t -p -T -H"), "sysctl": Program(takes="-p", asks="-w --write -p --load --system",
                                                                why="changes the running kernel"),
    "fzf": Program(takes="-q -f --query --filter --height --prompt --header --delimiter -d", runs="--preview",
                   asks="--bind", why="binds keys to commands"),
    "ffmpeg": Program(takes="-i -ss -t -to -c -c:v -c:a -b:v -b:a -f -vf -af -r -s -crf -preset -map", asks="-y",
                      why="replaces files without asking"),
    "split": Program(takes="-l -b -n -a -C -t --lines --bytes --number --suffix-length --separator", runs="--filter"),
    "csplit": Program(takes="-n -b", writes="-f --prefix"),
    "ctags": Program(takes="-f -o", unsure="--options --options-maybe"),
    "ghc": Program(takes="-i -I -package", writes="-o", runs="-e -pgmF -pgmL"),
    "gnuplot": Program(takes="-e -c", unsure="-e -c"),
    "mkdocs": Program(asks="gh-deploy", why="publishes the site"),
    "coverage": Program(asks="erase", why="deletes what was measured"),
    "vim": Program(takes="-u -S -s -c --cmd", unsure="-S -s -u -es -Es -e -E -s"),
    "emacs": Program(takes="-l --load", unsure="--eval --batch -l --load --script -f --funcall"),
    "strace": Program(takes="-o -e -p -s -c -f -u"),
    "less": Program(filters=True, takes="-k -p -t -T -j -x -D", writes="-o -O", unsure="-k"),
    "ld": Program("links a program", "writes", "unknown"),
    "ulimit": Program(asks="unlimited", why="takes a limit of the machine away"),
    "history": Program(asks="-c -d -w -r -a -n", why="changes the shell's history"),
    "fc": Program(takes="-e", unsure="-s -e"),
    "bind": Program(unsure="-x"), "complete": Program(takes="-W -A -o -G -P -S", runs="-C", unsure="-F"),
    "compgen": Program(takes="-W -A -o -G -P -S -X", runs="-C", unsure="-F"),
    "convert": Program(), "magick": Program(asks="mogrify", why="changes pictures in place"),
    "jekyll": Program(asks="clean", why="deletes what was built"),
    "systemd-analyze": Program(asks="set-log-level log-target", why="changes the running system"),
    "prettier": Program(takes="--config --parser"), "nano": Program(), "stty": Program(),
    "protoc": Program(unsure="--plugin"), "gofmt": Program(takes="-r"), "clang-format": Program(takes="-style --style"),
})  # fmt: skip
PROGRAMS.update(_each("clang g++ cc c++ clang++", PROGRAMS["gcc"]))
PROGRAMS.update(_each("vi nvim view", PROGRAMS["vim"]))
PROGRAMS.update(
    _each(
        "latexmk pdflatex xelatex lualatex tex latex",
        Program(unsure="-shell-escape --shell-escape -enable-write18 --enable-write18"),
    )
)
PROGRAMS["emacsclient"] = PROGRAMS["emacs"]
PROGRAMS["sk"] = PROGRAMS["fzf"]
PROGRAMS["py.test"] = PROGRAMS["pytest"]


def _always(kind: EffectKind, reason: str, names: str, only: str = "", takes: str = "") -> None:
    for name in names.split():
        PROGRAMS[name] = Program(reason, kind, only=only, takes=takes)


_always(
    "disk",
    "makes a new, empty file system",
    "mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat "
    "mkfs.minix mkfs.jfs mkfs.reiserfs newfs mkswap mkntfs mkdosfs",
)
_always(
    "disk",
    "makes a new, empty file system",
    "mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4",
    "-V -n",
    "-t -L -b -O -E",
)
_always("disk", "changes the partitions of a disk", "cfdisk cgdisk partx kpartx growpart", "--show")
_always("disk", "changes the partitions of a disk", "fdisk gdisk", "-l --list", "-o -b")
_always(
    "disk",
    "changes the partitions of a disk",
    "sfdisk",
    "-l --list -d --dump -J --json --verify -V -s --show-size",
    "-o -N",
)
_always(
    "disk",
    "changes the partitions of a disk",
    "sgdisk",
    "-p --print -v --verify -i --info",
    "-n -t -c -d",
)
_always("disk", "changes the partitions of a disk", "partprobe", "-d --dry-run -s")
_always(
    "disk",
    "erases a disk or file beyond recovery",
    "shred wipe srm scrub blkdiscard nwipe dban sfill sswap badblocks",
)
_always("disk", "erases a disk or file beyond recovery", "wipefs", "-n --no-act")
_always(
    "disk",
    "changes or destroys volumes and file systems",
    "lvremove vgremove pvremove lvreduce lvresize lvextend lvcreate "
    "vgcreate vgreduce vgextend pvcreate pvmove lvconvert resize2fs xfs_growfs xfs_repair debugfs fsck.ext3 fsck.ext2 fsck.xfs "
    "fsck.vfat reiserfsck e2label xfs_admin ntfsfix btrfstune zerofree swapoff flashrom grub-install grub-mkconfig "
    "update-grub update-grub2 lilo installkernel update-initramfs dracut mkinitcpio quotacheck edquota setquota testdisk photorec "
    "partclone ddrescue dc3dd dcfldd clonezilla fstrim sg_format sdparm ntfsclone qemu-nbd",
)
_always("disk", "changes what this machine starts", "efibootmgr", "-v --verbose")
_always(
    "service",
    "shuts down or restarts the machine",
    "reboot halt poweroff init telinit kexec rtcwake pm-suspend pm-hibernate",
    "--dry-run",
)
_always("service", "shuts down the machine", "shutdown", "--dry-run -k -c")
_always("process-kill", "ends running programs", "killall5 xkill skill slay snice")
_always("process-kill", "ends running programs", "killall", "-l --list -0")
_always("process-kill", "ends running programs", "pkill", "-0")
_always(
    "service",
    "changes the network of this machine",
    "ifdown ifup wg-quick dhclient dhcpcd wpa_cli brctl ovs-vsctl "
    "vconfig wondershaper ipset ebtables arptables ipvsadm openvpn",
    "list show -L --list status",
)
_always("service", "loads or removes parts of the kernel", "rmmod insmod")
_always(
    "service",
    "loads or removes parts of the kernel",
    "modprobe depmod dkms",
    "-n --dry-run --show status --show-depends -D",
)
_always(
    "service",
    "changes settings of the whole system",
    "alternatives setenforce setsebool semanage semodule aa-disable aa-enforce "
    "aa-complain apparmor_parser update-rc.d chkconfig insserv dpkg-reconfigure locale-gen update-locale chvt setfont loadkeys "
    "update-ca-certificates authconfig pam-auth-update augenrules faillock pam_tally2 systemd-tmpfiles setcap "
    "systemd-firstboot networksetup scutil pmset nvram csrutil spctl defaults",
    "--show --list status list read --display",
)
_always("service", "sets the clock", "hwclock", "-r --show --verbose --get")
_always("service", "changes where libraries are found", "ldconfig", "-p --print-cache")
_always(
    "service",
    "changes what this machine starts",
    "mokutil",
    "--sb-state --list-enrolled -l --list-new",
)
_always(
    "permissions",
    "changes users, groups or passwords",
    "userdel useradd usermod adduser deluser groupdel groupadd groupmod "
    "delgroup addgroup gpasswd chpasswd chsh chfn vipw vigr newusers pwconv grpconv newgrp sg smbpasswd htpasswd kadmin kpasswd "
    "kdestroy samba-tool dscl saslpasswd2 pwunconv",
)
_always(
    "permissions",
    "changes file attributes or access rights",
    "chattr chcon restorecon icacls cacls takeown setfattr chflags fixfiles",
)
_always(
    "secret",
    "deletes or changes keys",
    "keyctl secret-tool pass gopass security certbot acme.sh kinit keytool",
    "show list find ls search certificates lookup list-keychains -list -printcert",
)
_always(
    "database",
    "deletes or changes a database",
    "dropdb dropuser createdb createuser pg_resetwal pg_dropcluster pg_upgrade "
    "pg_createcluster initdb mysqlimport mysql_upgrade mysql_secure_installation mongorestore mongoimport kafka-delete-records.sh "
    "sstableloader reindexdb vacuumdb pg_rewind redis-shake",
)
_always("database", "deletes or changes a database", "pg_restore", "-l --list")
_always(
    "database",
    "controls a database",
    "pg_ctl pg_ctlcluster mysqladmin rabbitmqctl kafka-topics.sh kafka-topics kafka-configs.sh "
    "nodetool",
    "status ping version processlist variables list_queues list_users list_connections list_exchanges list_bindings list_channels list_vhosts list_permissions list_consumers list_policies cluster_status environment report --list --describe info ring extended-status",
    "-D -h -u -p -P --bootstrap-server --topic",
)
_always(
    "resource",
    "burns processor, memory or disk on purpose",
    "stress stress-ng memtester fio bonnie++ hping3 siege slowloris "
    "masscan zmap wrk2 loic goldeneye macof yersinia",
)
_always(
    "deletes",
    "deletes files",
    "unlink rmdir trash trash-put trash-empty rimraf del-cli bleachbit tmpreaper tmpwatch "
    "git-filter-repo bfg rdfind",
)
_always(
    "writes",
    "changes files in place",
    "mogrify sponge ed dos2unix unix2dos mmv vidir sd recode todos fromdos autoflake pyupgrade "
    "codemod comby rpl detox crudini augtool unison duplicity rdiff-backup debconf-set-selections",
    "--check --dry-run",
)
_always(
    "writes",
    "renames files",
    "rename perl-rename prename",
    "-n --nono --no-act --just-print --dry-run",
)
_always("writes", "changes files", "patch", "--dry-run -C --check", "-p -i -d -o -r")
_always("writes", "moves and deletes logs", "logrotate", "-d --debug", "-s -v")
_always("writes", "links files into place", "stow", "-n --no --simulate", "-d -t")
_always("writes", "deletes and replaces old backups", "rsnapshot", "-t configtest")
_always(
    "runs-unknown-code",
    "runs code that aish does not read",
    "expect tclsh wish osascript R octave matlab julia elixir iex erl "
    "crystal racket guile sbcl clisp scheme ghci runghc ocaml scala kotlin groovy jshell java mono dotnet-script swift wine "
    "wasmtime wasmer ipython bpython nix-build",
    "--version -version -v --help -V",
)
_always(
    "network",
    "opens this machine to others or sends files away",
    "ngrok serveo localtunnel cloudflared wormhole magic-wormhole "
    "croc ftp lftp tftp ncftp ncftpput smbclient rcp uucp sendmail mail mailx mutt neomutt swaks msmtp ssmtp chisel frpc bore "
    "onionshare kermit ftpput curlftpfs sshfs wput pastebinit sprunge termbin gist ssh-copy-id",
    "--version",
)
_always(
    "service",
    "controls a running service",
    "rc-service rc-update sv initctl svcadm monit a2ensite a2dissite a2enmod",
    "status list show",
)
_always(
    "service",
    "controls a running service",
    "apachectl apache2ctl",
    "status configtest -t -S -v -V fullstatus",
)
_always(
    "service",
    "calls a running service",
    "dbus-send busctl gdbus",
    "status list tree introspect monitor",
)
_always("runs-unknown-code", "schedules commands for later", "incrontab anacron", "-l")
_always(
    "remote-state",
    "changes machines or services elsewhere",
    "parallel-ssh pssh pdsh dsh clush fab capistrano cap salt salt-call "
    "chef-client knife puppet mco rundeck juju maas robocopy",
    "--list status",
)
_always(
    "packages",
    "removes or changes packages",
    "apt-key add-apt-repository dpkg-divert k3s-uninstall.sh rke2-uninstall.sh",
)
_always(
    "packages",
    "removes or changes packages",
    "emerge eopkg",
    "-s --search --pretend -p -pv -pq search list",
)


# Programs that are asked before, with words that make them harmless.
PROGRAMS.update({
    "tmutil": Program("changes backups", "deletes", only="listlocalsnapshots listbackups status destinationinfo latestbackup"),
    "umount": Program("takes file systems away", "service"),
    "mount": Program("mounts a file system", "service", only="-l", bare=True, takes="-t"),
    "swapon": Program("changes swap space", "disk", only="--show -s --summary", bare=True),
    "losetup": Program("changes loop devices", "disk", only="-a --all -l --list -j", bare=True),
    "blkid": Program(), "ifconfig": Program("changes the network of this machine", "service", only="-a", bare=True),
    "telnet": Program(),
    "logger": Program("writes to the system log", "service", "unknown"),
    "wall": Program("writes to every terminal", "service", "unknown"),
    "write": Program("writes to another user's terminal", "service", "unknown"),
    "watchman": Program("runs commands on changes", "runs-unknown-code", "unknown", only="version"),
    "visudo": Program("changes who may be root", "permissions", only="-c --check", takes="-f"),
    "sshd": Program("starts a server", "service", only="-t -T", takes="-f"),
    "nginx": Program("controls the web server", "service", only="-t -T -v -V", takes="-c -p -g"),
    "httpd": Program("controls the web server", "service", only="-t -v -V -S"),
    "fuser": Program(asks="-k --kill", why="ends running programs"),
    "dmesg": Program(filters=True, asks="-c -C --clear --read-clear", why="clears the kernel's messages"),
    "ar": Program("changes a library", "writes", only="t p tv"),
    "smartctl": Program(takes="-d -l", asks="-s -t -X", why="changes the drive's settings"),
    "hdparm": Program("changes the drive's settings", "disk", only="-I -i -g -t -T -tT"),
    "ethtool": Program(asks="-s -K -A -G -C -L -E --change", why="changes the network card"),
    "fsck": Program("repairs a file system", "disk", only="-N -n"),
    "e2fsck": Program("repairs a file system", "disk", only="-n"),
    "fsck.ext4": Program("repairs a file system", "disk", only="-n"),
    "ncat": Program(), "getcap": Program(), "ssh-agent": Program(unsure="-k"), "gpg-agent": Program(),
    "nohup": Program(), "yes": Program(), "rev": Program(filters=True),
    "ltrace": Program("traces a program", "runs-unknown-code", "unknown"),
    "gdb": Program("runs a debugger", "runs-unknown-code", "unknown", only="--version"),
    "lldb": Program("runs a debugger", "runs-unknown-code", "unknown", only="--version"),
    "bc": Program(filters=True),
    "update-alternatives": Program("changes which programs are used", "service", only="--list --display --query --get-selections"),
    **_each("yt-dlp youtube-dl", Program(takes="-f -o -S -P", runs="--exec", unsure="--config-location")),
    "aria2c": Program(takes="-d -o -x -s -j", runs="--on-download-complete", unsure="--conf-path"),
    "axel": Program(takes="-o -n"), "lynx": Program(takes="-cmd_script"), "w3m": Program(), "links": Program(), "elinks": Program(),
    "ab": Program(takes="-n -c -t -p -H", asks="-p -u", why="sends data"), "wrk": Program(takes="-t -c -d", runs="-s"),
    "hey": Program(takes="-n -c -z -m -d"),
    "xclip": Program(), "xsel": Program(), "pbpaste": Program(filters=True), "pbcopy": Program(), "wl-copy": Program(), "wl-paste": Program(),
    "ssh-add": Program(asks="-D -d -x", why="removes keys from the agent"),
    "gpgconf": Program(unsure="--kill --launch"), "chronyc": Program(asks="makestep settime", why="sets the clock"),
    "ntpdate": Program("sets the clock", "service", only="-q"), "kubectx": Program(asks="-d", why="deletes a context"),
    "kubens": Program(), "uuidgen": Program(), "pwgen": Program(),
    "mtools": Program(), "lsappinfo": Program(), "sw_vers": Program(), "system_profiler": Program(), "diskutil":
        Program("changes disks", "disk", only="list info"), "vmtouch": Program(), "dstat": Program(),
    "sqlformat": Program(), "pg_dump": Program(takes="-U -h -p -d -n -t -F -Z -j", writes="-f --file"),
    "pg_dumpall": Program(takes="-U -h -p", writes="-f --file"),
    "mysqldump": Program(takes="-u -h -P", writes="-r --result-file"), "mongodump": Program(takes="-d -c --db --uri", ),
    "mongoexport": Program(takes="-d -c", writes="-o --out"), "pgbench": Program("loads a database", "database", "unknown"),
    "blockdev": Program("changes a disk's settings", "disk", only="--getsize64 --getsz --getss --getbsz --getro --getra --report --getpbsz --getsize"),
    "bluetoothctl": Program("changes wireless devices", "service", "unknown", only="devices show info list --version"),
    "cpan": Program("installs packages", "packages", only="-l -D -v", takes="-D"),
    "faillock": Program("changes who may log in", "permissions", only="--user", asks="--reset", why="unlocks an account"),
    "grpcurl": Program("calls a server", "remote-state", "unknown", only="list describe -version", takes="-d -H -import-path -proto"),
    "haproxy": Program("starts a proxy", "service", "unknown", only="-c -v -vv", takes="-f"),
    "kcat": Program("sends messages to a queue", "remote-state", "unknown", only="-L -C -Q -V", takes="-b -t -p -o -c -f"),
    "m4": Program("runs macros, which may run commands", "runs-unknown-code", "unknown", only="--version"),
    "ngrok": Program("opens this machine to others", "network", only="version help config"),
    "perf": Program("runs a program under a profiler", "runs-unknown-code", "unknown", only="list report top annotate script buildid-list"),
    "sqlfluff": Program("changes files in place", "writes", only="lint parse version dialects rules"),
    "swift": Program("runs code that aish does not read", "runs-unknown-code", only="build test --version package"),
    **_each("unix2dos dos2unix", Program("changes files in place", "writes", only="-i --info")),
    "tmpreaper": Program("deletes files", "deletes", only="-t --test"), "tmpwatch": Program("deletes files", "deletes", only="-t --test"),
    "bpftrace": Program("runs code in the kernel", "runs-unknown-code", "unknown", only="-l --info -V", takes="-l"),
    "ansible-vault": Program("changes encrypted files", "writes", only="view"), "postfix": Program("controls the mail server", "service", only="check status"),
    "jira": Program("changes something on a server", "remote-state", "unknown", only="me open version"),
    "websocat": Program("talks to another machine", "network", "unknown", only="--version"),
    "xfs_repair": Program("repairs a file system", "disk", only="-n"),
    "xrandr": Program("changes the screen", "service", "unknown", only="-q --query --listmonitors --listproviders --current --prop", bare=True),
    "gsettings": Program("changes settings of the desktop", "writes", only="get list-schemas list-keys list-recursively range describe monitor writable"),
    "dconf": Program("changes settings of the desktop", "writes", only="read list dump watch"),
    "pactl": Program("changes sound settings", "service", "unknown", only="list info stat get-default-sink get-default-source get-sink-volume subscribe"),
    "amixer": Program("changes sound settings", "service", "unknown", only="scontrols scontents controls contents get sget info", bare=True),
    "xset": Program("changes settings of the screen", "service", "unknown", only="q -q"),
    "cpupower": Program("changes how the processor runs", "service", only="frequency-info idle-info info monitor"),
    "multipath": Program("changes paths to disks", "disk", only="-l -ll -t -T"),
    "postqueue": Program("sends or deletes mail", "service", only="-p -j"), "exim": Program("handles mail", "service", only="-bp -bpc -bV -bt"),
    "wg": Program("changes the network of this machine", "service", only="show showconf", bare=True),
    "bridge": Program("changes the network of this machine", "service", only="link fdb vlan mdb monitor", asks="add del set replace append", why="changes the network"),
    "systemd-resolve": Program("changes how names are found", "service", only="--status --statistics"),
    "apt-file": Program("changes package lists", "packages", only="search find list show update"),
    "dpkg-deb": Program("builds or unpacks packages", "packages", only="--info -I --contents -c --field -f --show -W"),
    "e4defrag": Program("moves the blocks of files", "disk", only="-c"), "cpanm": Program("installs or removes packages", "packages", only="--info -V"),
    "smbclient": Program("opens this machine to others or sends files away", "network", only="-L"),
    "ssh-keyscan": Program(takes="-t -p -T -H"), "zellij": Program("controls terminals", "service", "unknown", only="ls list-sessions setup attach", bare=True),
    "fdupes": Program(asks="-d --delete -N --noprompt", why="deletes files"), "jdupes": Program(asks="-d --delete -N -L --link-hard -B --dedupe", why="deletes or links files"),
    "nvidia-smi": Program(takes="-i -q -l --query-gpu --format -d", asks="-pl -pm -r --gpu-reset -lgc -lmc -ac -e -c -mig --power-limit", why="changes the graphics card"),
    "code": Program(unsure="--install-extension --uninstall-extension"), "codium": Program(unsure="--install-extension --uninstall-extension"),
    "ninja": Program(takes="-C -f -j -k", asks="clean uninstall install -t", why="deletes or installs what was built"),
    "scons": Program(asks="-c --clean --remove", why="deletes what was built"),
    "pandoc": Program(takes="-f -t -o --from --to --template -V -M", unsure="--filter -F --lua-filter -L --pdf-engine"),
    "tshark": Program(takes="-i -c -r -Y -f -T -e", writes="-w", unsure="-X"),
    "kafka-consumer-groups.sh": Program("changes how a queue is read", "remote-state", only="--list --describe", takes="--bootstrap-server --group --topic"),
    "gs": Program(unsure="-sOutputFile"),
    "ansible-inventory": Program(), "ansible-doc": Program(), "ansible-lint": Program(), "ansible-config": Program(),
})  # fmt: skip
PROGRAMS.update(_each("mariadb-dump", PROGRAMS["mysqldump"]))
