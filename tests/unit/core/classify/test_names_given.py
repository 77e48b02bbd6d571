"""Words that name something behind a command are no sentence, in whatever letters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aish.core.classify import WELL_KNOWN, NameKind, classify

MORE = Path(__file__).parents[3] / "data" / "more_lines.jsonl"


class Here:
    """A machine that has everything, and a directory that has these files."""

    def __init__(self, *files: str) -> None:
        self.files = files

    def kind_of(self, word: str) -> NameKind | None:
        return WELL_KNOWN.kind_of(word)

    def finds(self, _command: str, argument: str, /) -> bool:
        return argument in self.files


@pytest.mark.parametrize("kind", ["shell", "ask"])
def test_fresh_everyday_lines_are_right_both_ways(kind: str) -> None:
    read = map(json.loads, MORE.read_text(encoding="utf-8").splitlines())
    rows = [row for row in read if row["kind"] == kind]
    wrong = [row["line"] for row in rows if classify(row["line"]).kind != kind]
    assert len(rows) > 700
    assert len(wrong) / len(rows) <= 0.007, wrong


@pytest.mark.parametrize(
    "line",
    [
        "x='日本'",
        'x="日本"',
        "x=日本",
        "x+='日本'",
        'MSG="привет мир" ; echo $MSG',
        "PS1='red 🎉 > '",
        'y="как дела?"',
        "a='🎉' b=\"🎊\"",
        "arr=(один два три)",
        'MSG="что это такое" ./run.sh',
        "export x=日本語",
        "typeset -r Я='мир'",
        "alias hi='echo 你好'",
        "alias 日='date'",
        "[ $x = 日本 ] && echo ok",
        "docker run -e NAME=日本 img",
        "git log --author='Łukasz'",
    ],
)
def test_what_is_assigned_or_quoted_in_other_letters_makes_no_question(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "grep 日本 file",
        "grep что notes.txt",
        "grep or ملف",
        "<צילום.txt wc -l",
        "grep -r 怎么 .",
        "rg 日本",
        "cat 笔记",
        "cat これは何ですか.txt",
        "cd 我的文档",
        "cd ダウンロード",
        "mkdir 写真",
        "mv 夏の写真 archive",
        "mv 日本{,.bak}",
        "diff старый новый",
        "git add 文档",
        "sudo mkdir 写真",
        "./run.sh 日本",
        "touch 🎉",
    ],
)
def test_files_and_words_to_look_for_may_be_in_any_script(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "ls что это",
        "ls 命令怎么用",
        "ls ファイルを全部消して",
        "git как отменить коммит",
        "git отмени последний коммит",
        "docker 是什么",
        "docker が起動しない",
        "docker 컨테이너 모두 중지해줘",
        "nginx को कैसे बंद करें",
        "kill процесс на порту 80",
        "find τα μεγάλα αρχεία",
        "cat את הקובץ",
        "ls ماذا يفعل",
        "rg что это такое",
        "grep 사용법 알려줘",
        "x='日本' とは何ですか",
        "why is x='日本' wrong",
    ],
)
def test_a_sentence_in_other_letters_is_asked_though_its_first_word_runs(line: str) -> None:
    assert classify(line).kind == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "touch this; ls",
        "ls; touch this",
        "touch this;ls",
        "rm this; ls",
        "cat this | wc",
        "cat this file | wc -l",
        "cat this > that",
        "sort this | uniq > there",
        "find this | wc",
        "ps | grep me",
        "cd here; make; ./run",
        "cd My Documents; ls",
        "sudo rm this; ls",
        "grep is main.c | wc",
        "mv this that && ls",
        "cmp a b; cat this",
        "cat this; scp file host:",
        "cat this; go get ./...",
        "vendor/bin/phpunit; cat this",
        "sduo apt update; cat this",
        "shutdown now; cat this",
        "pyrun x.py | grep me",
        "which node npm > that",
        "mkdir 作业 笔记 > that",
        "cat this; if true; then ls; fi",
    ],
)
def test_operators_between_commands_make_commands_of_small_words(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "find the largest file | sort by size",
        "ls | sort the output by size",
        "sort this by size > out.txt",
        "cat the file; delete it",
        "cat this; what does it do",
        "make this; make that",
        "find what fills my disk; then clean it",
        "join them; then sort",
        "top ten files; sorted",
        "explain cat this | wc",
        "what does cat this | wc do",
    ],
)
def test_operators_in_what_reads_as_a_sentence_leave_it_one(line: str) -> None:
    assert classify(line).kind == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "mv this that",
        "mv this ../that",
        "cp from to",
        "rm -f this that",
        "tail -5 it",
        "vi it",
        "git add this that",
        "mv one two three dest/",
        "grep is main.c",
        "grep -c and book.txt",
        "cd My Documents",
        "ls My Music",
    ],
)
def test_small_words_where_a_command_takes_names_are_names(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "diff them",
        "cat both",
        "rm this folder",
        "mv this file to docs",
        "unzip it to /opt",
        "cp this to my home",
        "cd into My Documents",
        "grep this file for errors",
        "grep for foo in main.c",
        "convert utf-16 to utf-8",
        "ssh connection refused",
        "pls help",
    ],
)
def test_small_words_that_lead_to_a_noun_or_a_place_are_said(line: str) -> None:
    assert classify(line).kind == "ask"


def test_what_is_here_counts_in_pipes_in_searches_and_with_a_blank_in_its_name() -> None:
    for line, files in (
        ("cat the file | wc", ("the", "file")),
        ("grep is main", ("main",)),
        ("cp the backup", ("the",)),
        ("cd old work from home", ("old work from home",)),
    ):
        assert classify(line, Here(*files)).kind == "shell", line
    for line in ("cat the file | delete it", "cat the file and that"):
        assert classify(line, Here("the", "file")).kind == "ask", line


def test_many_assignments_are_read_at_once() -> None:
    assert classify("a=b;" * 400 + "?").kind in ("shell", "ask")
    assert classify("a='" * 500).kind in ("shell", "ask")
