"""Users that a test plays."""

from __future__ import annotations


class ScriptedUser:
    """Remembers what it was told and asked; answers every question alike."""

    present = True

    def __init__(self, answer: bool = False) -> None:
        self.answer = answer
        self.told: list[str] = []
        self.questions: list[str] = []

    def tell(self, text: str) -> None:
        self.told.append(text)

    def confirm(self, question: str) -> bool:
        self.questions.append(question)
        return self.answer
