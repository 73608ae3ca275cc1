"""Other tools on the same modules. Each leaves a test file, which coverage.py then measures.

CrossHair is asked function by function, because it prints nothing before a module is done; each has its share
of the CPU time. Where it crashes on a class, it is asked method by method. Both count wall time: on a busy
machine they get as much more of it as they need for their CPU time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.cover.process import Called, call, slowdown
from bench.cover.subjects import Subject

PEERS = ("crosshair", "pynguin")
PEERS_PYTHON = "UNTROD_PYNGUIN_PYTHON"
"""Environment variable: the interpreter of an environment that has Pynguin and the subjects' packages."""
GENEROUS = 2
"""So many times its CPU time CrossHair may use, since it overruns what it is given: then it is done."""

SEEDLESS = ("crosshair",)
"""Whose search is the same every time: one run is all there is to see."""


def run(peer: str, subject: Subject, seed: int, cpu: float, folder: Path) -> Mapping[str, Any]:
    """`covered` branches of `branches`, and what finding the tests took; or `skipped`."""
    calls = {"crosshair": _crosshair, "pynguin": _pynguin}[peer](subject, seed, cpu, folder)
    if isinstance(calls, str):
        return {"skipped": calls}
    if all(called.status not in (0, 1) for called in calls):
        return {
            "error": f"{peer} could not run: {' '.join(calls[0].err.split())[-120:] or 'no reason given'}"
        }
    return {
        **measure(sorted(folder.glob("**/test_*.py")), subject, folder),
        "cpu": _spent(calls),
        "memory": max((called.memory for called in calls), default=0.0),
    }


def _crosshair(subject: Subject, seed: int, cpu: float, folder: Path) -> list[Called]:
    """It has no seed: its search is the same every time."""
    calls: list[Called] = []
    names = _public(subject)
    share = max(1.0, cpu / max(1, len(names)))
    for name, methods in names.items():
        if _spent(calls) > GENEROUS * cpu or _covered(name, share, subject, folder, calls):
            continue
        for method in methods:  # one that CrossHair cannot run takes its whole class down
            if _spent(calls) < GENEROUS * cpu:
                _covered(f"{name}.{method}", max(0.5, share / len(methods)), subject, folder, calls)
    return calls


def _spent(calls: list[Called]) -> float:
    return sum(called.cpu for called in calls)


def _covered(name: str, seconds: float, subject: Subject, folder: Path, calls: list[Called]) -> bool:
    """Were there any examples?"""
    wall = slowdown() * seconds
    command = [sys.executable, "-m", "crosshair", "cover", f"{subject.module}.{name}"]
    command += ["--example_output_format=pytest", f"--per_condition_timeout={wall:.1f}"]
    called = _call(command, subject, folder, 6 * wall + 60)
    calls.append(called)
    if "def test_" not in called.out:
        return False
    (folder / f"test_found_{len(calls)}.py").write_text(called.out)
    return True


def _public(subject: Subject) -> dict[str, list[str]]:
    """The functions and classes that the module defines, and the methods of each."""
    code = (
        f"import importlib, inspect, json; m = importlib.import_module({subject.module!r}); "
        "own = {n: v for n, v in vars(m).items() if n[0] != '_' and callable(v) "
        "and getattr(v, '__module__', '') == m.__name__}; "
        "print(json.dumps({n: [k for k, f in vars(v).items() if k[0] != '_' and inspect.isfunction(f)] "
        "if isinstance(v, type) else [] for n, v in own.items()}))"
    )
    found: dict[str, list[str]] = json.loads(_call([sys.executable, "-c", code], subject, Path.cwd(), 60).out)
    return found


def _pynguin(subject: Subject, seed: int, cpu: float, folder: Path) -> list[Called] | str:
    python = os.environ.get(PEERS_PYTHON)
    if not python:
        return f"{PEERS_PYTHON} names no interpreter"
    where = subject.root or _site_of(subject, python)
    command = [python, "-m", "pynguin", "--project-path", str(where), "--module-name", subject.module]
    wall = slowdown() * cpu
    command += ["--output-path", str(folder / "out"), "--maximum-search-time", str(max(1, round(wall)))]
    command += ["--seed", str(seed), "--assertion-generation", "NONE"]
    return [_call(command, subject, folder, 4 * wall + 300)]


def _site_of(subject: Subject, python: str) -> str:
    code = f"import importlib.util as u, pathlib; print(u.find_spec({subject.module!r}).origin)"
    origin = Path(subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip())
    return str(origin.parents[subject.module.count(".")])


def _call(command: list[str], subject: Subject, folder: Path, timeout: float) -> Called:
    return call(command, folder, {**_environment(subject), "PYNGUIN_DANGER_AWARE": "1"}, timeout)


def _environment(subject: Subject) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(subject.root or "")}


def measure(tests: list[Path], subject: Subject, folder: Path) -> dict[str, Any]:
    """The branches that importing the module and running the tests takes, by coverage.py.

    Tests that fail count: they ran.
    """
    importing = folder / "test_import.py"
    importing.write_text(f"import {subject.module}\n\n\ndef test_import():\n    pass\n")
    environment = {**_environment(subject), "COVERAGE_FILE": str(folder / "data")}
    coverage = [sys.executable, "-m", "coverage"]
    words = ["run", "--branch", f"--include={subject.file}", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    words += ["--continue-on-collection-errors"]
    ran = call([*coverage, *words, str(importing), *map(str, tests)], folder, environment, 300)
    told = call([*coverage, "json", "-q", "-o", "-"], folder, environment, 60)
    if told.status:  # there is nothing to report: no test ran a line of it
        return {"covered": 0, "branches": 0, "missing": [], "passes": ran.status == 0}
    report = json.loads(told.out)
    totals = report["totals"]
    return {
        "missing": [arc for file in report["files"].values() for arc in file["missing_branches"]],
        "covered": totals["covered_branches"],
        "branches": totals["num_branches"],
        "passes": ran.status == 0,
    }
