"""What protects here: whether commands can be tried, and what a sandbox is made of."""

from __future__ import annotations

import tempfile
from pathlib import Path

from aish.core.errors import SandboxError
from aish.core.values import dataclass
from aish.sandbox import kernel
from aish.sandbox.jail import Jail
from aish.sandbox.landlock import version
from aish.sandbox.trial import prepare


@dataclass(frozen=True, slots=True)
class Protection:
    """One line each on trials and the sandbox."""

    trial: bool
    trial_text: str
    sandbox: str  # bwrap, landlock, or ""
    sandbox_text: str


def protection() -> Protection:
    """Try it out; takes a few hundredths of a second."""
    problem = _trial_problem()
    kind = Jail("/").kind
    level = version() if kernel.supported() else 0
    texts = {
        "bwrap": "bwrap: own view of files, processes and network; limits",
        "landlock": f"Landlock {level} (bwrap is missing): nothing new directly in the workspace",
        "": "none: what is not known to be harmless is always asked about",
    }
    trial_text = problem or "overlays work: nothing is real before it is applied"
    return Protection(not problem, trial_text, kind, texts[kind])


def _trial_problem() -> str:
    try:
        with tempfile.TemporaryDirectory(prefix="aish-") as folder:
            trial = prepare(Path(folder) / "trials", folder)
            status, _ = trial.run(["true"], captured=True)
            trial.discard()
    except SandboxError as error:
        return error.message
    except OSError as error:
        return f"a trial cannot be prepared: {error.strerror}"
    return f"the trial ended with status {status}" if status else ""
