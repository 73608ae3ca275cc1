"""The bars of `explore`: what weights that ship, and ways of choosing inputs, have to reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from bench.explore.means import gain
from bench.report import Bar

Coverages = dict[tuple[str, str], Sequence[float]]
"""Of each world, by subject and contender."""
LEAST = {"maze": 0.73, "braided": 0.90, "app": 0.665}
FINE_TUNED = 0.70
DIRECTED = 0.05
MILLISECONDS = 2.0
PROGRAMS = {
    ("robustfill", 1): 0.85,
    ("robustfill", 5): 0.95,
    ("karel", 1): 0.75,
    ("karel", 5): 0.95,
}


def walks(found: Coverages) -> tuple[Bar, ...]:
    return (*_least(found), *_paired(found))


def _least(found: Coverages) -> Iterator[Bar]:
    for subject, least in LEAST.items():
        if (subject, "trained") in found:
            yield Bar.at_least(f"{subject}: coverage, trained", fmean(found[subject, "trained"]), least)
    if ("app", "fine-tuned") in found:
        yield Bar.at_least("app: coverage, fine-tuned", fmean(found["app", "fine-tuned"]), FINE_TUNED)


def _paired(found: Coverages) -> Iterator[Bar]:
    """Lower ends of 95% intervals where a gain must be certain, upper ends where a loss must not be."""
    for rival in ("dfs", "frontier"):
        low, _ = _ends(found, "maze", rival)
        if low is not None:
            name = f"maze: trained - {rival}, lower end of the 95% interval"
            yield Bar(f"{name}, above", low, 0.0, low > 0)
    _, high = _ends(found, "app", "frontier")
    if high is not None:
        yield Bar.at_least("app: trained - frontier, upper end of the 95% interval", high, 0.0)
    for subject, rival, least in (
        ("maze-10", "dfs", 0.0),
        ("braided-10", "dfs", 0.0),
        ("directed-app", "frontier", DIRECTED),
    ):
        if {(subject, "trained"), (subject, rival)} <= found.keys():
            mean, _ = gain(found[subject, "trained"], found[subject, rival])
            yield Bar.at_least(f"{subject}: trained - {rival}, mean", mean, least)


def _ends(found: Coverages, subject: str, rival: str) -> tuple[float | None, float | None]:
    if not {(subject, "trained"), (subject, rival)} <= found.keys():
        return None, None
    mean, within = gain(found[subject, "trained"], found[subject, rival])
    return mean - within, mean + within


def programs(found: Mapping[tuple[str, str, int], Sequence[float]]) -> tuple[Bar, ...]:
    """Of the policy that ships; and program by program against hill-climbing with as many inputs."""
    bars = []
    for (subject, inputs), least in PROGRAMS.items():
        if (subject, "trained", inputs) in found:
            reached = fmean(found[subject, "trained", inputs])
            bars.append(Bar.at_least(f"{subject}: coverage with {inputs} inputs, trained", reached, least))
    for (subject, name, inputs), ours in found.items():
        theirs = found.get((subject, "hill-climbing", inputs))
        if name == "trained" and theirs is not None:
            mean, _ = gain(ours, theirs)
            what = f"{subject}: trained - hill-climbing with {inputs} inputs, mean, above"
            bars.append(Bar(what, mean, 0.0, mean > 0))
    return tuple(bars)


def pace(subject: str, what: str, milliseconds: float) -> Bar:
    return Bar.at_most(f"{subject}: CPU ms for {what}, median", milliseconds, MILLISECONDS)
