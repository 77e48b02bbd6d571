"""Which known pairs are most like a request."""

from __future__ import annotations

from aish.core.proposal.nearest import Nearest
from aish.core.shellsyntax import is_complete
from aish.engine.proposing import LIKE, chosen_examples
from aish.local.catalogue import GOOD, SMALL, TINY
from aish.local.sampling import PAIRS, nearest

PAIRS_HERE = [
    ("unpack license.tgz", "tar -xzf license.tgz"),
    ("untar old.tgz", "tar -xzf license.tgz"),
    ("how many lines are in notes.txt", "wc -l notes.txt"),
    ("which process uses port 3000", "ss -tlnp 'sport = :3000'"),
    ("list the files here", "ls"),
]


def test_rare_words_count_more_than_common_ones_and_names_are_alike() -> None:
    near = Nearest(PAIRS_HERE)
    assert near.to("which program holds port 80 here", 1) == [PAIRS_HERE[3]]
    assert near.to("how many lines has /var/log/syslog", 1) == [PAIRS_HERE[2]]
    assert near.to("unpacking photos.tgz please", 1) == [PAIRS_HERE[0]]


def test_each_command_comes_once_and_what_shares_no_word_not_at_all() -> None:
    near = Nearest(PAIRS_HERE)
    assert [command for _, command in near.to("untar license.tgz", 5)].count(
        "tar -xzf license.tgz"
    ) == 1
    assert near.to("qwertz", 5) == []
    assert near.to("", 5) == []
    assert Nearest([]).to("list the files", 5) == []


def test_a_small_model_sees_the_nearest_last_and_only_programs_that_are_here() -> None:
    like = [(f"do {name}", f"CMD: sudo {name} -x") for name in ("dnf", "a", "b", "c", "d")]
    shown = chosen_examples(like, lambda program: program != "dnf")
    assert [command for _, command in shown] == [
        f"CMD: sudo {name} -x" for name in ("c", "b", "a")[-LIKE:]
    ]


def test_the_pairs_that_are_shipped_can_be_read_and_are_for_coder_models() -> None:
    lines = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()]
    assert len(lines) > 1000
    assert all(len(line) == 2 and all(map(str.strip, line)) for line in lines)
    assert [command for _, command in lines if not is_complete(command).complete] == []
    assert nearest(TINY) is None
    assert nearest(GOOD) is not None
    like = nearest(SMALL)
    assert like is not None
    assert like("show the ten newest files here")[0][1].startswith("CMD: ls -t")
