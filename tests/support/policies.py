"""What models must not see, for tests."""

from __future__ import annotations

from aish.core.messages import ModelSpec
from aish.core.secrets.policies import Policy


class OnePolicy:
    """The same is hidden from every model."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def policy_of(self, spec: ModelSpec) -> Policy:
        del spec
        return self._policy
