"""Hypothesis's own acceptance test for backends, in full."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture.provider_conformance import run_conformance_test

from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.provider import UntrodProvider


@pytest.mark.parametrize("learner", ["auto", "exonerate", "montecarlo", "random"])
def test_the_provider_conforms(learner: str) -> None:
    with configure(learner=learner, seed=1):
        run_conformance_test(
            UntrodProvider,
            settings=settings(
                max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck)
            ),
        )
