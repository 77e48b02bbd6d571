"""Python one-liners: harmless only where every call is known to change nothing."""

from __future__ import annotations

import ast
import warnings

LONGEST = 20_000
_MODULES = frozenset(
    (
        "sys json math re string datetime time calendar collections itertools functools "
        "statistics random secrets decimal fractions textwrap pprint platform base64 binascii "
        "hashlib hmac uuid struct csv keyword locale unicodedata html operator typing dataclasses "
        "enum inspect ast dis sysconfig site glob os os.path shutil pathlib numpy pandas torch "
        "scipy sklearn django flask yaml toml tomllib matplotlib tensorflow importlib.metadata "
        "importlib getpass socket this ssl sqlite3 zlib gzip codecs copy heapq bisect colorsys "
        "email urllib.parse ipaddress configparser xml.dom.minidom difflib timeit __future__ "
        "antigravity zoneinfo array contextlib types abc warnings traceback errno signal builtins"
    ).split()
)
_CALLS = frozenset(
    (
        "print len range str int float bool list dict set tuple sorted reversed enumerate zip map "
        "filter sum min max abs round repr ascii ord chr hex oct bin format isinstance type dir "
        "vars id hash iter next any all pow divmod bytes bytearray frozenset complex input help "
        "object slice callable"
    ).split()
)
# Methods and functions that change nothing, whatever they belong to.
_METHODS = frozenset(
    (
        "join split rsplit strip lstrip rstrip upper lower title replace format encode decode "
        "startswith endswith find index count read readline readlines splitlines items keys "
        "values get append extend sort reverse insert pop add update load loads dump dumps search "
        "match findall sub finditer compile group groups fullmatch sqrt floor ceil log sin cos "
        "pow exp factorial gcd today now utcnow isoformat strftime strptime fromtimestamp "
        "timestamp date time fromisoformat total_seconds timedelta getcwd listdir cpu_count "
        "getpid getppid uname environ getenv scandir walk stat exists isfile isdir islink getsize "
        "getmtime basename dirname abspath realpath expanduser splitext which disk_usage "
        "get_terminal_size version distributions cwd home glob rglob iterdir resolve is_file is_dir name stem suffix "
        "read_text read_bytes platform python_version architecture token_hex token_urlsafe "
        "token_bytes randint choice choices shuffle sample random uniform seed uuid4 uuid1 "
        "hexdigest digest sha256 sha1 md5 sha512 new b64encode b64decode urlsafe_b64encode "
        "urlsafe_b64decode hexlify unhexlify pprint pformat Counter defaultdict OrderedDict "
        "most_common reader writer DictReader mean median stdev version_info getsizeof exit "
        "maxsize quote unquote urlparse parse_qs urlencode relpath commonpath normpath "
        "gethostname getfqdn zeros ones arange array shape describe head tail read_csv to_string "
        "get_paths getsitepackages getuser product permutations combinations chain isdigit "
        "isalpha isalnum zfill rjust ljust center casefold swapcase partition rpartition copy "
        "info ctime month safe_load is_available bit_length as_integer_ratio Decimal Fraction "
        "dedent fill wrap escape unescape Path lstat samefile getdefaultencoding "
        "getfilesystemencoding ip_address ip_network sleep perf_counter monotonic"
    ).split()
)
# What may be named of modules that could do harm.
_HARMFUL = frozenset(
    (
        "os shutil sys pathlib importlib builtins socket signal codecs glob sqlite3 gzip getpass "
        "inspect types site io"
    ).split()
)
_DATA = frozenset(
    (
        "argv version version_info path platform executable modules stdin stdout stderr prefix "
        "base_prefix maxsize byteorder environ sep linesep name pathsep curdir Path PurePath "
        "metadata altsep devnull flags implementation hexversion api_version builtin_module_names"
    ).split()
)
_PLATFORM = frozenset(
    (
        "system release machine node processor version platform uname python_version "
        "python_implementation mac_ver libc_ver"
    ).split()
)
_LARGE = 10**9


