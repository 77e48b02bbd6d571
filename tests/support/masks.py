"""Secrets that a test plays with."""

from __future__ import annotations


class WordMask:
    """One word is the secret."""

    def __init__(self, word: str = "hunter2", shown: str = "[secret]") -> None:
        self._word = word
        self._shown = shown

    def without_secrets(self, text: str) -> str:
        return text.replace(self._word, self._shown)

    def without_known(self, text: str) -> str:
        return self.without_secrets(text)

    def forbids_keeping(self, line: str) -> bool:
        return self._word in line
