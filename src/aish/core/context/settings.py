"""What an embedding program may set about its context, and how one model sees the conversation."""

from __future__ import annotations

from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.context.turn_tokens import PLACEHOLDER, AgeRules
from aish.core.errors import ConfigError, ContextOverflowError
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class ContextManagementConfig:
    """How much room there is and what must be kept; in tokens where it says nothing else."""

    max_context_tokens: int
    reserved_output_tokens: int = 1024
    preserve_recent_turns: int = 2  # exchanges that stay while they fit
    max_turns: int | None = None  # turns shown at most
    token_budget: int | None = None  # default: what the window leaves
    max_age: int = 5  # steps until an old tool result may become a placeholder
    max_tokens_per_output: int = 2000  # what one output keeps when it comes in
    small_output_tokens: int = 100  # results below this never become placeholders
    preserve_errors: bool = True
    placeholder: str = PLACEHOLDER
    low_water: float = 0.5  # the part of the room that stays filled after a cut
    max_summary_chars: int = 2000
    digest: bool = True  # keep a short list of what was asked in the turns that were dropped
    keep_rules: bool = True  # keep word for word what the user laid down in turns that were dropped
    count_always: bool = False  # let the server count every prompt, not only those near the limit
    strict_roles: bool = True  # make roles alternate, as strict chat templates demand

    def __post_init__(self) -> None:
        """Raises: ConfigError for what is no number; one that leaves no room is refused later."""
        for name in _NUMBERS:
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                _check_whole(value, name)
        if isinstance(self.low_water, bool) or not isinstance(self.low_water, int | float):
            raise ConfigError(f"{self.low_water!r:.60} is not a number", "0.5", key="low_water")
        if not isinstance(self.placeholder, str):
            raise ConfigError(f"{self.placeholder!r:.60} is no text", key="placeholder")

    @property
    def max_input_tokens(self) -> int:
        """The most tokens a prompt may have; 0 when nothing fits."""
        room = max(0, self.max_context_tokens - max(0, self.reserved_output_tokens))
        return room if self.token_budget is None else max(0, min(room, self.token_budget))

    @property
    def age_rules(self) -> AgeRules:
        return AgeRules(
            max(0, self.max_age), self.small_output_tokens, self.preserve_errors, self.placeholder
        )


_OPTIONAL = ("max_turns", "token_budget")
_NUMBERS = (
    "max_context_tokens", "reserved_output_tokens", "preserve_recent_turns", "max_age",
    "max_tokens_per_output", "small_output_tokens", "max_summary_chars", *_OPTIONAL,
)  # fmt: skip


def _check_whole(value: object, name: str) -> None:
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise ConfigError(f"{value!r:.60} is not a whole number", "8192", key=name)


def checked(config: object) -> ContextManagementConfig:
    """The settings that a program gave.

    Raises: ConfigError for anything else, a bare number for one.
    """
    if isinstance(config, ContextManagementConfig):
        return config
    told = f"a {type(config).__name__} is not a ContextManagementConfig"
    raise ConfigError(told, "aish.ContextManagementConfig(8192)", key="config")


@dataclass(frozen=True, slots=True)
class Compress:
    """A view for small models: the last turns only, each shortened."""

    keep_turns: int = 2
    max_turn_chars: int = 800


@dataclass(frozen=True, slots=True)
class Route:
    """How one model sees the conversation. Routes of different keys keep their own cut."""

    key: str
    window: int
    reserve: int
    tokenizer: Tokenizer
    token_budget: int | None = None
    tool_role: bool = True  # False: the template rejects tool messages; they become assistant text
    compress: Compress | None = None
    exact: bool = False  # the tokenizer is the model's own, not an estimate
    examples: tuple[tuple[str, str], ...] = ()  # questions and answers a small model imitates

    @property
    def limit(self) -> int:
        """The most tokens a prompt may have.

        Raises: ContextOverflowError when the window leaves nothing for a prompt.
        """
        room = self.window - max(0, self.reserve)
        if self.token_budget is not None:
            room = min(room, self.token_budget)
        if self.window <= 0 or room <= 0:
            raise ContextOverflowError(
                f"a window of {self.window} tokens with {self.reserve} reserved for the answer "
                "leaves no room for a prompt",
                "set a larger window or a smaller reserve for this model",
                need=1,
                have=max(0, room),
                breakdown={"window": self.window, "reserve": self.reserve},
            )
        return room
