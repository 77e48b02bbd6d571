"""How many tokens a text or a chat is, by the best count there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aish.core.context.counted import ESTIMATE, Counted
from aish.core.context.tokens import Tokenizer, count_messages, get_tokenizer
from aish.core.errors import AishError

if TYPE_CHECKING:
    from aish.core.messages import Message, ModelSpec, ToolSchemas
    from aish.models.presets import Presets


class TokenCounts:
    """Counts as a model would: its server, else a tokenizer of its own, else an estimate."""

    def __init__(self, presets: Presets, name: str = "") -> None:
        """`name` is a preset or, where there is none of that name, a model's; "" the one in use."""
        self._presets = presets
        self._preset = name if name in presets.names() else ""
        self._other = "" if self._preset else name

    def text(self, text: str) -> Counted:
        """One text by itself, without what a chat template adds."""
        spec, note = self._server()
        if spec is not None:
            tokens = self._presets.counting.text(spec, text)
            if tokens is not None:
                return Counted(tokens, "server: tokenize")
        return self._locally(spec, note, lambda tokenizer: tokenizer.count(text))

    def chat(self, messages: Sequence[Message], tools: ToolSchemas = ()) -> Counted:
        """A whole request, with what the template adds."""
        spec, note = self._server()
        if spec is not None:
            found = self._presets.counting.chat(spec, messages, tools)
            if found is not None:
                return Counted(found.tokens, found.method)
        return self._locally(spec, note, lambda own: count_messages(messages, own, tools))

    def model(self) -> str:
        """The model's own name, as far as it is known without asking."""
        return self._other or self._presets.expected(self._preset).model

    def tokenizer(self, model: str) -> tuple[Tokenizer, bool]:
        """What counts for this model here, and whether it is the model's own."""
        from aish.broker.tokenizers import installed_tokenizer

        exact = installed_tokenizer(model) if model else None
        return exact or get_tokenizer(model), exact is not None

    def _server(self) -> tuple[ModelSpec | None, str]:
        """The server to ask, or why there is none."""
        if self._other or not self._presets.counting.allowed:
            return None, ""
        try:
            return self._presets.named(self._preset).spec(), "the server does not count"
        except AishError as error:
            return None, error.message

    def _locally(
        self, spec: ModelSpec | None, note: str, count: Callable[[Tokenizer], int]
    ) -> Counted:
        tokenizer, exact = self.tokenizer(spec.model if spec else self.model())
        return Counted(count(tokenizer), tokenizer.name if exact else ESTIMATE, note)
