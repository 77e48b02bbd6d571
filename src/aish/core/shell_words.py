"""The words that bash itself knows: its built-in commands, and those of its grammar."""

# ruff: noqa: SIM905 - word lists read better as text than as a column of quoted strings

from __future__ import annotations

BUILTINS = frozenset(
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare "
    "dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill "
    "let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt "
    "source suspend test times trap true type typeset ulimit umask unalias unset wait".split()
)
KEYWORDS = frozenset(
    "if then else elif fi for while until do done case esac select function time coproc in "
    "{ } ! [[ ]] ((".split()
)
