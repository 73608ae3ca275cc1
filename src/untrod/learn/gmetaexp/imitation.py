"""Learning from a planner that says what each option is worth: before reinforcement, and much faster.

The student walks, and the teacher is asked wherever it comes: it learns in the states that it brings about
itself (DAgger). The teacher does not say what to do, but estimates what each option would bring. The
student moves its chances towards the better ones (AggreVaTe):

loss = - sum_a pi(a) (estimate(a) - mean estimate)  - c_H H(pi)

Estimates from few samples are noisy. This loss is linear in them, so noise averages out over many states,
where labels "the best option" would be wrong half the time among near equals.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from untrod.learn.gmetaexp.actor_critic import ActorCritic, Arena, draw
from untrod.learn.gmetaexp.scenes import Floats, Scene


class Taught(Arena, Protocol):
    """An arena with somebody to ask."""

    def advice(self, scene: Scene) -> Floats:
        """For each option of the scene what it would bring, as the rewards count; NaN: nobody knows."""
        ...


def imitate(learner: ActorCritic, arena: Taught, progress: float = 0.0) -> float:
    """One batch of episodes and one step of the optimiser. Returns the mean reward."""
    if arena.over:
        return 0.0  # nothing to learn from
    settings, policy = learner.settings, learner.policy
    losses: list[Tensor] = []
    total, decisions, state = 0.0, 0, None
    while not arena.over:
        scene = arena.scene()
        chances, _, state = policy(scene, state or policy.begin(scene.graphs))
        places, width = scene.slots
        advice = np.full(scene.graphs * width, np.nan, np.float32)
        advice[places] = arena.advice(scene)
        worth = torch.from_numpy(advice).view(scene.graphs, width)
        known = torch.isfinite(worth)
        told = (known.sum(1) > 1) & torch.from_numpy(scene.alive)
        worth = torch.where(known, worth, torch.zeros(()))
        worth = (worth - (worth.sum(1) / known.sum(1).clamp(min=1))[:, None]) * known
        entropy = -(chances.exp() * chances.clamp(min=-50.0)).sum(1)
        gain = (chances.exp() * worth * settings.scale).sum(1)
        losses.append(-((gain + settings.entropy * (1 - progress) * entropy) * told).sum())
        decisions += int(told.sum())
        total += float(arena.act(draw(chances.detach(), learner.generator).numpy()).sum())
    learner.descend(torch.stack(losses).sum() / max(1, decisions), progress)
    return total / scene.graphs
