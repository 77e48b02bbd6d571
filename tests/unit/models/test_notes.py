"""Who writes the notes on what leaves the prompt."""

from __future__ import annotations

from aish.config.schema import ContextConfig
from aish.core.context.eviction import Eviction
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.models.notes import ModelNotes
from support.sitting import ScriptedModels


def cut() -> Eviction:
    context = Context(ContextManagementConfig(2048, 256))
    for at in range(30):
        context.add_user(f"{at}: " + "a question about sheep " * 20)
        context.add_assistant("they jump " * 30)
    context.add_user("and now?")
    eviction = context.enforce_budget()
    assert eviction is not None
    return eviction


def test_the_notes_are_written_by_the_model_of_the_configuration_in_force() -> None:
    models = ScriptedModels("- the user asks about sheep")
    notes = ModelNotes(models, ContextConfig())
    before = notes.wanted
    notes.adopt(ContextConfig(summarize_on_evict=True, summarizer_model="other"))
    assert (before, notes.wanted) == (False, True)
    notes.write("", cut(), lambda: False)
    assert {request.spec.name for request in models.requests} == {"other"}
