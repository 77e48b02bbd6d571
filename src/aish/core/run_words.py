"""What aish says to a model in the user's place while a run goes on by itself."""

from __future__ import annotations

GO_ON = "Those are the results. Next action, or the goal line."
NOTHING = (
    'There was no action in that answer. Write one command on a line that begins with "CMD: ", '
    "or the goal line on a line of its own."
)
TOO_SOON = "Not all of those actions went well, so the goal line does not count yet. Go on."
REPEATED = "You did just that before, with the same result. Do something else, or end the run."
CUT = "That answer was cut off at its length limit. Go on, in fewer words."
AGAIN = "The user stopped you there, and wants you to go on."

OURS = frozenset((GO_ON, NOTHING, TOO_SOON, REPEATED, CUT, AGAIN))  # no user laid them down
