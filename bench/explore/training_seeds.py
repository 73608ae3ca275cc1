"""How much of what the weights reach is the luck of a seed: the courses of those that ship, with other seeds.

A manifest has the command that made its weights. The same command with another seed, into another folder, is
the same course: it is run as it stands, so nothing of it has to be known here. Seed 0 is what ships, and is
not trained again. All are measured on the same held-out worlds, in the way of `untrod train`.

Next to the journal, `JOURNAL.courses` keeps the courses: one that was cut goes on from its last checkpoint.
With `--quick`, all seeds are trained, for a few updates: a rehearsal, which says nothing of the weights.
"""

from __future__ import annotations

import hashlib
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from bench.explore import means, paper, walks
from bench.journal import Journal, trial_name
from bench.plan import Plan, Study
from bench.report import Result, Row
from untrod.engines.explore.measure import coverages, rival
from untrod.engines.explore.shipped import shipped
from untrod.engines.explore.weights import load_weights, read_weights
from untrod.engines.explore.worlds.tasks import TASKS, task

RIVAL = "frontier"
NOTE = "in rows of several seeds, the brackets are quartiles over the seeds' means"


@dataclass(frozen=True)
class Scale:
    worlds: int
    minutes: float
    stop: int | None  # the update at which every course ends; None: where that of the shipped weights did


QUICK, FULL = Scale(50, 2.0, 3), Scale(1000, 60.0, None)


def run(plan: Plan) -> Result:
    scale, journal = (QUICK if plan.quick else FULL), Journal(plan.journal)
    deadline = time.monotonic() + 60 * (scale.minutes if plan.minutes is None else plan.minutes)
    rows: list[Row] = []
    notes = [means.NOTE, NOTE]
    if scale.stop is not None:
        notes.append(f"training seeds: a rehearsal, every course ends at update {scale.stop}")
    with _courses(plan.journal) as courses:
        for subject in filter(plan.wants, TASKS):
            if shipped(subject) is None:
                notes.append(f"no weights for {subject} ship")
                continue
            theirs, reached = _frontier(journal, subject, scale.worlds), dict[str, list[float]]()
            for seed in (0, *plan.seeds_or(2, 2)):
                found = _trial(journal, courses, scale, subject, seed, deadline)
                if found is None:
                    notes.append(f"{subject}, seed {seed}: not trained to the end, time was up")
                    continue
                name = f"seed {seed}" + ", ships" * (scale.stop is None and seed == 0)
                reached[name] = found
                plan.say(f"{subject}, {name}: {fmean(found):.4f} (frontier {fmean(theirs):.4f})")
            rows += _rows(subject, reached, theirs)
    return Result(tuple(rows), (), tuple(notes))


STUDY = Study("training seeds", TASKS.names, run)


def command_of(subject: str, seed: int, folder: Path, stop: int | None) -> list[str]:
    """The words after `untrod` that train with this seed. Of an option given twice, the last one counts."""
    shipping = shipped(subject)
    if shipping is None:
        raise ValueError(f"no weights for {subject}")
    words = shlex.split(read_weights(shipping)[0]["command"])[1:]
    words += ["--seed", str(seed), "--out", str(folder), "--worlds", "1"]  # they are measured here
    return words if stop is None else [*words, "--stop", str(stop)]


def _trial(
    journal: Journal, courses: Path, scale: Scale, subject: str, seed: int, deadline: float
) -> list[float] | None:
    """The coverages of held-out worlds; None: there was no time to train to the end."""
    folder = shipped(subject)
    assert folder is not None
    words = {"subject": subject, "worlds": scale.worlds, "training seed": seed}
    if scale.stop is None and seed == 0:
        key = trial_name({**words, "weights": read_weights(folder)[0]["sha256"]}, _code())
    else:
        key = trial_name({**words, "command": command_of(subject, seed, Path(), scale.stop)}, _code())
        folder = courses / f"{subject}-{seed}-{hashlib.blake2b(key.encode(), digest_size=4).hexdigest()}"
    known: list[float] | None = journal.get(key)
    if known is None:
        if folder.parent == courses and not _train(command_of(subject, seed, folder, scale.stop), deadline):
            return None
        family, (policy, manifest) = task(subject), load_weights(folder)
        worlds = list(family.worlds(0, "held-out", scale.worlds))
        known = coverages(policy, worlds, family.steps, manifest["moves"])
        journal.put(key, known)
    return known


def _train(words: list[str], deadline: float) -> bool:
    """True: it came to its end."""
    left = deadline - time.monotonic()
    if left <= 0:
        return False
    command = [sys.executable, "-m", "untrod", *words]
    try:
        subprocess.run(command, timeout=left, check=True, stdout=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    return True


def _frontier(journal: Journal, subject: str, count: int) -> list[float]:
    key = trial_name({"subject": subject, "worlds": count, "rival": RIVAL}, _code())
    family = task(subject)
    worlds = family.worlds(0, "held-out", count)
    known: list[float] = journal.recall(key, lambda: rival(RIVAL, list(worlds), family.steps, 0, family.name))
    return known


def _code() -> list[Path]:
    return [*sorted(walks.EXPLORE.glob("*.py")), walks.WORLDS, walks.EXPLORE / "walkers", walks.LEARN]


@contextmanager
def _courses(journal: Path | None) -> Iterator[Path]:
    if journal is not None:
        yield journal.with_name(journal.name + ".courses")
        return
    with TemporaryDirectory() as folder:
        yield Path(folder)


def _rows(subject: str, reached: dict[str, list[float]], theirs: list[float]) -> Iterator[Row]:
    gains = {
        name: [one - other for one, other in zip(ours, theirs, strict=True)] for name, ours in reached.items()
    }
    yield means.row(subject, RIVAL, "coverage", theirs)
    for name in reached:
        yield means.row(subject, name, "coverage", reached[name])
        yield means.row(subject, name, f"gain over {RIVAL}", gains[name])
    if len(reached) > 1:
        several = f"{len(reached)} seeds"
        yield Row.of(subject, several, "coverage", [fmean(each) for each in reached.values()])
        yield Row.of(subject, several, f"gain over {RIVAL}", [fmean(each) for each in gains.values()])
        published = paper.WALKS.get((subject, "trained"))
        if published is not None:
            yield means.single(subject, several, "paper", published)
