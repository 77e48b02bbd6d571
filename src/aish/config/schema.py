"""Every key of config.toml: its type, its default and what it means.

Plain dataclasses, because this is read before the first prompt and must cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aish.core.values import dataclass, field

Texts = Mapping[str, str]
Values = Mapping[str, Any]
Switch = str | bool

Lines = list[str]

EMBEDDED = "local"  # the preset that needs no configuration
DEFAULT_PROMPT = "[aish:{model}] {venv} {cwd} {git} {jobs} {status} {mark} "
REQUIRED = object()
LONGEST_WAIT = 30 * 24 * 3600.0  # seconds
HIDING = ("auto", "off", "vault", "vault+autodetect", "stealth")


def seconds_of(milliseconds: int) -> float:
    """A time-out; a huge number means for ever, and no clock of the system goes as far."""
    return min(milliseconds / 1000, LONGEST_WAIT)


def key(
    default: Any,
    doc: str,
    *,
    least: float | None = None,
    choices: tuple[Any, ...] = (),
    pattern: str = "",
    wanted: str = "",
) -> Any:
    """A key: its default, what it means, and what is allowed."""
    about = {
        "doc": doc,
        "least": least,
        "choices": choices,
        "pattern": pattern,
        "wanted": wanted,
    }
    if default is REQUIRED:
        return field(metadata=about)
    if default == {}:
        return field(default_factory=dict, metadata=about)
    if default == []:
        return field(default_factory=list, metadata=about)
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class ModelConfig:
    """A model behind an OpenAI-compatible server."""

    endpoint: str = key(
        REQUIRED,
        "Address of the server, as its provider gives it; `/v1` may be left out.",
        pattern=r"\s*(?i:https?)://.",
        wanted="an http:// or https:// address",
    )
    model: str = key("default", "Model id sent to the server.")
    window: int = key(0, "Context window in tokens; 0 asks the server.", least=0)
    reserve: int = key(
        0,
        "Tokens kept free for the answer; 0 means `context.reserved_output_tokens`, else 1024, "
        "or a quarter of a smaller window.",
        least=0,
    )
    api_key_env: str = key("", "Environment variable that holds the API key.")
    headers: Texts = key(
        {}, "HTTP headers of every request; `$NAME` stands for an environment variable."
    )
    query: Texts = key({}, "Query of every address, such as `api-version`; `$NAME` as in headers.")
    options: Values = key(
        {}, "Fields of the request body, such as `temperature` or `reasoning_effort`."
    )
    forwards: bool = key(
        False,
        "A server on this machine passes questions on: it is billed and secrets are hidden from it "
        "like from any other.",
    )
    price_in: float = key(
        -1.0,
        "Dollars per million prompt tokens; negative: what the server or the built-in list says.",
    )
    price_out: float = key(-1.0, "Dollars per million answer tokens; negative: as `price_in`.")
    redact: str = key(
        "auto",
        "What is hidden from this model before it is asked; `auto` means `secrets.default`.",
        choices=HIDING,
    )
    vision: bool = key(False, "Whether the model takes pictures; a mentioned one goes along then.")
    tool_role: bool = key(
        True, "Whether the chat template knows tool messages; else they are text."
    )
    local_compress: bool = key(False, "Show this model a short view: see `context.compress`.")
    timeout_ms: int = key(120_000, "Longest silence of the server before giving up.", least=1)
    connect_timeout_ms: int = key(10_000, "Longest wait for a connection.", least=1)


@dataclass(frozen=True)
class CompressConfig:
    """The short view that models with `local_compress` get."""

    keep_turns: int = key(2, "How many of the last turns are shown.", least=1)
    max_turn_chars: int = key(800, "How much of each turn is shown.", least=1)


@dataclass(frozen=True)
class ContextConfig:
    """How the conversation is kept within the model's window."""

    max_turns: int = key(40, "Turns shown at most; 0 means as many as fit.", least=0)
    token_budget: int = key(0, "Tokens a prompt may have; 0 means what the window leaves.", least=0)
    reserved_output_tokens: int = key(
        0, "Tokens kept free for the answer of models without `reserve`; 0: their default.", least=0
    )
    preserve_recent_turns: int = key(2, "Exchanges that stay while they fit.", least=0)
    max_age: int = key(5, "Steps after which old tool results may become placeholders.", least=0)
    max_tokens_per_output: int = key(2000, "What one output keeps when it comes in.", least=50)
    summarize_on_evict: bool = key(False, "Let a model write the notes on what leaves the prompt.")
    summarizer_model: str = key("", "Preset that writes them; empty means the one in use.")
    max_summary_chars: int = key(2000, "How long the notes may become.", least=100)
    compress: CompressConfig = CompressConfig()


