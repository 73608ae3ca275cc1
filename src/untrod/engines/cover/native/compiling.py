"""C files of ours: the hooks of the emulator, and what limits a program under test."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.runtime import launch
from untrod.symbolic.native.shadow import SOURCE

_SECONDS = 60.0


def build_watch(folder: Path) -> Path:
    """Compile the emulator's hooks into `folder`. Raises UntrodError where there is no C compiler."""
    return compiled(SOURCE, folder / "watch.so", "-shared", "-fPIC")


def compiled(source: Path, into: Path, *flags: str) -> Path:
    """Raises UntrodError where there is no C compiler."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise UntrodError("there is no C compiler", "install one (Debian: apt-get install gcc)")
    command = [compiler, "-O2", *flags, "-o", str(into), str(source)]
    done = launch.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        timeout=_SECONDS,
    )
    if done.returncode:
        raise UntrodError(
            f"{source.name} does not compile: {done.stderr[:200]}", "install gcc and its headers"
        )
    return into
