"""What usage reports teach: how far a model's real counts are from our own."""

from __future__ import annotations


class Calibration:
    """How far a model's real counts are from our own, learned from the usage it reports."""

    LOWEST, HIGHEST = 0.4, 2.5
    _FADE = 0.7  # each lesson weighs this much less than the one after it

    def __init__(self) -> None:
        self._ours = 0.0
        self._real = 0.0

    @property
    def learned(self) -> bool:
        return self._ours > 0

    @property
    def factor(self) -> float:
        """Multiply our count by this to get the model's."""
        if not self.learned:
            return 1.0
        return min(self.HIGHEST, max(self.LOWEST, self._real / self._ours))

    def learn(self, ours: int, real: int) -> None:
        """Take in one report; too small a piece teaches nothing but rounding."""
        if ours < 40 or real <= 0:
            return
        self._ours = self._ours * self._FADE + ours
        self._real = self._real * self._FADE + real
