"""Commands that are read without a parser: the same tree that the parser gives."""

import random
import subprocess

from aish.core.shellsyntax.plain import plain
from aish.core.shellsyntax.tree import CallExpr, Part, Stmt
from support.safety import own, parser, rounds, samples

PIECES = ("a", "ls", "-l", "{", "}", "=", "a=b", "*", "?", "~", "^", "'x y'", '"q r"', '""', "''",
          " ", "  ", "+", "@", "%", ",", "1", "{a,b}", "trap ", "eval ", "test ", "[", "..", "if ",
          "!", "a[1]=2", "$x", "#", "\\", ";", "|", "&", ">", "(", ")", "\t", "\n")  # fmt: skip


def test_every_plain_sample_has_the_tree_that_shfmt_has() -> None:
    texts = [text for name in ("benign", "danger", "gray") for _, text in samples(name)]
    for kind in ("harmful", "harmless"):
        texts += [text for _, text in rounds(kind) + own(kind) + own(f"unseen-{kind}")]
    assert _compared(texts) > len(texts) / 2


def test_whatever_counts_as_plain_has_the_tree_that_shfmt_has() -> None:
    dice = random.Random(15)
    texts = ["".join(dice.choices(PIECES, k=dice.randint(1, 7))) for _ in range(6000)]
    assert _compared([*texts, *(f"ls {text}" for text in texts)]) > 500


def test_no_word_that_bash_reads_as_grammar_is_taken_for_a_program() -> None:
    words = subprocess.check_output(["bash", "-c", "compgen -k; compgen -b"], text=True).split()
    assert {"if", "time", "export", "cd"} < set(words)
    for word in words:
        tree = plain(f"{word} a")
        if tree is not None:
            assert tree.stmts == parser()(f"{word} a; :").stmts[:1], word


def test_what_bash_would_read_into_the_words_takes_the_parser() -> None:
    for text in ("ls $HOME", "ls `id`", "ls > a", "a=b ls", "ls; rm a", "ls &", "ls # a", "! ls",
                 "[ a", "ls a\\ b", 'ls "$a"', "ls\nrm a", "ls 'a\nb'", "a() b", "ls é", "", " ls",
                 "ls a ", "time ls", "'ls' a", "{ ls }", "ls [a]", "ls <(a)", "l=s", '"a', "ls 'a",
                 "ls \u00a0a", "ls !!", 'ls "a!b"', "ls\ta", "ls\ra"):  # fmt: skip
        assert plain(text) is None, text


def _compared(texts: list[str]) -> int:
    """Compare those that are plain, many in one script; how many they are."""
    lines = [text for text in dict.fromkeys(texts) if plain(text) is not None]
    for part in range(0, len(lines), 200):
        _compare(lines[part : part + 200])
    return len(lines)


def _compare(lines: list[str]) -> None:
    stmts = parser()("\n".join([*lines, "a; b"])).stmts
    assert len(stmts) == len(lines) + 2
    begin = 0
    for line, stmt in zip(lines, stmts, strict=False):
        tree = plain(line)
        assert tree is not None
        assert _words(stmt, begin) == _words(tree.stmts[0], 0), line
        begin += len(line) + 1


def _words(stmt: Stmt, begin: int) -> list[tuple[int, tuple[Part, ...]]]:
    command = stmt.cmd
    assert isinstance(command, CallExpr)
    assert not (stmt.redirs or stmt.background or stmt.negated or command.assigns)
    return [(word.pos.offset - begin, word.parts) for word in command.args]
