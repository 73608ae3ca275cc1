"""Fine-tuning: a trained policy practises on the one graph that it will be measured on.

That takes a world that can be begun again as often as one likes, as a recorded app can. What is learned is
about this graph only: where its sinks are, which of two equal looking links leads on. So the network stays as
it is, and habits are learned on top of it (`ggnn.py`): by its features alone it could not tell the two links
apart, however long it practised. That is also twice as fast: the gradient ends at the habits.
"""

from __future__ import annotations

from copy import deepcopy

from untrod.engines.explore.decisions import Decisions
from untrod.engines.explore.fleet import Moves
from untrod.engines.explore.worlds.graph import Graph
from untrod.learn.gmetaexp.actor_critic import ActorCritic, Settings, follow
from untrod.learn.gmetaexp.ggnn import GraphPolicy

WALKERS = 16
LOOK = 10
"""Updates from one look at what the policy does by now to the next."""
RATE, ENTROPY = 2e-2, 0.02
MOST_NODES = 2_000
"""Habits are a table of nodes by nodes. In larger graphs the network itself is what practises."""


def fine_tune(
    policy: GraphPolicy, graph: Graph, steps: int, updates: int, seed: int, moves: Moves = "aims"
) -> GraphPolicy:
    """A copy that has practised for so many updates of 16 walks each. If the policy was better before, it
    is as it was."""
    tuned = deepcopy(policy)
    if graph.nodes <= MOST_NODES:
        tuned.requires_grad_(False)
        tuned.judge.requires_grad_(True)  # so that there is a gradient where no habit had a say
        tuned.settle(graph.nodes)
    learner = ActorCritic(tuned, seed, Settings(rate=RATE, entropy=ENTROPY, group=WALKERS))
    best, best_coverage = policy, _coverage(policy, graph, steps, moves)
    for number in range(1, updates + 1):
        learner.update(Decisions([graph] * WALKERS, steps, moves), number / updates)
        if number % LOOK == 0 or number == updates:
            coverage = _coverage(learner.policy, graph, steps, moves)
            if coverage > best_coverage:
                best, best_coverage = deepcopy(learner.policy), coverage
    return best


def _coverage(policy: GraphPolicy, graph: Graph, steps: int, moves: Moves) -> float:
    """Of several walks, because equals are told apart by chance: one lucky walk is no skill."""
    fleet = Decisions([graph] * WALKERS, steps, moves)
    follow(policy, fleet)
    return float(fleet.coverage.mean())
