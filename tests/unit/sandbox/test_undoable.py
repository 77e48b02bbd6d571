"""Which commands of the model run so that they can be taken back."""

from __future__ import annotations

import pytest

from aish.sandbox.undoable import undoable


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf build",
        "find . -name '*.log' -mtime +7 -delete",
        "find . -name '*.log' -mtime +7 -exec rm {} +",
        "find logs -mtime +7 | xargs rm -f",
        "sed -i 's/a/b/' file",
        "echo x > notes.txt",
        "sort -o names names",
        "git reset --hard HEAD~1",
        'for f in *.txt; do mv "$f" "$f.bak"; done',
        "FOO=1 truncate -s 0 app.log",
        "tar xzf release.tgz",
    ],
)
def test_what_deletes_or_overwrites_is(command: str) -> None:
    assert undoable(command)


@pytest.mark.parametrize(
    "command",
    [
        "ls -l",
        "grep -r 'rm -rf' .",
        "cd build && rm -rf *",
        "export X=1; rm y",
        "rm -rf build &",
        "git status",
        "make test 2>&1 | tail",
        "make > /dev/null",
        "source env.sh && rm x",
    ],
)
def test_what_only_looks_or_changes_the_shell_is_not(command: str) -> None:
    assert not undoable(command)


def test_an_alias_of_the_shell_is_not_a_program() -> None:
    assert not undoable("rm x", {"rm"}.__contains__)
