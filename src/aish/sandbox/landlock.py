"""Landlock: the kernel lets a process give up rights to files for itself and what it starts."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from aish.sandbox import kernel

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL = ((1, 13), (2, 14), (3, 15), (5, 16))  # from this version on, so many rights are known
READ = EXECUTE | READ_FILE | READ_DIR
_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_SCOPES = 3  # abstract sockets and signals, from version 6 on


def version() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    try:
        return kernel.syscall(
            kernel.LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)
        )
    except OSError:
        return 0


def known_rights(level: int) -> int:
    count = max(bits for least, bits in _ALL if level >= least)
    return (1 << count) - 1


def restrict(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Give up everything else, for good.

    Raises: OSError.
    """
    level = version()
    rights = known_rights(level)
    fields = (ctypes.c_uint64 * 3)(rights, 0, _SCOPES if level >= 6 else 0)
    size = ctypes.sizeof(fields) if level >= 6 else 16 if level >= 4 else 8
    ruleset = kernel.syscall(
        kernel.LANDLOCK_CREATE_RULESET, fields, ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    try:
        for path in readable:
            _allow(ruleset, path, READ & rights)
        for path in writable:
            _allow(ruleset, path, rights & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV))
        for path in devices:
            _allow(ruleset, path, (READ_FILE | WRITE_FILE | IOCTL_DEV) & rights)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.syscall(kernel.LANDLOCK_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def keep_to_itself() -> None:
    """No abstract sockets and no signals of others, where the kernel can tell; files are free.

    Raises: OSError.
    """
    if version() < 6:
        return
    fields = (ctypes.c_uint64 * 3)(0, 0, _SCOPES)
    size = ctypes.c_size_t(ctypes.sizeof(fields))
    ruleset = kernel.syscall(kernel.LANDLOCK_CREATE_RULESET, fields, size, ctypes.c_uint32(0))
    try:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.syscall(kernel.LANDLOCK_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # not there: nothing to allow
    try:
        if not os.path.isdir(f"/proc/self/fd/{descriptor}"):
            rights &= _ON_FILES
        rule = rights.to_bytes(8, "little") + descriptor.to_bytes(4, "little")
        kernel.syscall(
            kernel.LANDLOCK_ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(1),
            ctypes.c_char_p(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(descriptor)
