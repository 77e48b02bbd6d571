"""What is hidden from which model, and the placeholders of this session."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, cast

from aish.config.variables import bare_key
from aish.core.errors import ConfigError
from aish.core.secrets.glance import is_dummy, may_hold_one, names_a_key

if TYPE_CHECKING:
    from aish.broker.redacting import Source
    from aish.config.schema import Config, ModelConfig
    from aish.core.messages import Delta, ModelSpec, Request
    from aish.core.secrets.policies import Policy
    from aish.core.secrets.redact import Redactor
    from aish.models.reports import SecretsReport


# A name that ends as those of keys do: others tell of a key (`--token-limit`, `--key-file`).
_NAME = (
    r"(?:[\w-]*(?:[_-]|(?<=[a-z])(?=[A-Z])))?"
    r"(?i:(?:(?:api|access)_?-?)?key|token|secret|pass(?:word|wd)?|pat|bearer|authorization)"
)
_OPTION = re.compile(f"--?{_NAME}")
# An option, a variable or a header, also as the value of an option (`--env=TOKEN=…`).
_SET = re.compile(rf"(?:--?[\w-]+=|-[eH](?=\w))?(?:--?)?{_NAME}(?:=(\S+)|:\s*(\S.*))")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


def on_this_machine(endpoint: str) -> bool:
    """Whether an address leads nowhere else."""
    from aish.broker.address import host_of
    from aish.core.loopback import is_loopback

    return is_loopback(host_of(endpoint))


def variables_in(text: str) -> list[str]:
    """The environment variables that a header or a query of a preset names."""
    return re.findall(r"\$\{?([A-Za-z_]\w*)", text)


class Secrecy:
    """The secrets of this session; made with the first request that must hide some."""

    def __init__(
        self, config: Config, vault: Path, environ: Mapping[str, str], logins: Path | None = None
    ) -> None:
        """`logins`: what is kept of logins to servers of tools."""
        self._config = config
        self._vault = vault
        self._logins = logins
        self._environ = environ
        self._lock = Lock()
        self._redactor: Redactor | None = None
        self._read: object = None  # the state in which the vault and the logins were read

    def adopt(self, config: Config) -> None:
        """Another configuration from now on; the placeholders stay."""
        self._config = config
        self._read = None

    def know_server(self, address: str) -> None:
        """The address, or the command, of a server of tools that was named by hand may hold keys.

        Raises: ConfigError.
        """
        found = _in_words(_in_command(_words(address)))
        self.redactor.add_to_vault([value for value in found if not is_dummy(value)])

    @property
    def redactor(self) -> Redactor:
        """With what the vault holds now: a value may come into it while the session goes on.

        Raises: ConfigError, for a vault that others may read.
        """
        from aish.config.vault import read_vault, vault_state

        with self._lock:
            state = [vault_state(path) for path in (self._vault, self._logins) if path]
            if self._redactor is None or state != self._read:
                values = [*read_vault(self._vault), *self._keys()]
                if self._redactor is None:
                    from aish.core.secrets.redact import Redactor

                    self._redactor = Redactor(identity=self._identity())
                self._redactor.add_to_vault(values)
                self._read = state
            return self._redactor

    def policy_of(self, spec: ModelSpec) -> Policy:
        """What this model must not see."""
        return self._policy(spec.name, spec.endpoint)

    def _policy(self, name: str, endpoint: str) -> Policy:
        preset = self._config.models.get(name)
        chosen = preset.redact if preset else "auto"
        if chosen == "auto":
            chosen = self._config.secrets.default
        if chosen == "auto":
            if on_this_machine(endpoint) and not (preset and preset.forwards):
                return "off"
            from aish.core.secrets.policies import default_policy

            return default_policy(loopback=False)
        return cast("Policy", chosen)

    def redacted(self, source: Source) -> Source:
        """The source with what its models must not see hidden on the way, and put back."""
        return _Hiding(self, source)

    def holds_secrets(self, text: str) -> bool:
        if not self._may_hold_one(text):
            return False
        return bool(self.redactor.find(text, "vault+autodetect"))

    def forbids_keeping(self, line: str) -> bool:
        """Whether a line holds a secret; where nobody can tell, it may."""
        try:
            return self.holds_secrets(line)
        except ConfigError:
            return True

    def _may_hold_one(self, text: str) -> bool:
        """A cheap look that spares most sessions the recogniser."""
        if self._redactor is not None or may_hold_one(text):
            return True
        # A vault that is a link to nothing counts: what it held is not known then.
        return os.path.lexists(self._vault) or any(key in text for key in self._keys())

    def without_secrets(self, text: str) -> str:
        """A text that may be kept for good: no values, and no placeholders of this session."""
        if not self._may_hold_one(text):
            return text
        return self.redactor.mask(text, "[secret]")

    def without_known(self, text: str) -> str:
        """The same for what was looked through when it was written: the vault and keys, no more."""
        return self.redactor.mask(text, "[secret]", "vault")

    def look(self, text: str) -> None:
        """Know the secrets of a text that is neither sent nor kept: a part of it may be."""
        with suppress(ConfigError):  # whoever sends or keeps it is told
            self.without_secrets(text)

    def check(self, text: str) -> list[str]:
        """The kinds of secrets in a text, as the strictest policy sees them."""
        return [span.family for span in self.redactor.find(text, "stealth")]

    def report(self) -> SecretsReport:
        """Everything about the secrets except a single one of them."""
        from aish.config.vault import read_vault
        from aish.models.reports import HiddenFrom, SecretsReport

        hidden = [
            HiddenFrom(name, preset.endpoint, self._policy(name, preset.endpoint))
            for name, preset in self._config.models.items()
        ]
        placeholders = [(secret.placeholder, secret.family) for secret in self.redactor.secrets]
        return SecretsReport(str(self._vault), len(read_vault(self._vault)), hidden, placeholders)

    def _keys(self) -> list[str]:
        """The keys of presets and of servers of tools are nobody else's business either."""
        keys: list[str] = []
        for preset in self._config.models.values():
            tables = (*preset.headers.values(), *preset.query.values())
            keys += [*self._set(preset.api_key_env, tables), *_written_out(preset)]
        for server in self._config.mcp.servers.values():
            headers, env = map(_of_keys, (server.headers, server.env))
            keys += self._set(server.token_env, (*headers, *env))
            keys += [
                *_in_words(headers),
                *(bare_key(text) for text in env if not variables_in(text)),
            ]
            words = [*server.command, *server.env.values()]
            keys += _in_words([*_in_address(server.url), *_in_command(words)])
        if self._logins and os.path.exists(self._logins):  # noqa: PTH110
            from aish.store.logins import LoginFile

            keys += LoginFile(self._logins).secrets()
        return [value for value in keys if not is_dummy(value)]

    def _set(self, variable: str, texts: Iterable[str]) -> Iterator[str]:
        """The values of a variable, and of those that texts name."""
        for name in (variable, *(name for text in texts for name in variables_in(text))):
            yield bare_key(self._environ.get(name, ""))

    def _identity(self) -> list[str]:
        """What `stealth` hides on top: who the user is, and on which machine."""
        import platform

        return [self._environ.get("USER", ""), platform.node()]


