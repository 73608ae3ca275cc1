"""The bars of the matrix: what the default learner promises against Hypothesis's default in the same run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from bench.inputs.contenders import DEFAULT
from bench.inputs.outcomes import Outcomes
from bench.inputs.subjects import LEARNABLE
from bench.report import Bar

OURS = "auto"
WARM = f"{OURS}, warm"
GAINS = {"bst": 10, "bst-recursive": 10, "sorted-list": 10, "sql": 5, "parens": 50, "pom": 50}
WORST_SEED = {"parens": 10, "pom": 10}
COLD_STARTS = ("json", "lambda")


def bars(outcomes: Outcomes) -> tuple[Bar, ...]:
    """Only for subjects on which both ran: what was skipped is in the notes."""
    both = [name for name in outcomes.subjects() if outcomes.of(name, OURS) and outcomes.of(name, DEFAULT)]
    return tuple(
        bar
        for subject in both
        for bar in (
            *_unique(outcomes, subject),
            *_first_valid(outcomes, subject),
            *_controls(outcomes, subject),
            *_bugs_found(outcomes, subject),
        )
    ) + tuple(_bugs_sooner(outcomes, both))


def _unique(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    ours, default = outcomes.unique(subject, OURS), outcomes.unique(subject, DEFAULT)
    if subject in GAINS:
        gain = median(ours.values()) / max(1.0, median(default.values()))
        yield Bar.at_least(f"{subject}: unique valid, {OURS} / {DEFAULT}", gain, GAINS[subject])
    if subject in WORST_SEED:
        worst = min(ours[seed] / max(1.0, default[seed]) for seed in ours.keys() & default.keys())
        yield Bar.at_least(f"{subject}: the same on the worst seed", worst, WORST_SEED[subject])


def _first_valid(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    if subject in COLD_STARTS:
        latest = _latest(outcomes.first_valid(subject, OURS))
        yield Bar.at_most(f"{subject}: first valid attempt, {OURS}, worst seed", latest, 458)
    warm = outcomes.first_valid(subject, WARM)
    if subject in LEARNABLE and warm:
        yield Bar.at_most(f"{subject}: first valid attempt, {WARM}, worst seed", _latest(warm), 50)


def _latest(attempts: Mapping[int, int | None]) -> int | None:
    """The worst seed's; None when a seed never got there."""
    known = [attempt for attempt in attempts.values() if attempt is not None]
    return max(known) if len(known) == len(attempts) else None


def _controls(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    """The cost of learning where there is nothing to learn."""
    if subject not in ("no-assume", "hash"):
        return
    most = 1.1 if subject == "no-assume" else 1.2
    cost = _ratio(outcomes.cpu_per_attempt(subject, OURS), outcomes.cpu_per_attempt(subject, DEFAULT))
    yield Bar.at_most(f"{subject}: CPU time per attempt, {OURS} / {DEFAULT}", cost, most)
    if subject == "hash":
        kept = _ratio(outcomes.unique(subject, OURS), outcomes.unique(subject, DEFAULT))
        yield Bar.at_least(f"{subject}: unique valid, {OURS} / {DEFAULT}", kept, 0.8)


def _ratio(ours: Mapping[int, float], default: Mapping[int, float]) -> float | None:
    """Seed against seed, then the median; None when no seed gave both."""
    pairs = [ours[seed] / default[seed] for seed in ours.keys() & default.keys() if default[seed]]
    return median(pairs) if pairs else None


def _bugs_found(outcomes: Outcomes, subject: str) -> Iterator[Bar]:
    ours = sum(map(len, outcomes.found(subject, OURS).values()))
    default = sum(map(len, outcomes.found(subject, DEFAULT).values()))
    yield Bar.at_least(f"{subject}: bugs found by {OURS}, {DEFAULT}'s number", ours, default)


def _bugs_sooner(outcomes: Outcomes, subjects: list[str]) -> Iterator[Bar]:
    """Over all bugs and seeds that either found: who was there first. Never is later than any time."""
    for unit, which in (("attempts", 0), ("CPU time", 1)):
        ratios: list[float] = []
        for subject in subjects:
            theirs = outcomes.found(subject, DEFAULT)
            for seed, ours in outcomes.found(subject, OURS).items():
                for bug in ours.keys() | theirs.get(seed, {}).keys():
                    late = 1e9
                    mine = ours[bug][which] if bug in ours else late
                    other = theirs.get(seed, {})[bug][which] if bug in theirs.get(seed, {}) else late
                    ratios.append(mine / max(other, 1e-6))
        if ratios:
            name = f"all subjects: {unit} to a bug, {OURS} / {DEFAULT}, median"
            yield Bar.at_most(name, median(ratios), 1.0)
