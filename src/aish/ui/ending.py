"""How aish ends when the system says so."""

import signal


def end_in_order() -> None:
    """Make a termination an ordinary exit, so that the terminal is given back."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
