"""Other tools on the same modules. Each leaves a test file, which coverage.py then measures.

CrossHair is asked function by function, because it prints nothing before a module is done; each has its share
of the CPU time. Pynguin counts wall time.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.cover.subjects import Subject

PEERS = ("crosshair", "pynguin")
PEERS_PYTHON = "UNTROD_PYNGUIN_PYTHON"
"""Environment variable: the interpreter of an environment that has Pynguin and the subjects' packages."""


def run(peer: str, subject: Subject, seed: int, cpu: float, folder: Path) -> Mapping[str, Any]:
    """`covered` branches of `branches`, and the CPU seconds that finding the tests took; or `skipped`."""
    before = _cpu()
    skipped = {"crosshair": _crosshair, "pynguin": _pynguin}[peer](subject, seed, cpu, folder)
    spent = _cpu() - before
    if skipped:
        return {"skipped": skipped}
    return {**measure(sorted(folder.glob("**/test_*.py")), subject, folder), "cpu": spent}


def _crosshair(subject: Subject, seed: int, cpu: float, folder: Path) -> str:
    """It has no seed: its search is the same every time."""
    names = _public(subject)
    share = max(1.0, cpu / max(1, len(names)))
    for number, name in enumerate(names):
        command = [sys.executable, "-m", "crosshair", "cover", f"{subject.module}.{name}"]
        command += ["--example_output_format=pytest", f"--per_condition_timeout={share:.1f}"]
        said = _call(command, subject, folder, 6 * share + 30)
        if "def test_" in said:
            (folder / f"test_found_{number}.py").write_text(said)
    return ""


def _public(subject: Subject) -> list[str]:
    """The functions and classes that the module defines."""
    code = (
        f"import importlib as i; m = i.import_module({subject.module!r}); "
        "print(*[n for n, v in vars(m).items() if n[0] != '_' and callable(v) "
        "and getattr(v, '__module__', '') == m.__name__])"
    )
    return _call([sys.executable, "-c", code], subject, Path.cwd(), 60).split()


def _pynguin(subject: Subject, seed: int, cpu: float, folder: Path) -> str:
    python = os.environ.get(PEERS_PYTHON)
    if not python:
        return f"{PEERS_PYTHON} names no interpreter"
    where = subject.root or _site_of(subject, python)
    command = [python, "-m", "pynguin", "--project-path", str(where), "--module-name", subject.module]
    command += ["--output-path", str(folder / "out"), "--maximum-search-time", str(max(1, round(cpu)))]
    command += ["--seed", str(seed), "--assertion-generation", "NONE"]
    _call(command, subject, folder, 4 * cpu + 120)
    return ""


def _site_of(subject: Subject, python: str) -> str:
    code = f"import importlib.util as u, pathlib; print(u.find_spec({subject.module!r}).origin)"
    origin = Path(subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip())
    return str(origin.parents[subject.module.count(".")])


def _call(command: list[str], subject: Subject, folder: Path, timeout: float) -> str:
    """Everything it printed on standard output; what it printed before a timeout counts as well."""
    paths = [str(subject.root)] if subject.root else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYNGUIN_DANGER_AWARE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace")
    return done.stdout or done.stderr


def measure(tests: list[Path], subject: Subject, folder: Path) -> dict[str, int]:
    """The branches that importing the module and running the tests takes, by coverage.py.

    Tests that fail count: they ran.
    """
    importing = folder / "test_import.py"
    importing.write_text(f"import {subject.module}\n\n\ndef test_import():\n    pass\n")
    paths = [str(subject.root)] if subject.root else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COVERAGE_FILE": str(folder / "data")}
    words = ["run", "--branch", f"--source={subject.module}", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    subprocess.run(
        [sys.executable, "-m", "coverage", *words, str(importing), *map(str, tests)],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=300,
    )
    told = subprocess.run(
        [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    totals = json.loads(told.stdout)["totals"]
    return {"covered": totals["covered_branches"], "branches": totals["num_branches"]}


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
