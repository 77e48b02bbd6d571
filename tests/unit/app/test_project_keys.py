"""Every key that a project may set is in force where the project was entered, as after a start."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from aish.app.norris import RunTeams
from aish.app.parts import Parts
from aish.config.load import Loaded, flatten, load
from aish.config.overlay import ALLOWED, AT_START, STRICTER, read_overlay
from aish.config.places import config_file, data_dir
from aish.config.schema import Config
from aish.config.trust import TrustFile
from aish.core.actions import ProposedCommand
from aish.core.events import Noticed
from aish.engine.ports import Decision
from aish.session.approval import Opinion
from aish.session.running import Order, Team
from aish.shell.direct import DirectShell
from aish.ui.careful import CarefulShell
from aish.ui.face import Face
from aish.ui.project_overlay import ProjectOverlay, load_here
from aish.ui.screen import Screen
from support.sitting import ScriptedShell

OWN = """
model = "fast"
[safety]
confirm_cmd = false
sandbox = false
[models.fast]
endpoint = "http://127.0.0.1:1"
local_compress = true
[models.slow]
endpoint = "http://127.0.0.1:1"
"""


class Stops:
    """Somebody who is asked and wants nothing more."""

    def approve(self, proposal: ProposedCommand, verdict: Opinion | None = None) -> Decision:
        del proposal, verdict
        return Decision("stop")


class Shell(ScriptedShell):
    """A bash that knows no words of its own."""

    def defines(self, word: str) -> bool:
        del word
        return False


class Prompt:
    """The shell as it is put together, with all that a project can change made already."""

    def __init__(self, loaded: Loaded, folder: Path) -> None:
        screen, shell = Screen(), Shell(folder)
        self.parts = Parts(loaded.config, screen, shell)
        self.overlay = ProjectOverlay(loaded, screen, self.parts.adopt)
        self.careful = CarefulShell(
            shell, self.parts.safeguards, screen, None, reader=self.parts.typed_reader
        )
        self.gate = self.parts.gate(Stops(), self.careful)
        self.context = self.parts.new_context()
        self._teams = RunTeams(self.parts, screen, DirectShell(), None)
        self.session = Face(
            self.parts.session(self.careful, self.gate, project=self.overlay),
            models=self.parts.presets,
            shell=shell,
            screen=screen,
            journal=self.parts.journal,
            memory=self.parts.memory,
            facilities=self.parts,
            permissions=self.gate,
            configuration=self.overlay,
        )

    def team(self) -> Team:
        return self._teams.team(Order())


Look = Callable[[Prompt], Any]


def _setting(name: str) -> Look:
    return lambda prompt: getattr(prompt.context.config, name)


def _spec(name: str, preset: str = "fast") -> Look:
    return lambda prompt: getattr(prompt.parts.presets.expected(preset), name)


def _class(name: str) -> Look:
    return lambda prompt: prompt.parts.presets.routing.preset_of(name)


def _class_prompt(name: str) -> Look:
    return lambda prompt: prompt.parts.presets.routing.prompt_of(name)


def _hidden(prompt: Prompt) -> Any:
    presets = prompt.parts.presets
    return prompt.parts.secrecy.policy_of(presets.expected("fast"))


def _true_is(prompt: Prompt) -> str:
    return prompt.gate.approve(ProposedCommand("true")).choice


def _notes(name: str) -> Look:
    return lambda prompt: getattr(vars(prompt.parts.presets.notes)["_config"], name)


# What a project writes, and where it shows.
SEEN: Mapping[str, tuple[Any, Look]] = {
    "model": ("slow", lambda prompt: prompt.parts.presets.current),
    "models.fast.window": (5000, _spec("window")),
    "models.fast.reserve": (77, _spec("reserve")),
    "models.fast.timeout_ms": (7000, _spec("idle_timeout")),
    "models.fast.local_compress": (False, _spec("compress")),
    "models.fast.redact": ("stealth", _hidden),
    "context.max_turns": (7, _setting("max_turns")),
    "context.token_budget": (3000, _setting("token_budget")),
    "context.reserved_output_tokens": (300, _spec("reserve", "local")),
    "context.preserve_recent_turns": (5, _setting("preserve_recent_turns")),
    "context.max_age": (9, _setting("max_age")),
    "context.max_tokens_per_output": (600, _setting("max_tokens_per_output")),
    "context.summarize_on_evict": (True, lambda prompt: prompt.parts.presets.notes.wanted),
    "context.summarizer_model": ("slow", _notes("summarizer_model")),
    "context.max_summary_chars": (500, _setting("max_summary_chars")),
    "context.compress.keep_turns": (5, _spec("compress")),
    "context.compress.max_turn_chars": (99, _spec("compress")),
    "tokenize.use_endpoint": (False, lambda prompt: prompt.parts.presets.counting.allowed),
    "memory.inject_max_chars": (0, lambda prompt: prompt.parts.memory.background("where")),
    "routing.auto": (True, lambda prompt: prompt.parts.presets.routing.auto),
    "routing.fallback": (True, lambda prompt: prompt.parts.presets.routing.fallback),
    "routing.fallback_model": ("slow", lambda p: p.parts.presets.routing.fallback_model),
    "routing.delegate": (False, lambda p: vars(p.parts.presets)["_config"].routing.delegate),
    "routing.classes.code": ("slow", _class("code")),
    "routing.classes.reasoning": ("slow", _class("reasoning")),
    "routing.classes.default": ("slow", _class("default")),
    "routing.system_prompts.code": ("Be brief.", _class_prompt("code")),
    "routing.system_prompts.reasoning": ("Be brief.", _class_prompt("reasoning")),
    "routing.system_prompts.default": ("Be brief.", _class_prompt("default")),
    "cost.warn_at_dollars": (2.0, lambda prompt: prompt.parts.spending._meter.thresholds),
    "cost.warn_at_tokens": (2000, lambda prompt: prompt.parts.spending._meter.thresholds),
    "cost.cap_at_dollars": (1.0, lambda prompt: prompt.parts.spending.wallet.caps),
    "cost.cap_per_day": (1.0, lambda prompt: prompt.parts.spending.wallet.caps),
    "norris.tasks_max": (3, lambda prompt: prompt.team().tasks_max),
    "norris.max_steps": (3, lambda prompt: prompt.team().limits),
    "norris.ask_harmless": (
        True,
        lambda prompt: prompt.team().governor.rule(ProposedCommand("true")).choice,
    ),
    "project.auto_tree": (True, lambda prompt: prompt.parts.surroundings.wanted.tree),
    "safety.confirm_cmd": (True, _true_is),
    "safety.sandbox": (True, lambda prompt: vars(prompt.team().governor)["_sandbox"]),
    "safety.read_typed": (True, lambda prompt: prompt.careful.reads_typed),
    "safety.never_run": (True, lambda prompt: (prompt.gate.asks, _true_is(prompt))),
    "secrets.default": ("stealth", _hidden),
    "ui.highlight": (False, lambda prompt: prompt.session._markdown),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder below the home of somebody who has a configuration and a memory."""
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    config_file().parent.mkdir(parents=True)
    config_file().write_text(OWN)
    Parts(load(config_file()).config, Screen()).memory.add("fact", "The tea is in the kitchen.")
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def trusted(folder: Path, key: str, value: Any) -> None:
    path = folder / ".aish.toml"
    path.write_text(f"{key} = {json.dumps(value)}\n")
    overlay = read_overlay(path)
    assert overlay is not None
    TrustFile(data_dir() / "trust.jsonl").decide(overlay, trusted=True)


