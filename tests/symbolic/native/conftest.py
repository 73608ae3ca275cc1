from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from untrod.symbolic.native.elf import read_elf
from untrod.symbolic.native.fields import Fields

MISSING = [tool for tool in ("musl-gcc", "gcc") if shutil.which(tool) is None]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A static program from C source."""
    if MISSING:
        pytest.skip(f"{MISSING[0]} is not installed: run tools/provide_native.py")
    folder = tmp_path_factory.mktemp("native")
    known: dict[tuple[str, ...], Path] = {}

    def build(source: str, *flags: str, compiler: str = "musl-gcc") -> Path:
        key = (source, *flags, compiler)
        if key not in known:
            program = known[key] = folder / f"program{len(known)}"
            program.with_suffix(".c").write_text(source)
            options = flags or ("-static", "-no-pie", "-O1", "-fno-stack-protector", "-fcf-protection=none")
            command = [compiler, "-w", *options, "-o", str(program), str(program.with_suffix(".c"))]
            subprocess.run(command, check=True, capture_output=True)
        return known[key]

    return build


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if MISSING:
        pytest.skip(f"{MISSING[0]} is not installed: run tools/provide_native.py")
    pytest.importorskip("unicorn")
    pytest.importorskip("triton")
    from untrod.engines.cover.native.compiling import build_watch

    return build_watch(tmp_path_factory.mktemp("watch"))


@pytest.fixture
def executor(compiled, library):
    """`executor(source, arguments=(3,), stdin=4)`."""
    from untrod.symbolic.native.executor import NativeExecutor

    made = []

    def make(source: str, arguments=(), stdin=0, files=(), fixed=(), **options):
        fields = Fields(tuple(arguments), stdin, tuple(files), tuple(fixed))
        made.append(NativeExecutor(read_elf(compiled(source)), fields, library, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
