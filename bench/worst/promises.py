"""The bars of the matrix: the true worst, the paper's table, WISE, and the hill-climber at equal CPU time."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bench.report import Bar
from bench.worst.outcomes import Outcomes
from bench.worst.subjects import SUBJECTS

OURS, PAPER = "auto", "pyse"
TABLE = {("smith-waterman", 100): 2, ("boyer-moore", 30): 3, ("boyer-moore", 100): 82}
"""Paths that the paper's PySE ran, pre-trained, to its longest path."""
KNOWN = {("insertion-sort", 30): 435, ("insertion-sort", 100): 4_950}
CLIMB_SIZE = 30
FEWER = 10


def bars(outcomes: Outcomes) -> tuple[Bar, ...]:
    return tuple(
        bar
        for subject in outcomes.subjects()
        for bar in (
            *_true_worst(outcomes, subject),
            *_known(outcomes, subject),
            *_table(outcomes, subject),
            *_fewer_than_wise(outcomes, subject),
            *_not_below_climbing(outcomes, subject),
        )
    )


def rank(subject: str, policy: str, size: int) -> int:
    """How much hangs on this trial: 1 is what is compared seed by seed, 3 is in no bar."""
    table = policy == PAPER and (subject, size) in TABLE
    if table or (policy in (OURS, "climb") and size == CLIMB_SIZE):
        return 1
    of = SUBJECTS[subject]
    against_wise = of.irregular and policy in (OURS, "wise")
    known = policy == OURS and (subject, size) in KNOWN
    return 2 if size in of.small or against_wise or known else 3


def _true_worst(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    for size in outcomes.sizes(subject):
        worst = outcomes.true_worst(subject, size)
        ours = outcomes.best(subject, size, OURS)
        if worst is not None and ours:
            yield Bar.at_least(f"{subject} {size}: branches, {OURS}, worst seed", min(ours.values()), worst)


def _known(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    for (name, size), worst in KNOWN.items():
        ours = outcomes.best(subject, size, OURS) if name == subject else {}
        if ours:
            yield Bar.at_least(f"{subject} {size}: branches, {OURS}, worst seed", min(ours.values()), worst)


def _table(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    """Paths that PySE's policy needs to its best input: as the paper counts, without practice."""
    for (name, size), paths in TABLE.items():
        if name != subject or not outcomes.of(subject, size, PAPER):
            continue
        found = outcomes.best(subject, size, PAPER).values()
        target = max(1, *found)  # no input at all, or one without a branch, is no worst path
        needed = outcomes.paths_to(subject, size, PAPER, target).values()
        value = median(count for count, _ in needed) if all(there for _, there in needed) else None
        yield Bar.at_most(f"{subject} {size}: paths to the worst, {PAPER}, median (paper's)", value, paths)


def _fewer_than_wise(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    """Where WISE never gets there, all the paths it walked are counted: it needs at least these.

    That is a lower bound of the ratio, and the bar's name says so; few long paths in the time may be too few
    to show what the bar asks for, and then it is lost.
    """
    if not SUBJECTS[subject].irregular:
        return
    for size in outcomes.sizes(subject):
        if size in SUBJECTS[subject].small or not outcomes.of(subject, size, "wise"):
            continue
        ours = outcomes.best(subject, size, OURS)
        if not ours:
            continue
        target = int(median(ours.values()))
        mine = [count for count, there in outcomes.paths_to(subject, size, OURS, target).values() if there]
        theirs = outcomes.paths_to(subject, size, "wise", target).values()
        found = target > 0 and mine and theirs
        value = median(count for count, _ in theirs) / max(1, median(mine)) if found else None
        all_there = all(there for _, there in theirs)
        what = "paths to" if all_there else "all paths that wise walked without reaching"
        yield Bar.at_least(f"{subject} {size}: {what} {OURS}'s worst, wise / {OURS}", value, FEWER)


def _not_below_climbing(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    """Nothing found is not as good as nothing found: no value, and the bar is lost."""
    ours = outcomes.best(subject, CLIMB_SIZE, OURS)
    theirs = outcomes.best(subject, CLIMB_SIZE, "climb")
    seeds = ours.keys() & theirs.keys()
    if seeds:
        found = all(ours[seed] > 0 for seed in seeds)
        least = min(ours[seed] - theirs[seed] for seed in seeds) if found else None
        name = f"{subject} {CLIMB_SIZE}: branches, {OURS} - climb in the same CPU time, worst seed"
        yield Bar.at_least(name, least, 0)