@dataclass(frozen=True)
class TokenizeConfig:
    """How tokens are counted."""

    use_endpoint: Switch = key(
        "auto",
        "Ask the server to count: true with every question, false never, `auto` when the estimate "
        "is close to the limit.",
        choices=("auto", True, False),
    )


@dataclass(frozen=True)
class LocalConfig:
    """The embedded model (the preset `local`)."""

    model: str = key(
        "",
        "`tiny`, `small` or `good`, or the path of a GGUF file; empty means the one chosen with "
        "`aish local use`, else the best that is installed.",
    )
    context: int = key(8192, "Context window in tokens.", least=512)
    reserve: int = key(
        0,
        "Tokens kept free for the answer; 0 means `context.reserved_output_tokens`, else 512.",
        least=0,
    )
    threads: int = key(
        0,
        "Threads to compute with; 0: all cores to read with, all but one to answer with.",
        least=0,
    )
    idle_minutes: float = key(15.0, "The server ends after so long without a question.", least=0.1)
    ahead: str = key(
        "auto",
        "When the server starts before a question. `auto`: while nobody types and the machine has "
        "memory, a free core and mains power to spare; `idle`: while nobody types; `typing`: when "
        "a line begins to look like a question; `never`: when it is asked.",
        choices=("auto", "idle", "typing", "never"),
    )
    local_compress: bool = key(False, "Show it a short view: see `context.compress`.")


@dataclass(frozen=True)
class CostConfig:
    """When spending is pointed out, and where it ends."""

    warn_at_dollars: float = key(0.0, "Say once that a session has cost this; 0: never.", least=0)
    warn_at_tokens: int = key(0, "Say once that a session has used so many; 0: never.", least=0)
    cap_at_dollars: float = key(
        0.0,
        "A session never costs more: what could is refused before it is sent; 0: no cap.",
        least=0,
    )
    cap_per_day: float = key(0.0, "The same for a day, all aish together; 0: no cap.", least=0)
    cap_per_run: float = key(0.0, "The same for one autonomous run; 0: no cap.", least=0)


@dataclass(frozen=True)
class SecretsConfig:
    """What never leaves this machine."""

    vault: str = key(
        "", "File of `name = value` lines to hide, mode 0600; empty: `vault` beside the config."
    )
    default: str = key(
        "auto",
        "What is hidden from models without `redact`; `auto`: nothing from this machine's own, "
        "`vault+autodetect` from all others.",
        choices=HIDING,
    )


@dataclass(frozen=True)
class RouteClasses:
    """The preset that questions of a class go to; empty means the one in use."""

    code: str = key("", "Preset for questions about code.")
    reasoning: str = key("", "Preset for questions that want thought.")
    default: str = key("", "Preset for all others.")


@dataclass(frozen=True)
class RoutePrompts:
    """The system prompt for questions of a class; empty means the usual one."""

    code: str = key("", "For questions about code.")
    reasoning: str = key("", "For questions that want thought.")
    default: str = key("", "For all others.")


