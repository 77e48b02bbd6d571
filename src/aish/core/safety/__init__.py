"""Reading commands: what one would do, and whether it may run without a yes."""

from aish.core.safety.judge import judge
from aish.core.safety.situation import Files, NoFiles, Situation
from aish.core.safety.verdict import Effect, Level, Verdict

__all__ = ["Effect", "Files", "Level", "NoFiles", "Situation", "Verdict", "judge"]
