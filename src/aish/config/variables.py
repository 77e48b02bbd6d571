"""Values of the configuration that name variables of the environment, with these put in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aish.core.errors import ConfigError

_SCHEME = re.compile(r"(?:authorization:\s*)?bearer\s+(?=\S)", re.IGNORECASE)
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


def filled(texts: Mapping[str, str], environ: Mapping[str, str], key: str) -> dict[str, str]:
    """A table with the environment's values in it.

    Raises: ConfigError for a variable that is not set; `key` says where it is named.
    """

    def value(found: re.Match[str]) -> str:
        return variable(found[1] or found[2], environ, key)

    return {name: _VARIABLE.sub(value, text) for name, text in texts.items()}


def variable(name: str, environ: Mapping[str, str], key: str) -> str:
    """Raises: ConfigError, when it is not set."""
    value = environ.get(name, "").strip()
    if not value:
        raise ConfigError(
            f"the environment variable {name} is not set",
            f"export {name}=… before starting aish",
            key=key,
        )
    return value


def bare_key(value: str) -> str:
    """A key, also where it was pasted as it stands in a header: `Bearer sk-…`."""
    value = value.strip()
    scheme = _SCHEME.match(value)
    return value[scheme.end() :] if scheme else value
