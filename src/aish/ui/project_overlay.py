"""The configuration where the user is: their own, and a project's overlay once they trust it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from aish.config.load import Loaded, load
from aish.config.places import config_file, data_dir
from aish.core.errors import AishError, ConfigError

if TYPE_CHECKING:
    from aish.config.overlay import Overlay
    from aish.config.schema import Config
    from aish.config.settings import Setting
    from aish.core.events import Event
    from aish.ui.screen import Screen

NAME = ".aish.toml"


class ProjectOverlay:
    """Follows the user from directory to directory; `loaded` is what is in force now."""

    def __init__(self, loaded: Loaded, screen: Screen, adopt: Callable[[Config], None]) -> None:
        self.loaded = loaded
        self._started = loaded.config
        self._screen = screen
        self._adopt = adopt

    def entered(self, directory: str) -> Iterator[Event]:
        """The configuration for this directory, in force from now on."""
        from aish.core.events import Noticed

        before = self._overlays()
        if not before and not _is_near(directory):
            return  # the usual case costs no more than a look
        try:
            loaded = load_here(self._screen, directory, ask=True)
        except AishError as error:
            yield Noticed(error.message)
            return
        if loaded.config == self.loaded.config:
            return
        self.loaded = loaded
        self._adopt(loaded.config)
        now = self._overlays()
        told = f"{now[0]} is in force here" if now else f"{before[0]} is no longer in force"
        yield Noticed(told + self._waiting())

    def _waiting(self) -> str:
        """Which keys are not in force before the next start, as the end of a notice."""
        from aish.config.overlay import AT_START, changes

        found = [change.key for change in changes(self._started, self.loaded.config)]
        waiting = [key for key in AT_START if key in found]
        return f" ({', '.join(waiting)}: from the next start)" if waiting else ""

    def settings(self) -> list[Setting]:
        """Every key that is in force here."""
        from aish.config.settings import settings

        return settings(self.loaded)

    def set(self, key: str, value: str) -> str:
        """Write one key into the user's own file; what was written.

        Raises: ConfigError.
        """
        from aish.config.edit import set_key

        return set_key(self.loaded.path, key, value)

    def unset(self, key: str) -> None:
        """Take one key out of the user's own file.

        Raises: UsageError, ConfigError.
        """
        from aish.config.edit import unset_key

        unset_key(self.loaded.path, key)

    def _overlays(self) -> list[str]:
        return [origin for origin in self.loaded.origins.values() if origin.endswith(NAME)]


def load_or_defaults(screen: Screen, directory: str, before_telling: Callable[[], None]) -> Loaded:
    """What is right in the file; one that cannot be read at all leaves the defaults."""
    try:
        return load_here(screen, directory, ask=True, before_asking=before_telling, lenient=True)
    except ConfigError as error:
        from aish.config.schema import Config

        before_telling()
        screen.error(error)
        screen.notice("going on with the defaults")
        return Loaded(Config(), {}, config_file(), False)


def load_here(
    screen: Screen,
    directory: str,
    *,
    ask: bool = False,
    before_asking: Callable[[], None] = lambda: None,
    lenient: bool = False,
) -> Loaded:
    """The configuration for a directory.

    An overlay that is new or has changed is shown and asked about only where `ask` says so, and
    only at a terminal. One that cannot be used is said and left aside.

    With `lenient`, what is right in the user's own file is in force, and each fault in it is told.

    Raises: ConfigError for the user's own file.
    """
    loaded = _own(screen, before_asking) if lenient else load(config_file())
    if not loaded.config.project.overlay or not _is_near(directory):
        return loaded
    try:
        return _with_overlay(loaded, directory, screen, before_asking if ask else None)
    except AishError as error:
        before_asking()
        screen.error(error)
        return loaded


def _own(screen: Screen, before_telling: Callable[[], None]) -> Loaded:
    """Strictly first: reading leniently costs time that only a broken file is worth."""
    try:
        return load(config_file())
    except ConfigError:
        from aish.config.lenient import load_what_is_right

        loaded = load_what_is_right(config_file())
        before_telling()
        for problem in loaded.problems:
            screen.error(problem)
        return loaded


def _is_near(directory: str) -> bool:
    """Whether an overlay may be found, without loading what reads it."""
    while directory and directory != "/":
        if os.path.exists(f"{directory}/{NAME}"):  # noqa: PTH110  (before the first prompt)
            return True
        directory = directory.rpartition("/")[0]
    return False


def _with_overlay(
    loaded: Loaded, directory: str, screen: Screen, before_asking: Callable[[], None] | None
) -> Loaded:
    from pathlib import Path

    from aish.config.overlay import find_overlay, merge_overlay, read_overlay
    from aish.config.trust import TrustFile

    path = find_overlay(Path(directory), Path(os.environ.get("HOME", "/")))
    overlay = read_overlay(path) if path else None
    if overlay is None:
        return loaded
    trust = TrustFile(data_dir() / "trust.jsonl")
    standing = trust.standing(overlay)
    if standing == "declined":
        return loaded
    merged = merge_overlay(loaded, overlay)
    if standing == "trusted":
        return merged
    if before_asking is not None:
        before_asking()
    trusted = None if before_asking is None else _asked(loaded, merged, overlay, screen)
    if trusted is None:
        screen.notice(f"{overlay.path} is not used: open aish there to look at it and trust it")
        return loaded
    trust.decide(overlay, trusted=trusted)
    return merged if trusted else loaded


def _asked(loaded: Loaded, merged: Loaded, overlay: Overlay, screen: Screen) -> bool | None:
    """The user's word on what an overlay changes; None where nobody can be asked."""
    import json
    import sys

    from aish.config.overlay import changes
    from aish.ui.person import Person
    from aish.ui.style import escaped

    if not (screen.terminal and sys.stdin.isatty()):
        return None
    screen.notice(f"{overlay.path} would change:")
    for change in changes(loaded.config, merged.config):
        before, after = (json.dumps(value) for value in (change.before, change.after))
        screen.line(f"  {escaped(change.key)}: {before} → {after}")
    try:
        return Person(screen).confirm("Trust this content of the file?")
    except KeyboardInterrupt:
        return False