def within_reach(config: Config) -> list[str]:
    patterns = (*ALLOWED, *STRICTER)
    keys = [key for key in flatten(config) if not key.startswith("models.slow.")]
    return [key for key in keys if any(fnmatchcase(key, pattern) for pattern in patterns)]


def test_every_key_within_a_projects_reach_is_looked_at(project: Path) -> None:
    del project
    assert sorted(within_reach(load(config_file()).config)) == sorted((*SEEN, *AT_START))


@pytest.mark.parametrize("key", SEEN)
def test_a_key_of_a_project_is_in_force_as_if_aish_had_started_there(
    project: Path, key: str
) -> None:
    value, look = SEEN[key]
    home = str(project.parent)
    moved = Prompt(load_here(Screen(), home), project)
    before = look(moved)
    trusted(project, key, value)
    told = list(moved.overlay.entered(str(project)))
    assert told == [Noticed(f"{project}/.aish.toml is in force here")]
    assert look(moved) == look(Prompt(load_here(Screen(), str(project)), project))
    assert look(moved) != before
    list(moved.overlay.entered(home))
    assert look(moved) == before


@pytest.mark.parametrize(
    ("key", "value"), [("shell.capture_kb", 8), ("ui.prompt", "> "), ("ui.theme", "light")]
)
def test_what_waits_for_a_start_is_said_to_wait(project: Path, key: str, value: object) -> None:
    moved = Prompt(load_here(Screen(), str(project.parent)), project)
    trusted(project, key, value)
    place = f"{project}/.aish.toml"
    told = list(moved.overlay.entered(str(project)))
    assert told == [Noticed(f"{place} is in force here ({key}: from the next start)")]
    assert list(moved.overlay.entered(str(project.parent))) == [
        Noticed(f"{place} is no longer in force")
    ]


def test_a_tree_that_was_chosen_by_hand_stays(project: Path) -> None:
    moved = Prompt(load_here(Screen(), str(project.parent)), project)
    around = moved.parts.surroundings
    around.wanted = replace(around.wanted, tree=True)
    trusted(project, "model", "slow")
    list(moved.overlay.entered(str(project)))
    assert moved.parts.surroundings.wanted.tree
