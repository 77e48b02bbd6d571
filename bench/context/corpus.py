"""Texts of the kinds a shell conversation carries, found on the machine or made from a seed."""

from __future__ import annotations

# ruff: noqa: E501 - paragraphs are one line each, as they are in a terminal
import base64
import html
import random
import re
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

STDLIB = Path(sysconfig.get_paths()["stdlib"])

CHINESE = """命令行是程序员每天都要使用的工具。一个好的命令行工具应当启动迅速、行为可预测，并且在出错时给出清楚的提示。
当上下文窗口接近上限时，系统会一次性删去较早的对话，只保留最近的内容，这样服务器的缓存就不会失效。用户提出的最新请求永远保留原文。
如果磁盘空间不足，请先查看日志目录，再决定删除哪些文件；不要直接运行删除命令，除非你已经确认备份完整无误。
数据库连接失败的原因可能有很多：网络不通、密码错误、端口被防火墙拦截，或者服务根本没有启动。请逐一排查，并记录每一步的结果。
"""
RUSSIAN = """Командная строка остаётся самым быстрым способом управлять компьютером. Программа должна запускаться мгновенно,
не терять данные при сбое и понятно объяснять, что именно пошло не так. Перед удалением файлов обязательно сделайте резервную копию.
"""
GERMAN = """Die Eingabezeile nimmt Befehle und Fragen entgegen. Größere Änderungen werden erst nach ausdrücklicher Zustimmung ausgeführt,
und übermäßig lange Ausgaben werden gekürzt, damit das Kontextfenster des Modells nicht überläuft. Häufige Fehler erklärt das Handbuch.
"""
JAPANESE = """シェルはコマンドを実行し、自然な言葉の質問には言語モデルが答えます。ファイルを削除する前に必ず確認してください。
ログの出力が長すぎる場合は、先頭と末尾だけを残して途中を省略します。設定ファイルはホームディレクトリにあります。
"""


def output_of(*command: str) -> str:
    """What a command prints; nothing if it is not there."""
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=20)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return ""
    return done.stdout[:400_000].decode("utf-8", "replace")


def pieces(text: str, rng: random.Random, many: int) -> Iterator[str]:
    """Random stretches of a text, from a line to a few screens."""
    if len(text) < 200:
        return
    for _ in range(many):
        size = min(rng.choice((200, 600, 1500, 4000, 9000)), len(text))
        start = rng.randrange(0, len(text) - size + 1)
        yield text[start : start + size]


def shell_output(rng: random.Random) -> Iterator[str]:
    listings = (
        output_of("ls", "-lR", "/usr/lib/python3"),
        output_of("ls", "-lR", "/etc"),
        output_of("ps", "aux"),
        output_of("dpkg", "-l"),
        output_of("df", "-h"),
        output_of("find", "/usr/share/doc"),
        output_of("git", "log", "--stat"),
        output_of("mount"),
        output_of("du", "-a", "/usr/share/zoneinfo"),
        output_of("cat", "/proc/cpuinfo"),
        output_of("cat", "/proc/meminfo"),
    )
    for text in listings:
        yield from pieces(text, rng, 12)


def code(rng: random.Random) -> Iterator[str]:
    for name in ("argparse.py", "ast.py", "http/client.py", "statistics.py", "typing.py"):
        yield from pieces((STDLIB / name).read_text("utf-8"), rng, 12)
    for path in sorted(Path("/usr/include").glob("*.h"))[:10]:
        yield from pieces(path.read_text("utf-8", "replace"), rng, 4)
    for path in sorted(STDLIB.rglob("*.json"))[:5]:
        yield from pieces(path.read_text("utf-8", "replace"), rng, 3)


def prose(rng: random.Random) -> Iterator[str]:
    for path in sorted(Path("/usr/share/common-licenses").glob("*")):
        yield from pieces(path.read_text("utf-8", "replace"), rng, 5)
    yield from pieces((STDLIB / "pydoc_data/topics.py").read_text("utf-8"), rng, 40)


def chinese(rng: random.Random, folder: Path | None = None) -> Iterator[str]:
    yield from CHINESE.splitlines()
    yield CHINESE
    yield CHINESE * 3
    for path in sorted(folder.rglob("*.html"))[:40] if folder else ():
        text = html.unescape(re.sub(r"<[^>]+>", "", path.read_text("utf-8", "replace")))
        kept = "\n".join(line for line in text.splitlines() if re.search(r"[一-鿿]{6}", line))
        yield from pieces(kept, rng, 2)


def encoded(rng: random.Random) -> Iterator[str]:
    for size in (90, 300, 900, 2400):
        for _ in range(6):
            blob = rng.randbytes(size)
            yield base64.b64encode(blob).decode()
            yield base64.encodebytes(blob).decode()
        yield rng.randbytes(size).hex()
        yield "\n".join(f"{rng.randbytes(16).hex()}  file{i}.txt" for i in range(size // 40))


def other_languages(_: random.Random) -> Iterator[str]:
    for text in (RUSSIAN, GERMAN, JAPANESE):
        yield from text.splitlines()
        yield text * 2


def odd(rng: random.Random) -> Iterator[str]:
    """What no corpus has and every terminal sees one day: noise, rules, tables, emoji."""
    marks = "!@#$%^&*()_+-=[]{}|;:,.<>?/~`"
    for size in (200, 1000, 4000):
        yield "".join(rng.choice(marks) for _ in range(size))
        yield "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(size))
        yield "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(size))
        yield "".join(rng.choice("0123456789") for _ in range(size))
        yield "a" * size
        yield "=" * size + "\n" + "-" * size
        yield "─┼│█░▒▓╔═╗║╚╝"[: size // 10] * (size // 10)
        yield "".join(rng.choice("😀🚀🔥✅❌👍🎉💡📦🐍🇩🇪👩‍💻") for _ in range(size // 4))
        yield ";".join(f"var {a}={a}[{i}]||{{}}" for i, a in enumerate("abcdefgh" * (size // 100)))


def samples(seed: int = 1, chinese_html: Path | None = None) -> dict[str, list[str]]:
    """Every kind with its texts, the same ones for the same seed on the same machine."""
    rng = random.Random(seed)
    return {
        "shell": list(shell_output(rng)),
        "code": list(code(rng)),
        "prose": list(prose(rng)),
        "chinese": list(chinese(rng, chinese_html)),
        "base64": list(encoded(rng)),
        "other": list(other_languages(rng)),
        "odd": list(odd(rng)),
    }