def _written_out(preset: ModelConfig) -> Iterator[str]:
    """The keys that stand in a preset itself: in its headers, its query and its endpoint."""
    tables = _of_keys(preset.headers) + _of_keys(preset.query)
    return _in_words([*tables, *_in_address(preset.endpoint)])


def _in_address(url: str) -> Iterator[str]:
    """The keys in the query of an address, and its password."""
    if "?" in url or "@" in url:
        from urllib.parse import parse_qsl, unquote, urlsplit

        with suppress(ValueError):
            address = urlsplit(url.strip())
            yield from (text for name, text in parse_qsl(address.query) if names_a_key(name))
            alone = address.username if address.scheme.endswith(("http", "https")) else ""
            yield unquote(address.password or alone or "")


def _in_command(words: Iterable[str]) -> Iterator[str]:
    """The keys among the words that start a program: `--token=…`, `--api-key …`, in an address."""
    option = ""
    for word in words:
        if set_to := _SET.fullmatch(word):
            yield set_to[1] or set_to[2]
        elif len(inner := _words(word)) > 1:  # a line for a shell
            yield from _in_command(inner)
        elif _OPTION.fullmatch(option) and not word.startswith("-"):
            yield word
        for address in _ADDRESS.findall(word):
            yield from _in_address(address)
        option = word


def _words(line: str) -> list[str]:
    """As a shell reads them."""
    import shlex

    try:
        return shlex.split(line)
    except ValueError:  # a quote that nothing ends
        return line.split()


def _of_keys(table: Mapping[str, str]) -> list[str]:
    return [text for name, text in table.items() if names_a_key(name)]


def _in_words(texts: Iterable[str]) -> Iterator[str]:
    """The keys that stand in texts themselves, without the way they are used (`Bearer`)."""
    for text in texts:
        if not variables_in(text):
            yield text.split()[-1] if text.split() else ""


class _Hiding:
    """A source behind the redactor, but only where its model must not see everything."""

    def __init__(self, secrecy: Secrecy, source: Source) -> None:
        self._secrecy = secrecy
        self._source = source

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Raises: BrokerError, ConfigError."""
        source = self._source
        if self._secrecy.policy_of(request.spec) != "off":
            from aish.broker.redacting import Redacting

            source = Redacting(source, self._secrecy.redactor, self._secrecy)
        return source.stream(request)