def python_risk(code: str) -> str:
    """Why this code is not known to be harmless; empty where it is."""
    if len(code) > LONGEST:
        return "is too long to be read"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "cannot be read"
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    modules = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    for node in ast.walk(tree):
        risk = _reach(node, modules) or _node_risk(node, names)
        if risk:
            return risk
    return ""


def _reach(node: ast.AST, modules: dict[str, str]) -> str:
    """A function of a module may be handed on without being called here."""
    match node:
        case ast.Attribute(value=ast.Name(id=base), attr=name) if modules.get(base, "") in _HARMFUL:
            if name not in _METHODS | _DATA:
                return f"uses {base}.{name}"
        case ast.ClassDef() | ast.AsyncFunctionDef():
            return "defines a class"
        case ast.FunctionDef(decorator_list=decorators) if decorators:
            return "decorates a function"
    return ""


def _node_risk(node: ast.AST, own: set[str]) -> str:
    match node:
        case ast.Import(names=names):
            for alias in names:
                if alias.name not in _MODULES:
                    return f"uses the module {alias.name}"
        case ast.ImportFrom(module=module, names=names):
            if module not in _MODULES:
                return f"uses the module {module}"
            for alias in names:
                if alias.name not in _METHODS | _CALLS | _MODULES and not alias.name[:1].isupper():
                    return f"uses {alias.name}"
        case ast.Call(func=ast.Name(id="open"), args=args, keywords=keywords):
            modes = [*args[1:2], *(k.value for k in keywords if k.arg == "mode")]
            for mode in modes:
                if not (isinstance(mode, ast.Constant) and str(mode.value).strip("btU") == "r"):
                    return "opens a file to write to it"
        case ast.Call(
            func=ast.Name(id="bytearray" | "bytes" | "list" | "sum" | "set" | "sorted" | "range"),
            args=args,
        ) if any(_big(arg) for arg in args):
            return "fills the memory"
        case ast.Constant(value="/dev/zero" | "/dev/urandom" | "/dev/random"):
            return "reads without end"
        case ast.Call(func=ast.Name(id=name)):
            if (
                name not in _CALLS
                and name not in own
                and name not in _METHODS
                and not name[:1].isupper()
            ):
                return f"calls {name}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="platform"), attr=name)) if (
            name in _PLATFORM
        ):
            return ""
        case ast.Call(
            func=ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"),
                attr="write" | "flush",
            )
        ):
            return ""
        case ast.Call(func=ast.Attribute(attr="replace", value=ast.Name(id="os"))):
            return "moves a file"
        case ast.Call(func=ast.Attribute(attr="replace"), args=args) if len(args) < 2:
            return "moves a file"
        case ast.Call(func=ast.Attribute(attr=name)):
            if name not in _METHODS and name not in own:
                return f"calls {name}"
        case ast.Call():
            return "calls what is only known when it runs"
        case ast.While(test=ast.Constant(value=value), body=body) if value:
            if not any(
                isinstance(n, ast.Break | ast.Return) for part in body for n in ast.walk(part)
            ):
                return "repeats without end"
        case ast.BinOp(op=ast.Pow() | ast.Mult() | ast.LShift(), left=left, right=right):
            if _big(left) or _big(right):
                return "fills the memory"
        case ast.Attribute(attr=name) if name.startswith("__") and name not in (
            "__version__",
            "__name__",
            "__doc__",
            "__file__",
        ):
            return f"reaches into {name}"
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            if any(
                isinstance(t, ast.Attribute | ast.Subscript) and "environ" in ast.dump(t)
                for t in targets
            ):
                return "changes the environment"
        case ast.Name(
            id="__import__"
            | "exec"
            | "eval"
            | "getattr"
            | "setattr"
            | "globals"
            | "__builtins__" as name
        ):
            return f"uses {name}"
        case ast.Attribute(attr="count", value=ast.Name(id="itertools")):
            return "repeats without end"
    return ""


def _big(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=int() as value):
            return abs(value) >= _LARGE
        case ast.BinOp(
            op=ast.Pow(),
            left=ast.Constant(value=int() as base),
            right=ast.Constant(value=int() as power),
        ):
            return base > 1 and power > 8
        case ast.BinOp(op=ast.LShift(), right=ast.Constant(value=int() as shift)):
            return shift > 30
    return False
