"""Branches that the emitted tests take, by coverage.py, and what else must be true of a hunt."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from bench.cover.process import Called, call
from bench.hunt import contenders
from bench.hunt.contenders import COVER, HUNT, PYNGUIN, SINGLE, TESTS, WORST
from bench.hunt.packages import PACKAGES, Package, lay_out, missing
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from bench.soak.census import marked

MARK = "UNTROD_BENCH_HUNT"
OTHERS = {COVER: contenders.cover_alone, WORST: contenders.worst_alone, PYNGUIN: contenders.pynguin}
Trial = Mapping[str, Any]
_CODE = Path(__file__).resolve().parents[2]
_NO_CACHES = {"PYTHONDONTWRITEBYTECODE": "1"}


def run(plan: Plan) -> Result:
    seconds = 60 * plan.minutes / len(PACKAGES) if plan.minutes else (30.0 if plan.quick else 300.0)
    trials: dict[tuple[str, str], list[Trial]] = {}
    notes = []
    journal = Journal(plan.journal)
    for name in filter(plan.wants, PACKAGES):
        if why := missing(name):
            notes.append(f"{name} is left out: {why}")
            continue
        for seed in plan.seeds_or(quick=1, full=1):
            others = [one for one in OTHERS if not plan.contenders or one in plan.contenders]
            budget = seconds
            for contender in (HUNT, *others):
                trial = _kept(journal, contender, name, seed, budget)
                if contender == HUNT:
                    budget = trial["cpu"]  # what it took in all
                plan.say(f"{name}, {contender}: {_in_words(trial)}")
                if "skipped" in trial:
                    notes.append(f"{contender} is left out: {trial['skipped']}")
                else:
                    trials.setdefault((name, contender), []).append(trial)
    notes.append(f"hunts of {seconds:.0f} s of CPU time with one worker; the others had all that it took")
    return Result(tuple(_rows(trials)), tuple(_bars(trials)), tuple(dict.fromkeys(notes)))


STUDY = Study("whole packages", tuple(PACKAGES), run)


def _kept(journal: Journal, contender: str, name: str, seed: int, budget: float) -> Trial:
    words = {"contender": contender, "package": name, "seed": seed, "budget": round(budget, 1)}
    key = trial_name(words, (_CODE / "src", _CODE / "bench" / "hunt"))
    found: Trial = journal.recall(key, lambda: _trial(contender, name, seed, budget))
    return found


def _trial(contender: str, name: str, seed: int, budget: float) -> Trial:
    folder = Path(tempfile.mkdtemp(prefix="untrod-bench-"))
    try:
        (folder / "tmp").mkdir()
        package = lay_out(name, folder / "project")
        mark = secrets.token_hex(8)
        environment = {**os.environ, MARK: mark, "TMPDIR": str(folder / "tmp"), **_NO_CACHES}
        play = contenders.hunt if contender == HUNT else OTHERS[contender]
        calls = play(package, seed, budget, environment)
        if isinstance(calls, str):
            return {"skipped": calls}
        litter = [path.name for path in (folder / "tmp").iterdir()]
        litter += [path.name for path in (package.project / ".untrod" / "scratch").glob("*")]
        left = len(marked(f"{MARK}={mark}"))
        return {**_measured(package, folder), **_spent(calls), "left": left, "litter": len(litter)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _spent(calls: list[Called]) -> dict[str, Any]:
    return {
        "cpu": sum(called.cpu for called in calls),
        "failed": sum(called.late or called.status not in (0, 1) for called in calls),
    }


def _measured(package: Package, folder: Path) -> dict[str, Any]:
    """Importing counts for everybody. A test that fails has run as well."""
    tests = package.project / TESTS
    tests.mkdir(parents=True, exist_ok=True)
    importing = "".join(f"import {module}\n" for module in package.modules)
    (tests / "test_import.py").write_text(f"{importing}\n\ndef test_import():\n    pass\n")
    environment = {
        **os.environ,
        "COVERAGE_FILE": str(folder / "data"),
        "PYTHONPATH": str(package.project),
        **_NO_CACHES,
    }
    coverage = [sys.executable, "-m", "coverage"]
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-o", "addopts="]
    words = ["run", "--branch", f"--include={package.project / package.name}/*", *pytest]
    words += ["--continue-on-collection-errors", str(tests)]
    ran = call([*coverage, *words], package.project, environment, 600)
    told = call([*coverage, "json", "-q", "-o", "-"], package.project, environment, 120)
    totals = json.loads(told.out)["totals"]
    return {
        "covered": totals["covered_branches"],
        "branches": totals["num_branches"],
        "passes": ran.status == 0,
        "tests": sum(text.count("def test_") for text in map(Path.read_text, tests.rglob("test_*.py"))) - 1,
    }


def _rows(trials: Mapping[tuple[str, str], list[Trial]]) -> list[Row]:
    rows = []
    for (name, contender), found in trials.items():
        for metric, key in (
            ("branches", "covered"),
            ("of", "branches"),
            ("tests", "tests"),
            ("CPU s", "cpu"),
            ("calls that failed", "failed"),
        ):
            rows.append(Row.of(name, contender, metric, [trial[key] for trial in found]))
    return rows


def _bars(trials: Mapping[tuple[str, str], list[Trial]]) -> list[Bar]:
    covered = {key: median(trial["covered"] for trial in found) for key, found in trials.items()}
    names = list(dict.fromkeys(name for name, _ in trials))
    bars = []
    for rivals, words in ((SINGLE, "the best single engine"), ((PYNGUIN,), "Pynguin")):
        against = [name for name in names if any((name, rival) in covered for rival in rivals)]
        won = sum(
            covered[name, HUNT] >= max(covered[name, rival] for rival in rivals if (name, rival) in covered)
            for name in against
        )
        if against:
            bars.append(Bar.at_least(f"packages of {len(against)} with as many branches as {words}", won, 2))
    hunts = [trial for (_, contender), found in trials.items() if contender == HUNT for trial in found]
    bars.append(Bar.at_least("hunts whose tests all pass", sum(t["passes"] for t in hunts), len(hunts)))
    bars.append(Bar.at_most("processes left by hunts", sum(trial["left"] for trial in hunts), 0))
    bars.append(Bar.at_most("files left by hunts", sum(trial["litter"] for trial in hunts), 0))
    return bars


def _in_words(trial: Trial) -> str:
    if "skipped" in trial:
        return str(trial["skipped"])
    passes = "all pass" if trial["passes"] else "NOT all pass"
    tests = f"{trial['tests']} tests ({passes})"
    return f"{trial['covered']} of {trial['branches']} branches, {tests}, {trial['cpu']:.0f} s"
