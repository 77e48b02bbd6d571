"""Subcommands that no page of examples shows: the rest of what much used programs have."""

from __future__ import annotations

from aish.core.classify.subcommands import SUBCOMMANDS

_TEXT = """
apt: autoclean autopurge autoremove build-dep changelog clean depends dist-upgrade download
edit-sources full-upgrade hold policy purge rdepends reinstall satisfy showsrc source unhold;
apt-get: autopurge build-dep changelog check clean download source; apt-cache: dotty dump gencaches
madison pkgnames showpkg showsrc stats unmet; aptitude: autoclean changelog clean download purge
safe-upgrade show source versions why why-not; docker: attach builder checkpoint config create
events import info init logout manifest plugin port push restart scout stack trust unpause version
wait; docker-compose: build config create down events exec images kill logs pause port ps pull push
restart rm run scale start stop top unpause up version watch; podman: attach commit container cp
create diff events generate history info inspect kill kube logout network pause play pod port push
restart search secret stats stop system tag top unpause untag update version volume wait; kubectl:
ctx help logs neat ns options top tree; npm: bin deprecate dist-tags la ll prune rm set stop un
unlink upgrade; pnpm: bin create dedupe deploy dlx exec fetch import install licenses link list
pack patch prune publish rebuild remove run store test unlink up update upgrade why; yarn: audit
autoclean bin cache check config create dlx exec generate-lock-entry help import info licenses link
list login outdated owner pack plugin policies publish rebuild run set unlink unplug up upgrade
upgrade-interactive version versions workspace workspaces; pip: completion help; go: help telemetry
work; cargo: audit expand machete nextest outdated package search tarpaulin watch; brew: audit cask
cat commands config create deps desc edit extract fetch formulae home link livecheck log migrate
missing options pin postinstall readall shellenv test typecheck unlink unpin untap uses; dnf:
autoremove check check-update copr distro-sync downgrade grouplist help history info list makecache
mark reinstall remove repolist repoinfo search swap update updateinfo upgrade-minimal whatprovides;
yum: autoremove check-update clean deplist distro-sync downgrade erase group help history info
install list localinstall makecache provides reinstall remove repolist search update upgrade
whatprovides; zypper: addlock addrepo clean dup dist-upgrade info install install-new-recommends
list-updates locks patch patterns products refresh remove removerepo repos search source-install
update verify what-provides; pacman: help; snap: ack alias aliases connect connections disable
download enable get help info interface interfaces known login logout logs pack restart revert run
save saved services set start stop switch unalias version warnings watch whoami; flatpak: build
config history info install kill list make-current mask override permissions ps remote-add
remote-delete remote-info remote-ls remotes repair run search uninstall update upgrade; helm:
completion dependency diff env history lint list ls package plugin pull push registry rollback
search show status template test uninstall upgrade verify version; terraform: force-unlock get
graph import metadata modules providers refresh state test version workspace; tofu: apply destroy
fmt init plan validate; gh: attestations gpg-keys; conda: content-trust deactivate package
uninstall upgrade; mamba: activate create env info install list remove run search update; poetry:
about add build cache check config debug env export help init install list lock new publish remove
run search self shell show source sync update version; uv: add build cache export help init lock
pip publish python remove run self sync tool tree venv version; rustup: target toolchain; nvm:
alias current install list ls ls-remote unalias uninstall use which; pyenv: activate global init
install local rehash root shell shims uninstall versions virtualenv which; rbenv: global init
install local rehash shell versions which; ip: addr addrlabel fou help ila ioam l2tp macsec mptcp
mroute neigh netns nexthop ntable ntbl sr tap tcp_metrics token tunnel vrf xfrm; tmux: attach
attach-session bind-key capture-pane detach detach-client display-message has-session info
kill-pane kill-server kill-window list-clients list-commands list-keys list-panes list-sessions
list-windows ls new-session new-window next-window pipe-pane rename-session rename-window
resize-pane select-pane select-window send-keys set set-option show-options source source-file
split-window swap-pane switch-client; openssl: asn1parse ca ciphers cms crl dhparam dsa ec ecparam
enc engine errstr gendsa list ocsp pkcs12 pkcs7 pkcs8 pkey pkeyparam pkeyutl rsautl s_client
s_server s_time sess_id smime spkac srp storeutl verify; ufw: app default insert limit logging
prepend reject reload reset route show version; virsh: attach-disk autostart blockcopy console
cpu-stats define destroy detach-disk domifaddr dominfo domstats dumpxml managedsave migrate
net-list nodeinfo reboot reset restore resume shutdown snapshot-create snapshot-list suspend
vcpuinfo vncdisplay; vagrant: box cloud destroy global-status halt help init login package plugin
port powershell provision push rdp reload resume snapshot ssh ssh-config status suspend up upload
validate version winrm; hostnamectl: chassis deployment hostname icon-name location set-hostname
status; timedatectl: list-timezones set-local-rtc set-ntp set-time set-timezone show status
timesync-status; localectl: list-keymaps list-locales set-keymap set-locale set-x11-keymap status;
loginctl: activate attach disable-linger enable-linger kill-session kill-user list-seats
list-sessions list-users lock-session session-status show-session show-user terminate-session
terminate-user user-status; resolvectl: dns domain flush-caches monitor query reset-statistics
service statistics status; nmcli: con conn dev general radio; composer: about archive audit browse
bump config create-project depends diagnose dump-autoload exec fund global home info init install
licenses outdated prohibits reinstall remove require run-script search self-update show status
suggests update upgrade validate why why-not; bundle: add audit binstubs cache check clean config
console doctor exec gem help info init install list lock open outdated package platform plugin
remove show update viz; gem: build check cleanup contents dependency environment fetch help info
install list lock open outdated owner pristine push query rdoc search server signin sources
specification stale uninstall unpack update which yank; dotnet: add build build-server clean format
help list msbuild new nuget pack publish remove restore run sdk sln store test tool user-secrets
vstest watch workload; flutter: analyze assemble attach build channel clean config create
custom-devices devices doctor downgrade drive emulators gen-l10n install logs precache pub run
screenshot symbolize test upgrade; minikube: addons cache config dashboard delete docker-env image
ip kubectl logs mount node pause profile service ssh start status stop tunnel unpause update-check;
systemctl: halt list-boots poweroff hibernate status
"""


def _joined() -> dict[str, str]:
    found = dict(SUBCOMMANDS)
    for entry in _TEXT.split(";"):
        name, _, listed = entry.partition(":")
        name = name.strip()
        found[name] = f"{found.get(name, ' ')}{' '.join(listed.split())} "
    return found


ALL_SUBCOMMANDS = _joined()
