"""Landlock and seccomp: what this process, and all that it starts, may not do any more, by the kernel's word.

Both need no privileges and cannot be undone. Landlock (docs.kernel.org/userspace-api/landlock.html) knows
files, TCP and signals, each from some version (`abi`) of its interface on; a seccomp filter refuses the few
system calls that Landlock has no word for. Both hold for the calling thread and for what it starts from then
on, so they are to be set before there is a second thread.

There is a package `landlock` on PyPI: version 1.0.0.dev5, files only, up to interface 5. What is here is
shorter than what would have to be added to it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION = 1  # a flag of the first
_PATH_BENEATH, _NET_PORT = 1, 2
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_FILTER = 38, 22, 2

_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_CHANGES = (
    (1, _WRITE_FILE),
    (1, sum(1 << bit for bit in range(4, 13))),  # remove a folder, a file; make one of each kind
    (2, 1 << 13),  # rename and link from one folder to another
    (3, _TRUNCATE),
)
"""What changes files, each with the interface that knows it. Reading and executing are left alone."""
_BIND_TCP, _CONNECT_TCP = 1, 2
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2

HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")
"""Devices that may be written to."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What is closed: changing files except beneath `writable`, TCP, signals to others.

    Where the network is closed, `ports` may still be connected to. `listening` is closed with it: Unix
    sockets are listened to by the same system call.
    """

    writable: tuple[str, ...]
    files: bool = True
    network: bool = True
    signals: bool = True
    ports: tuple[int, ...] = ()
    listening: bool = True


def abi() -> int:
    """The version of the kernel's interface; 0 where there is none, or where a container forbids it."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))))


def in_words() -> str:
    """What the kernel closes on this machine."""
    version = abi()
    if not version:
        return "only the audit guard: the kernel has no Landlock (see docs/safety.md)"
    closed = ["files", *(["network"] if version >= 4 else []), *(["signals"] if version >= 6 else [])]
    return f"the kernel (Landlock {version}) closes {', '.join(closed)}; the audit guard says why"


def confine(wanted: Confinement) -> list[str]:
    """Confine this thread and what it starts; returns what the kernel cannot close here, in words.

    Raises OSError when the kernel offers it and then refuses: no code may run then that counts on it.
    """
    version = abi()
    if not version:
        return ["the kernel has no Landlock: only the audit guard is in force"]
    notices = []
    if wanted.network and version < 4:
        notices.append("the kernel cannot close TCP: only the audit guard does")
    if wanted.signals and version < 6:
        notices.append("the kernel cannot keep signals in: at most the audit guard does")
    files = _changes(version) if wanted.files else 0
    tcp = _BIND_TCP | _CONNECT_TCP if wanted.network and version >= 4 else 0
    scoped = (_SIGNALS if wanted.signals else 0) | (_ABSTRACT_SOCKETS if wanted.network else 0)
    _check(_libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    if files or tcp or (scoped and version >= 6):
        _restrict(version, files, tcp, scoped, wanted)
    closed = _LISTENING if wanted.ports else _LISTENING + _CONNECTIONS
    if not _filter(_MACHINE + (closed if wanted.network and wanted.listening else ())):
        notices.append("the kernel cannot close UDP and Unix sockets: at most the audit guard does")
    return notices


def _changes(version: int) -> int:
    return sum(rights for since, rights in _CHANGES if version >= since)


def _restrict(version: int, files: int, tcp: int, scoped: int, wanted: Confinement) -> None:
    # struct landlock_ruleset_attr: each version has added a field, and an older kernel wants the shorter one.
    fields = [files, *([tcp] if version >= 4 else []), *([scoped] if version >= 6 else [])]
    attributes = struct.pack(f"<{len(fields)}Q", *fields)
    ruleset = _check(
        _libc().syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)),
        "landlock_create_ruleset",
    )
    try:
        for port in wanted.ports if tcp else ():
            rule = struct.pack("<QQ", _CONNECT_TCP, port)  # struct landlock_net_port_attr
            _add(ruleset, _NET_PORT, rule, f"port {port}")
        if files:
            for path in wanted.writable:
                _allow(ruleset, path, files)
            for path in HARMLESS:
                _allow(ruleset, path, files & (_WRITE_FILE | _TRUNCATE))
        _check(_libc().syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)), "landlock_restrict_self")
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # what is not there cannot be written to
    try:
        # struct landlock_path_beneath_attr, packed
        _add(ruleset, _PATH_BENEATH, struct.pack("<Qi", rights, folder), path)
    finally:
        os.close(folder)


def _add(ruleset: int, kind: int, rule: bytes, what: str) -> None:
    added = _libc().syscall(_ADD_RULE, ruleset, ctypes.c_int(kind), rule, ctypes.c_uint32(0))
    _check(added, f"landlock_add_rule for {what}")


# ---- what Landlock has no word for ----

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The number by which the kernel names it, and its column below."""
_LISTENING = (
    (50, 201),  # listen: without a bind before it, a port is taken that Landlock is not asked about
    (49, 200),  # bind
    (425, 425),  # io_uring_setup: what goes that way, no filter sees
)
_CONNECTIONS = ((42, 203),)
"""connect: Landlock knows TCP, but neither UDP nor Unix sockets."""
_MACHINE = (
    (227, 112),  # clock_settime
    (164, 170),  # settimeofday
    (159, 171),  # adjtimex
    (305, 266),  # clock_adjtime
    (170, 161),  # sethostname
    (171, 162),  # setdomainname
    (169, 142),  # reboot
    (167, 224),  # swapon
    (168, 225),  # swapoff
    (175, 105),  # init_module
    (313, 273),  # finit_module
    (176, 106),  # delete_module
    (246, 104),  # kexec_load
)
"""The machine itself, which root could change."""
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06  # BPF: ld [k], jeq k, ret k
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _filter(calls: Sequence[tuple[int, int]]) -> bool:
    """Let these system calls fail with EACCES."""
    known = _ARCHITECTURES.get(os.uname().machine)
    if known is None:
        return False
    architecture, column = known
    lines = [(_LOAD, 0, 0, _ARCHITECTURE_AT), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _ALLOW)]
    lines.append((_LOAD, 0, 0, _NUMBER_AT))
    for number in calls:
        lines += [(_EQUAL, 0, 1, number[column]), (_RETURN, 0, 0, _FAIL | errno.EACCES)]
    lines.append((_RETURN, 0, 0, _ALLOW))
    program = _Program(len(lines), b"".join(struct.pack("<HBBI", *line) for line in lines))
    return bool(_libc().prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(program), 0, 0) == 0)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
