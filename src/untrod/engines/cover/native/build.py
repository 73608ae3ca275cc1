"""The variants of a program: one to emulate, one that counts branches, one that checks what it does.

Or those that a person has built. Everything is made in a folder of the worker's own; the compiler runs in the
project's, so that paths in flags mean there what they mean to the person who gave them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.engines.cover.native.target import NativeTarget
from untrod.runtime import guard, launch

SECONDS = 300.0
EMULATED = ("-static", "-no-pie", "-O1", "-g0", "-fno-stack-protector", "-fcf-protection=none")
COVERED = ("--coverage", "-O0", "-g0", "-fno-inline")
CHECKED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all")
_DUMP = Path(__file__).with_name("dump.c")
_COUNTS = re.compile(rb"[\x21-\x7e]+\.gcda(?=\0)")


@dataclass(frozen=True, slots=True)
class Programs:
    """`checked` is None where there is no such variant: a person's own program. `notes` are gcc's."""

    emulated: Path
    covered: Path
    checked: Path | None
    notes: tuple[Path, ...]


def build(target: NativeTarget, project: Path, folder: Path, sanitizers: str) -> Programs:
    """`sanitizers` as -fsanitize has them, or empty. Raises UntrodError with the compiler's complaint."""
    if target.binary:
        covered = project / target.coverage_binary
        return Programs(project / target.binary, covered, None, _notes_of(covered))
    sources = [str((project / path).resolve()) for path in (target.source, *target.also)]
    emulated, checked = folder / "emulated", folder / "checked"
    emulator = _tool("musl-gcc", "musl-tools")
    compiler = _tool("gcc", "gcc")
    _compile([emulator, *EMULATED, "-o", str(emulated), *sources, *target.flags], project)
    covered, notes = _covered(compiler, sources, target.flags, project, folder)
    if sanitizers:
        options = [*CHECKED, f"-fsanitize={sanitizers}"]
        _compile([compiler, *options, "-o", str(checked), *sources, *target.flags], project)
    return Programs(emulated, covered, checked if sanitizers else None, notes)


def _covered(
    compiler: str, sources: Sequence[str], flags: Sequence[str], project: Path, folder: Path
) -> tuple[Path, tuple[Path, ...]]:
    """Source by source: so gcc of any age writes its notes beside the objects, and never into the project."""
    more = [flag for flag in flags if _is_source(flag, project)]
    compiling = [flag for flag in flags if flag not in more]
    objects = []
    for number, source in enumerate([*sources, *more]):
        objects.append(str(folder / f"{number}.o"))
        _compile([compiler, *COVERED, "-c", "-o", objects[-1], source, *compiling], project)
    dump, covered = str(folder / "dump.o"), folder / "covered"
    _compile([compiler, "-O1", "-c", "-o", dump, str(_DUMP)], project)
    _compile([compiler, *COVERED, "-o", str(covered), *objects, dump, *compiling], project)
    return covered, tuple(folder / f"{number}.gcno" for number in range(len(sources)))


def _is_source(flag: str, project: Path) -> bool:
    return flag.endswith(".c") and not flag.startswith("-") and (project / flag).is_file()


def _tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise UntrodError(f"there is no {name}", f"install it (Debian: apt-get install {package})")
    return found


def _compile(command: Sequence[str], folder: Path) -> None:
    try:
        with guard.paused():
            done = launch.run(
                command,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                timeout=SECONDS,
            )
    except subprocess.TimeoutExpired as error:
        raise UntrodError(
            f"{Path(command[0]).name} took more than {SECONDS:g} s", "build it yourself"
        ) from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line]
        said = (lines or done.stderr.splitlines() or ["nothing"])[0]
        raise UntrodError(
            f"{Path(command[0]).name} does not compile it: {said[:300]}",
            "flags and libraries go in --cc-flags; or build it yourself: --binary, --coverage-binary",
        )


def _notes_of(program: Path) -> tuple[Path, ...]:
    """Where the counts are to go is written in the program; the notes lie beside that."""
    names = {Path(found.decode()).with_suffix(".gcno") for found in _COUNTS.findall(program.read_bytes())}
    notes = tuple(sorted(path for path in names if path.is_file()))
    if not notes:
        raise UntrodError(f"{program.name} has no coverage notes (.gcno)", "build it with gcc --coverage")
    return notes
