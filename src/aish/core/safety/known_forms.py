"""Commands whose output is meant to be evaluated, in the exact forms that manuals give."""

from __future__ import annotations

import re

# Texts that programs print to be evaluated: the exact forms their manuals give.
_KNOWN_EVALS = re.compile(
    r"\A(ssh-agent( -[sc])?|dircolors( -b)?( \S+)?|direnv hook \w+|(/\S+/)?brew shellenv|(pyenv|rbenv|nodenv|goenv|jenv) init( -|"
    r" --path| - \w+)*|(starship|zoxide|mcfly|atuin|oh-my-posh) init \w+|mise activate \w+|opam env|fnm env( --use-on-cd)?|"
    r"keychain( --eval)? [\w. -]+|thefuck --alias|register-python-argcomplete \w+|minikube docker-env|lesspipe|SHELL=/bin/sh lesspipe|"
    r"luarocks path|perl -I\S+ -Mlocal::lib|gh completion -s \w+|kubectl completion \w+|resize)\Z"
)


def known_evaluation(text: str) -> bool:
    """Whether a command substitution handed to `eval` is a form that manuals give."""
    return bool(_KNOWN_EVALS.match(text.strip()))
