"""The programs: three of coreutils, two libraries behind small drivers, and one with planted bugs."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from untrod.engines.cover.native.target import NativeTarget
from untrod.symbolic.native.fields import Fields

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = Path(os.environ.get("UNTROD_BENCH_CACHE") or Path.home() / ".cache" / "untrod-bench-native")
PLANTED = "calc"


@dataclass(frozen=True)
class Subject:
    """`source` is whose branches count: a glob within the cache, or a file of this repository. `cpu` are the
    seconds of a trial."""

    name: str
    source: str
    fields: Fields
    built: bool = True
    cpu: float = 60.0

    def target(self) -> NativeTarget:
        """Raises OSError or CalledProcessError where the program cannot be built."""
        if not self.built:
            return NativeTarget(str(ROOT / self.source), self.fields)
        emulated, covered = (CACHE / "bin" / f"{self.name}.{kind}" for kind in ("emulated", "covered"))
        if not (emulated.exists() and covered.exists()):
            subprocess.run(["bash", str(HERE / "sources.sh"), str(CACHE)], check=True, timeout=3600)
        (source,) = CACHE.glob(self.source)
        return NativeTarget(str(source), self.fields, binary=str(emulated), coverage_binary=str(covered))


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("tr", "src/coreutils-*/src/tr.c", Fields((6, 6), 8), cpu=90.0),
        Subject("expr", "src/coreutils-*/src/expr.c", Fields((4, 2, 4), 0)),
        Subject("ptx", "src/coreutils-*/src/ptx.c", Fields((4, 4), 12)),
        Subject("cjson", "src/cJSON-*/cJSON.c", Fields((), 12)),
        Subject("expat", "src/libexpat-*/expat/lib/xmlparse.c", Fields((), 16)),
        Subject(PLANTED, "examples/native/calc.c", Fields((4,), 8), built=False),
    )
}


def missing() -> str:
    """What keeps the bench from running, in words; empty if nothing does."""
    tools = [tool for tool in ("gcc", "gcov", "musl-gcc") if shutil.which(tool) is None]
    return f"{tools[0]} is not installed: apt-get install gcc musl-tools" if tools else ""
