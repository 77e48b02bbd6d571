"""The errors aish shows: one line each, a hint, and a documented exit code.

    AishError                   1
    ├── UsageError              2   the command line or a meta command was wrong
    ├── ConfigError             3   a file, a key, a value
    ├── BrokerError             4   the model could not answer
    │   ├── Unreachable         4   nothing listens there
    │   ├── Timeout             4   it stopped talking
    │   ├── Rejected            5   it said no (key, model name, request)
    │   ├── Overflow            6   it says the prompt is too long
    │   ├── Garbled             4   what it said is not the protocol
    │   └── Empty               4   it said nothing
    ├── ContextOverflowError    6   the request cannot be made to fit; nothing was sent
    ├── CapReached              7   the spending cap
    ├── StoreError              8   a file of aish could not be read or written
    │   └── Locked              8   another aish holds it
    ├── ToolError               9   a tool failed
    ├── ShellError              10  the shell itself (not a command in it) failed
    ├── LocalModelError         11  the embedded model is missing or does not start
    └── SandboxError            12  a trial or the sandbox is not possible here

A refusal or a command's non-zero exit is data, not an error.
"""

from __future__ import annotations

from collections.abc import Mapping

INTERRUPTED_EXIT = 130


class AishError(Exception):
    """One line for the user, with a hint on what to do about it."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(AishError):
    exit_code = 2


class MessageError(UsageError, ValueError):
    """A message that a program gave is not one; `index` and `field` say where."""

    def __init__(self, message: str, hint: str = "", *, index: int, field: str) -> None:
        super().__init__(message, hint)
        self.index = index
        self.field = field


class ConfigError(AishError):
    """A setting cannot be used; `key`, and `path` where it is in a file, say which."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "", *, path: str = "", key: str = "") -> None:
        where = ": ".join(part for part in (path, key) if part)
        super().__init__(f"{where}: {message}" if where else message, hint)
        self.path = path
        self.key = key


class BrokerError(AishError):
    """`worked`: the server may have done work before it failed, and bill for it."""

    exit_code = 4
    worked = True


class Unreachable(BrokerError):
    worked = False


class Timeout(BrokerError):
    pass


class Rejected(BrokerError):
    """The server answered with an error status; `status` is it."""

    exit_code = 5

    def __init__(self, message: str, hint: str = "", *, status: int = 0) -> None:
        super().__init__(message, hint)
        self.status = status


class Overflow(BrokerError):
    """The server says the request does not fit; the numbers are its own, 0 when it gave none.

    `of_answer`: the prompt fits, it is the room asked for the answer that does not.
    """

    exit_code = 6

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        prompt_tokens: int = 0,
        window: int = 0,
        of_answer: bool = False,
    ) -> None:
        super().__init__(message, hint)
        self.prompt_tokens = prompt_tokens
        self.window = window
        self.of_answer = of_answer


class Garbled(BrokerError):
    pass


class Empty(BrokerError):
    pass


class ContextOverflowError(AishError):
    """The request cannot be made to fit, and was not sent."""

    exit_code = 6

    def __init__(
        self, message: str, hint: str = "", *, need: int, have: int, breakdown: Mapping[str, int]
    ) -> None:
        super().__init__(message, hint)
        self.need = need
        self.have = have
        self.breakdown = dict(breakdown)


class CapReached(AishError):
    exit_code = 7


class StoreError(AishError):
    exit_code = 8


class Locked(StoreError):
    pass


class ToolError(AishError):
    exit_code = 9


class ShellError(AishError):
    exit_code = 10


class LocalModelError(AishError):
    exit_code = 11


class SandboxError(AishError):
    exit_code = 12
