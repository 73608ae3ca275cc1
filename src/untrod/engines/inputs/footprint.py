"""Which branches of the code under test an input takes, and how often.

A *branch* is a pair of lines run one after the other in one file. Counts are put into buckets, the powers of
two, so that one more turn of a long loop is not another path: the measure of the RLCheck study.

Only calls made after `start` are followed, in the thread that called it, and only into code that counts.
What an input does is watched up to the point where it has taken one branch `MOST` times: beyond it every
bucket is as wide as all that came before, and an endless loop should not also be a slow one.

There is one tracer per thread. Where a debugger or a coverage tool has it already, it keeps it: `start`
says so, and whoever asked has to do without.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeAlias

import untrod
from untrod.core.vocabulary import digest

MOST = 1 << 14
Arc: TypeAlias = tuple[int, int]  # from line to line; a function is entered from minus its first line
Line: TypeAlias = tuple[str, int]

_MOST_FILES = 10_000
_OWN = os.path.dirname(os.path.abspath(untrod.__file__)) + os.sep
_STDLIB = sysconfig.get_path("stdlib") + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class Footprint:
    """`start`, run the code under test, `stop`; then ask."""

    def __init__(self, root: str = "", unless: Callable[[], bool] | None = None) -> None:
        """`root` is the folder that files are named from. Calls made while `unless()` holds do not count."""
        self._root = root and os.path.join(os.path.abspath(root), "")
        self._unless = unless
        self._arcs: dict[str, dict[Arc, int]] = {}
        self._known: dict[tuple[bool, str], bool] = {}
        self._wide = False
        self.running = False
        self.ever = False  # whether any code that counts was ever run

    def start(self, wide: bool = False) -> bool:
        """Watch what runs from now on; `wide`, also installed packages. False when somebody else traces."""
        self._arcs.clear()
        if sys.gettrace() is not None:
            return False
        self._wide = wide
        self.running = True
        sys.settrace(self._on_call)
        return True

    def stop(self) -> None:
        if self.running:
            self.running = False
            if sys.gettrace() == self._on_call:  # or the target has put its own tracer in place
                sys.settrace(None)

    def pause(self) -> None:
        """What runs from now on does not count, and is not slowed down."""
        if self.running and sys.gettrace() == self._on_call:
            sys.settrace(None)

    def resume(self) -> None:
        """After `pause`."""
        if self.running and sys.gettrace() is None:
            sys.settrace(self._on_call)

    def clear(self) -> None:
        """Forget what was seen."""
        self._arcs.clear()

    def key(self) -> str:
        """A digest of the path through the project's own code: the same in every process."""
        parts = []
        for file, arcs in sorted(self._arcs.items()):
            if arcs and (not self._wide or is_project_code(file)):
                self.ever = True
                taken = sorted((arc, count.bit_length()) for arc, count in arcs.items())
                parts.append(f"{file.removeprefix(self._root)}{taken}")
        return digest("\n".join(parts))

    def lines(self) -> dict[Line, int]:
        """How often each line was run."""
        found: dict[Line, int] = {}
        for file, arcs in self._arcs.items():
            for (_, line), count in arcs.items():
                found[file, line] = found.get((file, line), 0) + count
        return found

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._unless is not None and self._unless():
            return None
        code = frame.f_code
        file = code.co_filename
        watched = self._known.get((self._wide, file))
        if watched is None:
            watched = self._classify(file)
        if not watched:
            return None
        arcs = self._arcs.get(file)
        if arcs is None:
            arcs = self._arcs[file] = {}
        return _Activation(arcs, -code.co_firstlineno)

    def _classify(self, file: str) -> bool:
        if len(self._known) > _MOST_FILES:  # a target that makes up code as it runs
            self._known.clear()
        watched = is_code(file) if self._wide else is_project_code(file)
        self._known[self._wide, file] = watched
        return watched


class _Activation:
    """Follows one call, line by line. An object and not a closure: one that returns itself is a cycle."""

    __slots__ = ("arcs", "last")

    def __init__(self, arcs: dict[Arc, int], last: int) -> None:
        self.arcs = arcs
        self.last = last

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            line, arcs = frame.f_lineno, self.arcs
            arc = (self.last, line)
            arcs[arc] = count = arcs.get(arc, 0) + 1
            self.last = line
            if count >= MOST:
                sys.settrace(None)
        return self


def is_code(file: str) -> bool:
    """Not Python's own, not Hypothesis's and not ours."""
    if file.startswith(("<frozen", _OWN)):
        return False
    hypothesis = getattr(sys.modules.get("hypothesis"), "__file__", None)
    if hypothesis and file.startswith(os.path.join(os.path.dirname(hypothesis), "")):
        return False
    return not file.startswith(_STDLIB) or is_installed(file)


def is_project_code(file: str) -> bool:
    """In a file, and not of an installed package."""
    return is_code(file) and not file.startswith("<") and not is_installed(file)


def is_installed(file: str) -> bool:
    return any(folder in file for folder in _INSTALLED)