@dataclass(frozen=True)
class RoutingConfig:
    """Which model a question goes to, and where it goes when that one does not answer."""

    auto: bool = key(False, "Choose by the class of the question (`:route`).")
    fallback: bool = key(False, "Ask `fallback_model` when the way to a model fails.")
    fallback_model: str = key("", "Preset that is asked then.")
    delegate: bool = key(
        True, "Tell a model which other presets it may ask (`DELEGATE:`); you are asked each time."
    )
    classes: RouteClasses = RouteClasses()
    system_prompts: RoutePrompts = RoutePrompts()


@dataclass(frozen=True)
class SafetyConfig:
    """What is asked before a command runs. See the guide on safety."""

    confirm_cmd: bool = key(
        True, "Ask before every proposed command; off: those read as harmless run at once."
    )
    rules: Lines = key(  # makes a list anew for each
        [],
        "Your own rules, the strictest that fits decides: "
        "`allow`, `ask` or `deny`, then `effect`, `path`, `program` or `command`, then which one.",
    )
    read_typed: bool = key(
        False, "Read what you type yourself too, and ask before it destroys something."
    )
    sandbox: bool = key(
        True, "Steps of an autonomous run that nobody knows go into the sandbox; off: they ask."
    )
    second_opinion: str = key(
        "",
        "Preset that is asked too before a step of a run, and before a command of the model that "
        "would run unasked; it can only be stricter.",
    )
    never_run: bool = key(False, "Never offer to run a proposed command; only show it.")
    undo_mb: int = key(
        1024, "Old files kept for `:undo files`, in megabytes; the oldest go first.", least=0
    )


@dataclass(frozen=True)
class McpServerConfig:
    """A server of tools, over the Model Context Protocol."""

    command: Lines = key([], "Program and arguments that start it.")
    url: str = key(
        "",
        "Address of one that runs already; one that ends in `/sse` speaks the old protocol.",
        pattern="https?://.|$",
        wanted="an http:// or https:// address",
    )
    env: Texts = key({}, "Its environment beside PATH; `$NAME` stands for a variable of yours.")
    headers: Texts = key({}, "HTTP headers of every request; `$NAME` as in env.")
    token_env: str = key("", "Environment variable that holds its bearer token.")
    auto_approve: Lines = key(
        [], "Tools of it that are called without a question; `*` is all. Destructive calls ask."
    )
    timeout_ms: int = key(60_000, "Longest time of one call.", least=1)


McpServers = Mapping[str, McpServerConfig]


@dataclass(frozen=True)
class McpConfig:
    """Tools of other programs. See the guide on tools."""

    max_tool_depth: int = key(8, "Answers in a row that may call tools.", least=1)
    servers: McpServers = field(default_factory=dict)


@dataclass(frozen=True)
class NorrisConfig:
    """Autonomous runs. See the guide on autonomy."""

    max_steps: int = key(30, "Steps after which a run stops; 0: no limit.", least=0)
    max_minutes: float = key(0.0, "The same in minutes; 0: no limit.", least=0)
    max_tokens: int = key(0, "The same in tokens, of prompts and answers; 0: no limit.", least=0)
    command_minutes: float = key(10.0, "Longest time of one command; 0: no limit.", least=0)
    answer_minutes: float = key(
        0.0, "A halt that nobody answers for so long is a skip; 0: it waits.", least=0
    )
    ask_harmless: bool = key(False, "Ask before harmless steps too.")
    preplanner: str = key("", "Preset that writes a list of tasks once; empty: none.")
    executor: str = key("", "Preset that works on them; empty means the one in use.")
    tasks_max: int = key(16, "Tasks of such a list at most.", least=1)


@dataclass(frozen=True)
class ProjectConfig:
    """The project that the working directory belongs to."""

    overlay: bool = key(True, "Read a trusted `.aish.toml` from here up to home.")
    auto_tree: bool = key(False, "Show the model a tree of the project's files (`:tree`).")
    instructions: bool = key(True, "Let the model follow a trusted `AGENTS.md`.")
    machine: bool = key(
        True, "Tell the model the distribution, the directory, the branch and the last status."
    )


