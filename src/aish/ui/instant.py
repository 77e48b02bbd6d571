"""The instant prompt: painted before the heavy imports, from what the last session showed.

Keys typed meanwhile stay in the terminal, unechoed, for the line editor. This module imports
almost nothing: it runs before everything else.
"""

import os
import sys
import termios

WELCOME = "aish: commands run, words ask; :help"  # fits a narrow window
# Characters that count as printable and show nothing.
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
CWD = "\x00cwd\x00"  # stands for the directory in the stored prompt


def cache_file() -> str:
    home = os.environ.get("HOME", "")
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (base if base.startswith("/") else f"{home}/.cache") + "/aish/prompt"


def small_file(path: str) -> str:
    """The beginning of a file that is one: no link is followed, and no pipe waited for.

    Raises: OSError, UnicodeError.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:  # S_ISREG, without its module
            raise OSError("not a regular file")
        return os.read(descriptor, 4096).decode()
    finally:
        os.close(descriptor)


class InstantPrompt:
    """A painted prompt and the terminal mode to give back."""

    def __init__(self) -> None:
        self._saved: list | None = None  # type: ignore[type-arg]
        self.painted = False
        self._welcomed = False

    def welcome(self) -> None:
        """One dim line, once."""
        if not self._welcomed:
            self._welcomed = True
            plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
            sys.stdout.write(f"{WELCOME}\n" if plain else f"\x1b[2m{WELCOME}\x1b[0m\n")
            sys.stdout.flush()

    def paint(self) -> None:
        """Show the last session's prompt, if there was one and this is a terminal."""
        if os.environ.get("TERM", "dumb") == "dumb" or not (os.isatty(0) and os.isatty(1)):
            return
        try:
            prompt = small_file(cache_file())
            self._saved = termios.tcgetattr(0)
            quiet = termios.tcgetattr(0)
            quiet[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(0, termios.TCSANOW, quiet)
            directory = short_directory(os.getcwd())  # noqa: PTH109
            if not directory.isascii():
                from aish.ui.style import in_place

                directory = in_place(directory, "?")
            self.welcome()
            os.write(1, painted(prompt.replace(CWD, directory)).encode())
            self.painted = True
        except (OSError, UnicodeError, termios.error):
            pass  # no stored prompt, or no directory: the real one comes in a moment

    def restore(self) -> None:
        """Give the terminal its mode back, and the line if a prompt is on it."""
        if self._saved is not None:
            termios.tcsetattr(0, termios.TCSANOW, self._saved)
            self._saved = None
        if self.painted:
            self.painted = False
            sys.stdout.write("\r\x1b[K")
            sys.stdout.flush()


def painted(text: str) -> str:
    """What was stored, with its colours and with nothing else that a terminal would obey."""
    first, *parts = text.split("\x1b")
    kept = printable(first)
    for part in parts:
        colour, end, rest = part.partition("m")
        is_colour = end and colour[:1] == "[" and not colour[1:].strip("0123456789;")
        kept += f"\x1b{colour}m{printable(rest)}" if is_colour else printable(part)
    return kept


def printable(text: str) -> str:
    return "".join(
        character if character.isprintable() and character not in UNSEEN else "?"
        for character in text
    )


def short_directory(path: str) -> str:
    """A directory as the prompt shows it."""
    path = printable(path)
    home = os.environ.get("HOME", "").rstrip("/")
    if home and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    return path
