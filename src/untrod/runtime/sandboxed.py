"""Runs a Python module as `python -m` does, locked in as a worker is: `command` says how to call it.

For pytest above all: trying out a test runs the code under test, and so do the project's own tests.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from untrod.runtime import confine, guard, launch
from untrod.runtime.limits import Limits
from untrod.runtime.processes import MARKER

_MODULE = "untrod.runtime.sandboxed"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """`scratch` may be written to, and so may `writable`; `path` comes first where modules are looked for."""

    scratch: str
    allow: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    memory_mb: int = 0  # 0: as much as there is


def command(python: str, sandbox: Sandbox, module: str, arguments: Sequence[str]) -> list[str]:
    """The command line; the environment has to be one of `launch.with_own_root`."""
    spec = json.dumps({**asdict(sandbox), "parent": os.getpid()})
    return [python, "-P", "-m", _MODULE, spec, module, *arguments]


def environment(scratch: str) -> dict[str, str]:
    """Ours, for a process whose temporary files go to `scratch`."""
    ours = launch.with_own_root(os.environ)
    return {**ours, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": scratch, MARKER: "sandboxed"}


def main(spec: str, module: str, arguments: list[str]) -> None:
    told = json.loads(spec)
    confine.die_with_parent(told.pop("parent"))
    sandbox = Sandbox(**told)
    if sandbox.memory_mb:
        confine.limit(Limits(memory_mb=sandbox.memory_mb))
    allow = frozenset(sandbox.allow)
    confine.enclose(sandbox.scratch, allow, sandbox.writable)
    guard.install(sandbox.scratch, allow, sandbox.writable)
    sys.path[:0] = sandbox.path
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    from untrod.runtime import sandboxed  # the module proper: `__main__` is to be that of what is run

    sandboxed.main(sys.argv[1], sys.argv[2], sys.argv[3:])
