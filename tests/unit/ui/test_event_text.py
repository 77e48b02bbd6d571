"""What the user is told of a run, in words that make a sentence."""

from aish.core.autonomy import RunUsage
from aish.ui.event_text import ended_text


def test_why_a_run_stopped_reads_as_a_sentence() -> None:
    spent = RunUsage(steps=2)
    limit = ended_text("limit", "the limit of 2 steps", spent)
    assert limit.startswith("the run stopped at the limit of 2 steps (2 steps")
    cap = ended_text("limit", "the cap of this run is $0.10", spent)
    assert cap.startswith("the run stopped: the cap of this run is $0.10 (2 steps")
    assert ended_text("complete", "", spent).startswith("goal complete (2 steps")
