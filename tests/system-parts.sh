#!/bin/sh
# Installs the system programs the terminal tests drive, where that is possible (root, apt).
# Elsewhere it names what is missing; pytest then leaves out the tests that need it and says so.
set -eu

wanted="bash:bash bwrap:bubblewrap fzf:fzf git:git htop:htop less:less make:make pgrep:procps
    ssh:openssh-client sshd:openssh-server sudo:sudo tmux:tmux vim:vim"
missing=""
for pair in $wanted; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
[ -f /usr/share/bash-completion/bash_completion ] || missing="$missing bash-completion"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq $missing >/dev/null 2>&1 ||
        { apt-get update -qq >/dev/null && apt-get install -y -qq $missing >/dev/null; }
else
    echo "missing, and not installed for want of root or apt:$missing"
fi
