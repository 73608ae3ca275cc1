"""The bars: what the portfolio promises against every other contender in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bench.cover.contenders import BEST, CHANCE, OURS
from bench.cover.outcomes import Outcomes
from bench.cover.peers import PEERS
from bench.report import Bar

MANY_STATES = 5_000
HOMI, RANDOM = f"{BEST} + homi", f"{BEST} + random pruning"


def bars(outcomes: Outcomes) -> tuple[Bar, ...]:
    return (
        *_against_all(outcomes),
        *_against(outcomes),
        *_pruning(outcomes),
        *_claims(outcomes),
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
            name = f"subjects with more branches than {other}, or all there are, of {len(both)}"
            yield Bar.at_least(name, good, len(both) * share)


def _pruning(outcomes: Outcomes) -> Iterator[Bar]:
    many = [n for n in outcomes.subjects() if outcomes.symbolic(n, BEST, "states") > MANY_STATES]
    gains = [
        (outcomes.covered(name, HOMI) or 0) - (outcomes.covered(name, RANDOM) or 0)
        for name in many
        if outcomes.of(name, HOMI) and outcomes.of(name, RANDOM)
    ]
    if gains:
        name = f"branches that learned pruning covers beyond random pruning, median of {len(gains)} subjects"
        yield Bar.at_least(name, median(gains), 1)
        fewer = [
            outcomes.symbolic(name, BEST, "live") / max(1.0, outcomes.symbolic(name, HOMI, "live"))
            for name in many
        ]
        yield Bar.at_least("live states, no pruning / learned pruning, median", median(fewer), 5)


def _claims(outcomes: Outcomes) -> Iterator[Bar]:
    """The tests take under coverage.py what the campaign said they take."""
    for contender in (OURS, CHANCE):
        results = [r for name in outcomes.subjects() for r in outcomes.of(name, contender)]
        if results:
            exact = sum(result["claimed"] == result["covered"] for result in results)
            name = f"{contender}: suites that take exactly the branches claimed, of {len(results)}"
            yield Bar.at_least(name, exact, len(results))


def _at_least(outcomes: Outcomes, subject: str, other: str) -> bool:
    return (outcomes.covered(subject, OURS) or 0) >= (outcomes.covered(subject, other) or 0)


def _more(outcomes: Outcomes, subject: str, other: str) -> bool:
    ours, theirs = outcomes.covered(subject, OURS) or 0, outcomes.covered(subject, other) or 0
    everything = max(result["branches"] for result in outcomes.of(subject, OURS))
    return ours > theirs or ours == everything
