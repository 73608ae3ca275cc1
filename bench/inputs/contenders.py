"""Who competes: one function each, which makes values for a tally until it has had enough.

All but the ceiling and Fandango run the very same strategy and `assume` lines, as a Hypothesis test.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, Verbosity, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import engine
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from bench.inputs.tally import Tally

Contender: TypeAlias = Callable[[Tally, int], None]
"""Makes values for the tally, from a seed, until `Finished` or until it gives up by itself."""


class Skipped(Exception):
    """The contender cannot run here; the text says why."""


def hypothesis_test(tally: Tally) -> Any:
    """The test that a user would write for the subject."""

    @given(tally.subject.strategy)
    def test(value: Any) -> None:
        tally.subject.check(value, assume)
        tally.accept(value)

    return test


def under_hypothesis(backend: str, tally: Tally, number: int) -> None:
    """Counts every call of the engine, also those cut short before the test saw a value.

    Hypothesis gives up after 458 rejected values and a hundred more for each valid one; that limit is
    lifted here, because the question is what the backends do with the attempts.
    """
    _warm_up(backend)
    patience, engine.INVALID_THRESHOLD_BASE = engine.INVALID_THRESHOLD_BASE, 10**9
    tally.restart_clock()
    run_once = engine.ConjectureRunner.test_function

    def counted(runner: engine.ConjectureRunner, data: ConjectureData) -> None:
        tally.attempt()
        run_once(runner, data)

    test = settings(
        backend=backend,
        max_examples=10**9,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )(seed(number)(hypothesis_test(tally)))
    engine.ConjectureRunner.test_function = counted  # type: ignore[method-assign, assignment]
    try:
        test()
    finally:
        engine.ConjectureRunner.test_function = run_once  # type: ignore[method-assign]
        engine.INVALID_THRESHOLD_BASE = patience


def _warm_up(backend: str) -> None:
    """Imports and tables that a process pays for once would weigh on whoever makes few attempts.

    The strategy is nobody's subject, so nothing learned here can help.
    """

    @seed(0)
    @settings(backend=backend, max_examples=20, database=None, deadline=None, verbosity=Verbosity.quiet)
    @given(st.tuples(st.integers(), st.floats(), st.text(), st.lists(st.booleans()), st.sampled_from("pq")))
    def nothing(value: Any) -> None:
        pass

    nothing()


class _RandomProvider(HypothesisProvider):
    """Hypothesis's own distributions, but independent draws: no novelty search, no mutation."""


def random(tally: Tally, number: int) -> None:
    AVAILABLE_PROVIDERS["bench-random"] = _RandomProvider
    under_hypothesis("bench-random", tally, number)


def untrod(learner: str, tally: Tally, number: int) -> None:
    os.environ["UNTROD_LEARNER"] = learner
    os.environ["UNTROD_WARM"] = "1"  # the folder is empty at first: a second run there starts warm
    try:
        known = importlib.import_module("untrod.learn.catalogue").LEARNERS
        importlib.import_module("untrod.engines.inputs.backend.entry").register()
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("untrod."):
            raise
        raise Skipped(f"{missing.name} is not built yet") from None
    if learner not in known:
        raise Skipped("this learner is not built yet")
    under_hypothesis("untrod", tally, number)


def constructive(tally: Tally, number: int) -> None:
    """The ceiling: somebody sat down and wrote a generator of valid values by hand."""
    source = Random(number)
    while True:
        tally.attempt()
        tally.accept(tally.subject.construct(source))


def _peer(name: str, tally: Tally, number: int) -> None:
    """Peers are imported only when they run: they are not dependencies of anything."""
    peers = importlib.import_module("bench.inputs.peers")
    getattr(peers, name)(tally, number)


DEFAULT = "hypothesis"
LEARNERS = ("montecarlo", "exonerate", "auto")
PEERS = ("hypofuzz", "fandango")
CEILING = "constructive"

CONTENDERS: Mapping[str, Contender] = {
    DEFAULT: partial(under_hypothesis, "hypothesis"),
    "random": random,
    **{learner: partial(untrod, learner) for learner in LEARNERS},
    **{peer: partial(_peer, peer) for peer in PEERS},
    CEILING: constructive,
}
