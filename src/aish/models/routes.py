"""Which model a question goes to, and where it goes when the way to that one fails."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from aish.core.user import Nobody
from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.config.schema import RoutingConfig
    from aish.core.errors import AishError
    from aish.core.messages import Delta, Message, ModelSpec, Request
    from aish.core.routing import QuestionClass
    from aish.core.user import User
    from aish.models.presets import Presets

CLASSES = ("code", "reasoning", "default")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a question goes, and why."""

    preset: str
    prompt: str = ""  # instead of the usual system prompt
    question_class: QuestionClass | None = None  # None: routing is off


class Routing:
    """The choices of `[routing]`, and whether they are in force now."""

    def __init__(self, config: RoutingConfig) -> None:
        self._config = config
        self.auto = config.auto
        self.fallback = config.fallback

    @property
    def fallback_model(self) -> str:
        return self._config.fallback_model

    def preset_of(self, name: str) -> str:
        """The preset of a class; "" for the one in use."""
        preset: str = getattr(self._config.classes, name)
        return preset

    def prompt_of(self, name: str) -> str:
        prompt: str = getattr(self._config.system_prompts, name)
        return prompt

    def destination_for(self, text: str, current: str) -> Destination:
        """Where a question goes now."""
        return self.checked(text, current) if self.auto else Destination(current)

    def checked(self, text: str, current: str) -> Destination:
        """Where a question goes when routing is on."""
        from aish.core.routing import classify_question

        found = classify_question(text)
        preset = self.preset_of(found.name) or current
        return Destination(preset, self.prompt_of(found.name), found)


class ChosenModel:
    """The model of one question: the same to its end, but for one hop while nothing has arrived."""

    def __init__(
        self,
        sources: Presets,
        destination: Destination,
        routing: Routing | None = None,  # None: there is no other way
        user: User | None = None,
    ) -> None:
        self._sources = sources
        self._name = destination.preset
        self._routing = routing
        self._user = user or Nobody()
        self._spec: ModelSpec | None = None
        self._messages: list[Message] = []
        self._received = False
        self._hopped = False
        self.prompt = destination.prompt  # instead of the usual system prompt; "" is the usual one

    def spec(self) -> ModelSpec:
        """Raises: AishError."""
        self._spec = self._sources.resolved(self._name)
        return self._spec

    def expected(self) -> ModelSpec:
        """What is known of it without its server or its key."""
        return self._sources.expected(self._name)

    def others(self) -> list[str]:
        """Presets that its answer may ask."""
        return self._sources.others(self._name)

    def count(self, messages: list[Message]) -> int | None:
        """Raises: AishError, where its server is not known yet and cannot be found."""
        return self._sources.count(self._spec or self.spec(), messages)

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Raises: AishError."""
        from aish.broker.stream import says_something

        self._messages = list(request.messages)
        for delta in self._sources.stream(request):
            self._received = self._received or says_something(delta)
            yield delta

    def fall_back(self, error: AishError) -> str:
        """Go to the other model, where that is allowed; returns what to tell the user, else "".

        Where it was aish that found a request too long, for a window that a server only named in
        a refusal, the same model is asked.
        """
        from aish.core.errors import ContextOverflowError
        from aish.core.routing import may_fall_back

        routing, failed = self._routing, self._name
        if isinstance(error, ContextOverflowError) and self._sources.doubts_window(failed):
            return f"{failed} is asked all the same: it may have more room than it said it has"
        if routing is None or not routing.fallback or routing.fallback_model in ("", failed):
            return ""
        target = routing.fallback_model
        in_tool_loop = bool(self._messages) and self._messages[-1].get("role") == "tool"
        if not may_fall_back(
            error, received=self._received, in_tool_loop=in_tool_loop, already_hopped=self._hopped
        ):
            return ""
        if not self._may_leave(failed, target, error):
            return ""
        self._name, self._hopped, self._spec = target, True, None
        return f"{failed} does not answer ({error.message}); asking {target} instead"

    def _may_leave(self, failed: str, target: str, error: AishError) -> bool:
        from aish.core.routing import hop_needs_consent

        sources = self._sources
        if not hop_needs_consent(
            from_loopback=sources.stays_here(failed),
            to_loopback=sources.stays_here(target),
            private=not self._messages or _shows_output(self._messages),
            secrets=not sources.may_leave(self._messages),
        ):
            return True
        return self._user.confirm(
            f"{error.message}.\nAsk {target} at {sources.shown_address(target)} instead? "
            "The conversation, with what your commands printed, would leave this machine."
        )


def _shows_output(messages: list[Message]) -> bool:
    from aish.core.output_blocks import EXEC_OUTPUT

    return any(EXEC_OUTPUT in str(message.get("content")) for message in messages)