@dataclass(frozen=True)
class ShellConfig:
    """The shell that runs commands."""

    program: str = key("", "Shell to run; empty means `bash` from PATH.")
    capture_kb: int = key(16, "How much of a command's output is kept for the model.", least=1)


@dataclass(frozen=True)
class MemoryConfig:
    """What aish remembers across sessions."""

    path: str = key(
        "",
        "File of the memory; empty means `memory.jsonl` in the data directory.",
        pattern="[~/]|$",
        wanted="an absolute path, or one that begins with ~",
    )
    inject_max_chars: int = key(2000, "Characters of it a prompt gets; 0 means none.", least=0)
    summarizer_model: str = key(
        "", "Preset that reads the session for `:memory summarize`; empty means the one in use."
    )
    prune_older_than_days: float = key(0.0, "Forget what is older than this; 0: never.", least=0)


@dataclass(frozen=True)
class SessionsConfig:
    """The logs of conversations."""

    keep_days: float = key(
        0.0,
        "Delete logs unchanged for so long, but none with a name and not the newest 20; 0: never.",
        least=0,
    )


@dataclass(frozen=True)
class UiConfig:
    """What the prompt and the answers look like."""

    prompt: str = key(
        DEFAULT_PROMPT,
        "Prompt template, or `PS1` for your shell's own. Fields: `{model}` `{venv}` `{cwd}` "
        "`{git}` `{jobs}` `{status}` `{ctx_used}` `{ctx_max}` `{ctx_percent}` `{cost}` `{mark}`; "
        "an empty one takes the blank before it along.",
    )
    theme: str = key(
        "auto",
        "Colours: `auto` for a dark terminal, `light` for a light one, `none` for none at all.",
        choices=("auto", "light", "none"),
    )
    highlight: bool = key(True, "Show answers as formatted Markdown with highlighted code.")
    keys: str = key(
        "auto",
        "Keys of the line: `emacs`, `vi`, or `auto` for what the shell has (`set -o vi`).",
        choices=("auto", "emacs", "vi"),
    )


@dataclass(frozen=True)
class Config:
    """Everything a user can set."""

    model: str = key(EMBEDDED, "Preset used when none is named: one of `models`, or `local`.")
    models: Mapping[str, ModelConfig] = field(default_factory=dict)
    local: LocalConfig = LocalConfig()
    context: ContextConfig = ContextConfig()
    tokenize: TokenizeConfig = TokenizeConfig()
    routing: RoutingConfig = RoutingConfig()
    cost: CostConfig = CostConfig()
    secrets: SecretsConfig = SecretsConfig()
    safety: SafetyConfig = SafetyConfig()
    mcp: McpConfig = McpConfig()
    norris: NorrisConfig = NorrisConfig()
    project: ProjectConfig = ProjectConfig()
    shell: ShellConfig = ShellConfig()
    memory: MemoryConfig = MemoryConfig()
    sessions: SessionsConfig = SessionsConfig()
    ui: UiConfig = UiConfig()


SECTIONS = {
    "local": LocalConfig,
    "context": ContextConfig,
    "tokenize": TokenizeConfig,
    "routing": RoutingConfig,
    "cost": CostConfig,
    "secrets": SecretsConfig,
    "safety": SafetyConfig,
    "mcp": McpConfig,
    "norris": NorrisConfig,
    "project": ProjectConfig,
    "shell": ShellConfig,
    "memory": MemoryConfig,
    "sessions": SessionsConfig,
    "ui": UiConfig,
}
NESTED = {  # sections inside sections, by the type of their key
    "CompressConfig": CompressConfig,
    "RouteClasses": RouteClasses,
    "RoutePrompts": RoutePrompts,
}
NAMED = {"McpServers": McpServerConfig}  # tables inside sections, with names of the user's own
TABLES = {"models": ModelConfig}  # sections with names of the user's own
