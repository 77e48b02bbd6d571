"""aish: a shell that thinks, and its context engine as a library."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers read it as true; importing typing for it would cost 4 ms

__version__ = "0.1.0"

# The shell imports this package at every start, so the library's names load when first used.
_HOMES = {
    "AishError": "errors",
    "BudgetResult": "context.rolling",
    "log_token_usage": "context.usage_stats",
    "get_usage_log": "context.usage_stats",
    "enforce_context_limit": "context.rolling",
    "UsageLog": "context.usage_stats",
    "Tokenizer": "context.families",
    "Pin": "context.pins",
    "Observed": "context.eviction",
    "MessageError": "errors",
    "EnforceResult": "context.rolling",
    "Compress": "context.settings",
    "ConfigError": "errors",
    "Context": "context.window",
    "ContextManagementConfig": "context.settings",
    "ContextOverflowError": "errors",
    "Eviction": "context.eviction",
    "PromptResult": "context.rolling",
    "Route": "context.settings",
    "ToolCall": "messages",
    "Usage": "messages",
    "build_final_prompt": "context.rolling",
    "check_budget": "context.rolling",
    "estimate_tokens": "context.tokens",
    "get_tokenizer": "context.tokens",
    "get_usage_stats": "context.usage_stats",
    "mentions": "aish.project.library",
    "register_tokenizer": "context.tokens",
}

if TYPE_CHECKING:
    from aish.core.context.eviction import Eviction as Eviction
    from aish.core.context.eviction import Observed as Observed
    from aish.core.context.pins import Pin as Pin
    from aish.core.context.rolling import BudgetResult as BudgetResult
    from aish.core.context.rolling import EnforceResult as EnforceResult
    from aish.core.context.rolling import PromptResult as PromptResult
    from aish.core.context.rolling import build_final_prompt as build_final_prompt
    from aish.core.context.rolling import check_budget as check_budget
    from aish.core.context.rolling import enforce_context_limit as enforce_context_limit
    from aish.core.context.settings import Compress as Compress
    from aish.core.context.settings import ContextManagementConfig as ContextManagementConfig
    from aish.core.context.settings import Route as Route
    from aish.core.context.tokenizer_registry import Tokenizer as Tokenizer
    from aish.core.context.tokens import estimate_tokens as estimate_tokens
    from aish.core.context.tokens import get_tokenizer as get_tokenizer
    from aish.core.context.tokens import register_tokenizer as register_tokenizer
    from aish.core.context.usage_stats import UsageLog as UsageLog
    from aish.core.context.usage_stats import get_usage_log as get_usage_log
    from aish.core.context.usage_stats import get_usage_stats as get_usage_stats
    from aish.core.context.usage_stats import log_token_usage as log_token_usage
    from aish.core.context.window import Context as Context
    from aish.core.errors import AishError as AishError
    from aish.core.errors import ConfigError as ConfigError
    from aish.core.errors import ContextOverflowError as ContextOverflowError
    from aish.core.errors import MessageError as MessageError
    from aish.core.messages import ToolCall as ToolCall
    from aish.core.messages import Usage as Usage
    from aish.project.library import mentions as mentions


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'aish' has no attribute {name!r}")
    from importlib import import_module

    module = home if home.startswith("aish.") else f"aish.core.{home}"
    value = getattr(import_module(module), name)
    if ".context." in module:
        _count_with_what_is_installed()
    globals()[name] = value
    return value


def _count_with_what_is_installed() -> None:
    """A model's own tokenizer, where it is on this machine, goes before an estimate."""
    from importlib import import_module

    families = import_module("aish.core.context.tokenizer_registry")
    if not families.looks_for_tokenizers():
        families.find_tokenizers_with(import_module("aish.broker.tokenizers").installed_tokenizer)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
