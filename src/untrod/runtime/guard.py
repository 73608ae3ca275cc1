"""Says in words what the target may not do: an audit hook that refuses what is not allowed.

The walls are the kernel's (`landlock`). The guard stands in front of them: it sees what Python reports about
itself (PEP 578, and `unaudited`), so it can name the attempt, the place and the option that would allow it.
Where the kernel has no such walls it is all there is, and C code, `ctypes` and a target that means harm get
past it; an ordinary program that deletes, sends or spawns does not.

Reading is always allowed; writing is allowed inside the scratch folder. Whatever is refused raises
`Refused` at the place that attempted it, as the exception that the operating system has for it, and is
remembered until `drain`, because a target may swallow the
exception. Files that are named relative to the working folder are remembered, too (`touched`): there is
another one where a test is run.

The hook runs inside the target's calls, so it must hold when the target has mangled `builtins` or the
modules it uses: everything it needs is bound below, when this module is imported.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import chdir, makedirs
from typing import Any

from untrod.runtime import unaudited
from untrod.runtime.limits import CHILDREN, PROCESSES, ports_of
from untrod.runtime.realpath import resolve
from untrod.runtime.refusals import Refusal, Refused, drain, refused_since, refused_so_far
from untrod.runtime.rules import CHECKS, NOTED, Check, state

__all__ = [
    "Refusal",
    "Refused",
    "drain",
    "foreign_calls",
    "go_home",
    "install",
    "may_have_changed_variables",
    "paused",
    "read_by_absolute_names",
    "refused_since",
    "refused_so_far",
    "touched",
    "unnoted",
]


def install(scratch: str, allow: frozenset[str], writable: Iterable[str] = ()) -> None:
    """Guard this process from now on. There is no way back: an audit hook cannot be removed.

    Files may be changed in `scratch`, the working folder, and in `writable`.
    """
    state.root = resolve(scratch, True)
    state.roots = tuple(resolve(folder, True) + "/" for folder in (scratch, *writable))
    state.installed = True
    state.ports = ports_of(allow)
    watched: dict[str, Check] = dict(NOTED)
    for permission, checks in CHECKS.items():
        if permission not in allow:
            watched |= checks
    if CHILDREN in allow:  # whom it may signal is the kernel's business: it knows who has started whom
        for event in CHECKS[PROCESSES]:
            watched.pop(event, None)
    sys.addaudithook(_hook(watched))
    unaudited.report()


def touched() -> tuple[str, ...]:
    """Files that were named relative to the working folder since the last call: some of them."""
    names = tuple(state.touched)
    state.touched.clear()
    return names


@contextmanager
def unnoted() -> Iterator[None]:
    """What is touched meanwhile is not of the target: it is refused as ever, and not remembered."""
    touched, read = dict(state.touched), dict(state.read)
    try:
        yield
    finally:
        state.touched, state.read = touched, read


def may_have_changed_variables() -> bool:
    """Of the environment, since the last call; without a guard nobody knows."""
    changed, state.variables = state.variables, not state.installed
    return changed


def read_by_absolute_names() -> tuple[str, ...]:
    """Files that were opened for reading since the last call, some of them: others have other such files."""
    names = tuple(state.read)
    state.read.clear()
    return names


def foreign_calls() -> int:
    """How often C functions were looked up by name so far; what they do, nobody here sees."""
    return state.foreign


@contextmanager
def paused() -> Iterator[None]:
    """untrod's own code in this thread may do what the target may not; the kernel still has its say."""
    me = get_ident()
    state.paused.add(me)
    try:
        yield
    finally:
        state.paused.discard(me)


def go_home() -> None:
    """Back to the scratch folder, if the target changed directory. Cheap when it did not."""
    if state.away:
        state.away = False
        with paused():
            makedirs(state.root, exist_ok=True)
            chdir(state.root)
        state.away = False


def _hook(watched: dict[str, Check]) -> Check:
    find, paused_threads, me = watched.get, state.paused, get_ident

    def hook(event: str, args: tuple[Any, ...]) -> None:
        check = find(event)
        if check is not None and me() not in paused_threads:
            check(event, args)

    return hook
