"""aish: a shell that thinks, and its context engine as a library."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers read it as true; importing typing for it would cost 4 ms

__version__ = "0.1.0"

# The shell imports this package at every start, so the library's names load when first used.
_HOMES = {
    "BudgetResult": "rolling",
    "Compress": "settings",
    "Context": "context",
    "ContextManagementConfig": "settings",
    "ContextOverflowError": "errors",
    "Eviction": "eviction",
    "PromptResult": "rolling",
    "Route": "settings",
    "ToolCall": "messages",
    "Usage": "messages",
    "build_final_prompt": "rolling",
    "check_budget": "rolling",
    "estimate_tokens": "tokens",
    "get_tokenizer": "tokens",
    "get_usage_stats": "usage_stats",
    "register_tokenizer": "tokens",
}

if TYPE_CHECKING:
    from aish.core.context import Context as Context
    from aish.core.errors import ContextOverflowError as ContextOverflowError
    from aish.core.eviction import Eviction as Eviction
    from aish.core.messages import ToolCall as ToolCall
    from aish.core.messages import Usage as Usage
    from aish.core.rolling import BudgetResult as BudgetResult
    from aish.core.rolling import PromptResult as PromptResult
    from aish.core.rolling import build_final_prompt as build_final_prompt
    from aish.core.rolling import check_budget as check_budget
    from aish.core.settings import Compress as Compress
    from aish.core.settings import ContextManagementConfig as ContextManagementConfig
    from aish.core.settings import Route as Route
    from aish.core.tokens import estimate_tokens as estimate_tokens
    from aish.core.tokens import get_tokenizer as get_tokenizer
    from aish.core.tokens import register_tokenizer as register_tokenizer
    from aish.core.usage_stats import get_usage_stats as get_usage_stats


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'aish' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"aish.core.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
