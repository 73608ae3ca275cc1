"""Coverage of held-out programs with 1, 5, 10 and 100 inputs. An input counts when it is run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from bench.explore import means, paper, promises
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.core.seeds import derive
from untrod.engines.explore.programs.episode import explore
from untrod.engines.explore.programs.explorers import EXPLORERS, TRAINED, explorer
from untrod.engines.explore.programs.tasks import task
from untrod.engines.explore.programs.trained import coverages
from untrod.engines.explore.programs.weights import load_program_weights
from untrod.engines.explore.programs.world import ProgramWorld
from untrod.engines.explore.shipped import shipped

ROOT = Path(__file__).resolve().parents[2]
SUBJECTS = ("robustfill", "karel")
INPUTS = (1, 5, 10, 100)
CHUNK = 25
QUICK, FULL = {"": 75, "z3": 25}, {"": 1000, "z3": 200}
MINUTES = {True: 1.0, False: 30.0}


def run(plan: Plan) -> Result:
    worlds, journal = (QUICK if plan.quick else FULL), Journal(plan.journal)
    deadline = time.monotonic() + 60 * (MINUTES[plan.quick] if plan.minutes is None else plan.minutes)
    found: dict[tuple[str, str, int], list[float]] = {}
    notes = [paper.LEARNED]
    for subject in filter(plan.wants, SUBJECTS):
        for name in EXPLORERS[subject]:
            if plan.contenders and name not in plan.contenders:
                continue
            if name == TRAINED and shipped(subject) is None:
                notes.append(f"no weights for {subject} ship")
                continue
            wanted, rows = worlds.get(name, worlds[""]), list[list[float]]()
            while len(rows) < wanted and time.monotonic() < deadline:
                rows += _chunk(journal, subject, name, len(rows), min(CHUNK, wanted - len(rows)))
            if len(rows) < wanted:
                notes.append(f"{subject}, {name}: {len(rows)} programs instead of {wanted}, time was up")
            for place, inputs in enumerate(_inputs(name)):
                if rows:
                    found[subject, name, inputs] = [row[place] for row in rows]
            if rows:
                plan.say(f"{subject} {name}: {' '.join(f'{fmean(c):.3f}' for c in zip(*rows, strict=True))}")
    return Result(tuple(_rows(found)), promises.programs(found), tuple(notes))


STUDY = Study("inputs for programs nobody has seen", SUBJECTS, run)


def _inputs(name: str) -> tuple[int, ...]:
    return INPUTS[:2] if name == "z3" else INPUTS


def _chunk(journal: Journal, subject: str, name: str, first: int, count: int) -> list[list[float]]:
    words = {"subject": subject, "explorer": name, "first": first, "count": count}
    folder, code = shipped(subject), [ROOT / "src" / "untrod" / "engines" / "explore" / "programs"]
    if name == TRAINED and folder is not None:
        words["weights"] = load_program_weights(folder, subject)[1]["sha256"]
        code.append(ROOT / "src" / "untrod" / "learn" / "programs")
    key = trial_name(words, code)
    known: list[list[float]] = journal.recall(key, lambda: _covered(subject, name, first, count))
    return known


def _covered(subject: str, name: str, first: int, count: int) -> list[list[float]]:
    worlds, folder = list(task(subject).worlds(0, "held-out", count, first)), shipped(subject)
    if name == TRAINED and folder is not None:
        return coverages(load_program_weights(folder, subject)[0], worlds, INPUTS, first)
    return [_explored(subject, name, first + place, world) for place, world in enumerate(worlds)]


def _explored(subject: str, name: str, number: int, world: ProgramWorld) -> list[float]:
    tries = explore(world, explorer(name, subject, derive(0, "bench", name, number)), _inputs(name)[-1])
    return [tries.coverage(inputs) for inputs in _inputs(name)]


def _rows(found: dict[tuple[str, str, int], list[float]]) -> Iterator[Row]:
    for (subject, name, inputs), values in found.items():
        metric = f"{inputs} input" + "s" * (inputs > 1)
        yield means.row(subject, name, metric, values)
        published = paper.PROGRAMS.get((subject, name, inputs))
        if published is not None:
            yield means.single(subject, name, f"paper, {inputs}", published)
