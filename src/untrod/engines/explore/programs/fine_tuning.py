"""Practice on one program before inputs are handed over: what is learned is about this program only."""

from __future__ import annotations

from copy import deepcopy
from statistics import fmean

from untrod.engines.explore.programs.proposing import coverages
from untrod.engines.explore.programs.trial import ProgramTrial
from untrod.engines.explore.programs.world import ProgramWorld
from untrod.learn.gmetaexp.programs.learner import ProgramLearner, Settings
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy

EPISODES = 8
LOOK = 10
"""Updates from one look at what the policy does by now to the next."""


def fine_tune(
    policy: ProgramPolicy, world: ProgramWorld, inputs: int, updates: int, seed: int
) -> ProgramPolicy:
    """A copy that has practised for so many updates of 8 episodes each. If the policy was better before, it
    is as it was."""
    learner = ProgramLearner(deepcopy(policy), seed, Settings(rate=1e-3, entropy=0.02))
    moments = min(inputs, 5)
    best, most = policy, _coverage(policy, world, moments)
    for number in range(1, updates + 1):
        learner.reinforce(ProgramTrial([world] * EPISODES, moments), number / updates)
        if number % LOOK == 0 or number == updates:
            coverage = _coverage(learner.policy, world, moments)
            if coverage > most:
                best, most = deepcopy(learner.policy), coverage
    return best


def _coverage(policy: ProgramPolicy, world: ProgramWorld, inputs: int) -> float:
    """Of several tries, because inputs are drawn: one lucky input is no skill. Fewer inputs are better."""
    found = coverages(policy, [world] * EPISODES, range(1, inputs + 1))
    return fmean(map(fmean, found))
