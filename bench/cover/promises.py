"""The bars: what the portfolio promises against every other contender in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bench.cover.contenders import BEST, CHANCE, CONTENDERS, OURS, Ours
from bench.cover.outcomes import Outcomes
from bench.cover.peers import PEERS
from bench.report import Bar

MANY_STATES = 5_000
MEMORY = 2048
"""MB: what `untrod cover` allows itself unless told otherwise."""
HOMI, RANDOM = f"{BEST} + homi", f"{BEST} + random pruning"


def bars(outcomes: Outcomes) -> tuple[Bar, ...]:
    return (
        *_against_all(outcomes),
        *_against(outcomes),
        *_pruning(outcomes),
        *_suites(outcomes),
    )


def _against_all(outcomes: Outcomes) -> Iterator[Bar]:
    ran = [name for name in outcomes.subjects() if outcomes.of(name, OURS)]
    if ran:
        good = [
            name
            for name in ran
            if all(_at_least(outcomes, name, other) for other in outcomes.contenders(name))
        ]
        name = f"subjects where {OURS} covers at least as many branches as every contender, of {len(ran)}"
        yield Bar.at_least(name, len(good), len(ran) * 10 / 12)


def _against(outcomes: Outcomes) -> Iterator[Bar]:
    for other, share in ((CHANCE, 1.0), *((peer, 2 / 3) for peer in PEERS)):
        both = [n for n in outcomes.subjects() if outcomes.of(n, OURS) and outcomes.of(n, other)]
        if not both:
            continue
        if other == CHANCE:
            good = sum(_at_least(outcomes, name, other) for name in both)
            yield Bar.at_least(
                f"subjects with no fewer branches than {other}, of {len(both)}", good, len(both)
            )
        else:
            good = sum(_more(outcomes, name, other) for name in both)
            name = f"subjects with more branches than {other}, of {len(both)}"
            yield Bar.at_least(name, good, len(both) * share)


def _pruning(outcomes: Outcomes) -> Iterator[Bar]:
    """Where there are many states. The portfolio's gain is the promise; what learned pruning gains with the
    same searcher says what pruning has to do with it."""
    many = [n for n in outcomes.subjects() if outcomes.symbolic(n, BEST, "states") > MANY_STATES]
    for contender in (OURS, HOMI):
        gains = [
            (outcomes.covered(name, contender) or 0) - (outcomes.covered(name, RANDOM) or 0)
            for name in many
            if outcomes.of(name, contender) and outcomes.of(name, RANDOM)
        ]
        if gains:
            name = (
                f"branches of {contender} beyond {RANDOM}, median of {len(gains)} with over {MANY_STATES:,}"
            )
            yield Bar.more_than(f"{name} states", median(gains), 0)
    fewer = [
        outcomes.symbolic(name, BEST, "live") / max(1.0, outcomes.symbolic(name, HOMI, "live"))
        for name in many
        if outcomes.of(name, HOMI)
    ]
    if fewer:
        yield Bar.at_least(f"live states there, {BEST} / {HOMI}, median", median(fewer), 5)


def _suites(outcomes: Outcomes) -> Iterator[Bar]:
    """The tests pass, and take under coverage.py what the campaign said they take."""
    ours = [name for name, of in CONTENDERS.items() if isinstance(of, Ours)]
    results = [r for name in outcomes.subjects() for one in ours for r in outcomes.of(name, one)]
    if results:
        count = len(results)
        exact = sum(result["claimed"] == result["covered"] for result in results)
        passing = sum(result["passes"] for result in results)
        yield Bar.at_least(f"our suites that take exactly the branches claimed, of {count}", exact, count)
        yield Bar.at_least(f"our suites that pass, of {count}", passing, count)
        most = max(result["memory"] for result in results)
        yield Bar.at_most("MB of memory in use by one of our processes", most, MEMORY)


def _at_least(outcomes: Outcomes, subject: str, other: str) -> bool:
    return (outcomes.covered(subject, OURS) or 0) >= (outcomes.covered(subject, other) or 0)


def _more(outcomes: Outcomes, subject: str, other: str) -> bool:
    return (outcomes.covered(subject, OURS) or 0) > (outcomes.covered(subject, other) or 0)
