"""Synchronous advantage actor-critic over whole episodes of many graphs at once (GMetaExp, "Learning").

    r_t     = |newly covered| / |V|                                   eq. 2; an `Arena` pays it
    delta_t = r_t + gamma V_{t+1} - V_t
    A_t     = delta_t + gamma lambda A_{t+1}                          generalised advantage estimation
    loss    = - A_t log pi(a_t) + c_V (V_t - (A_t + V_t))^2 - c_H H(pi_t)

All walkers of a batch act, the network learns once, and the next batch begins: one process, no stale
policy, and the same numbers for the same seed. With `group` > 1, so many neighbours of the batch walk the
same world, and the advantage is the return less the mean of the group: what the world gives to everybody
teaches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from untrod.core.seeds import derive
from untrod.learn.gmetaexp.ggnn import GraphPolicy
from untrod.learn.gmetaexp.gradient_learner import GradientLearner
from untrod.learn.gmetaexp.scenes import Floats, Ints, Scene

TIE = 1e-4
"""Log-probabilities that differ by less are equal."""


class Arena(Protocol):
    """Many worlds, each in the middle of an episode."""

    @property
    def over(self) -> bool: ...

    def scene(self) -> Scene: ...

    def act(self, choices: Ints) -> Floats:
        """For each graph the number of its option, as the scene has them. Returns rewards."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    rate: float = 3e-3
    discount: float = 1.0
    trace: float = 0.95
    value_share: float = 0.5
    entropy: float = 0.01
    clip: float = 1.0
    scale: float = 10.0
    """Rewards are shares of a world; the critic learns better from numbers around one."""
    group: int = 1


class ActorCritic(GradientLearner[GraphPolicy]):
    def __init__(self, policy: GraphPolicy, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        super().__init__(policy, seed, self.settings)

    def update(self, arena: Arena, progress: float = 0.0) -> float:
        """One batch of episodes and one step of the optimiser. `progress` from 0 to 1 lowers the learning
        rate to a tenth and the entropy bonus to nothing. Returns the mean reward of the episodes."""
        if arena.over:
            return 0.0  # nothing to learn from
        settings = self.settings
        picked, values, rewards, entropies, counted = _play(self.policy, arena, self.generator)
        advantages, returns = self._advantages(values.detach(), rewards * settings.scale, counted)
        error = ((values - returns) ** 2 * counted).sum()
        bonus = settings.entropy * (1 - progress) * (entropies * counted).sum()
        loss = (-(picked * advantages * counted).sum() + settings.value_share * error - bonus) / counted.sum()
        self.descend(loss, progress)
        return float(rewards.sum(0).mean())

    def _advantages(self, values: Tensor, rewards: Tensor, counted: Tensor) -> tuple[Tensor, Tensor]:
        settings = self.settings
        values = values * counted
        advantages, after, running = (
            torch.zeros_like(values),
            torch.zeros(values.shape[1]),
            torch.zeros(values.shape[1]),
        )
        for moment in range(len(values) - 1, -1, -1):
            # delta_t = r_t + gamma V_{t+1} - V_t;  A_t = delta_t + gamma lambda A_{t+1}
            delta = rewards[moment] + settings.discount * after - values[moment]
            running = delta + settings.discount * settings.trace * running
            advantages[moment], after = running, values[moment]
        returns = advantages + values
        if settings.group > 1:
            total = rewards.sum(0).view(-1, settings.group)
            advantages = (total - total.mean(1, keepdim=True)).reshape(1, -1).expand_as(values)
        else:
            advantages = advantages - (advantages * counted).sum() / counted.sum()
        spread = ((advantages**2 * counted).sum() / counted.sum()).sqrt().clamp(min=1e-3)
        return advantages / spread, returns


def _play(policy: GraphPolicy, arena: Arena, generator: torch.Generator) -> tuple[Tensor, ...]:
    """A row for each moment, a column for each world: log pi(a), V, reward, entropy, does it count."""
    rows: list[tuple[Tensor, ...]] = []
    state = None
    while not arena.over:
        scene = arena.scene()
        chances, value, state = policy(scene, state or policy.begin(scene.graphs))
        choices = draw(chances.detach(), generator)
        reward = torch.from_numpy(arena.act(choices.numpy()))
        entropy = -(chances.exp() * chances.clamp(min=-50.0)).sum(1)
        picked = chances.gather(1, choices[:, None])[:, 0]
        rows.append((picked, value, reward, entropy, torch.from_numpy(scene.alive).float()))
    return tuple(torch.stack(column) for column in zip(*rows, strict=True))


def draw(chances: Tensor, generator: torch.Generator) -> Tensor:
    return torch.multinomial(chances.exp(), 1, generator=generator)[:, 0]


@torch.no_grad()
def follow(policy: GraphPolicy, arena: Arena, seed: int = 0) -> None:
    """Every world to its end, by the best option each time. Equals are told apart by chance: by number
    would be by place, where numbers have been given in some order, and an untrained network would seem to
    know the world."""
    state, generator = None, torch.Generator().manual_seed(derive(seed, "follow"))
    while not arena.over:
        scene = arena.scene()
        chances, _, state = policy(scene, state or policy.begin(scene.graphs))
        tie_break = torch.rand(chances.shape, generator=generator) * TIE
        arena.act((chances + tie_break).argmax(1).numpy())


# -- imitation, before reinforcement ----------------------------------------------------------------------
#
# Learning from a planner that says what each option is worth: before reinforcement, and much faster.
#
# The student walks, and the teacher is asked wherever it comes: it learns in the states that it brings about
# itself (DAgger). The teacher does not say what to do, but estimates what each option would bring. The
# student moves its chances towards the better ones (AggreVaTe):
#
# loss = - sum_a pi(a) (estimate(a) - mean estimate)  - c_H H(pi)
#
# Estimates from few samples are noisy. This loss is linear in them, so noise averages out over many states,
# where labels "the best option" would be wrong half the time among near equals.


class Taught(Arena, Protocol):
    """An arena with a teacher."""

    def advice(self, scene: Scene) -> Floats:
        """For each option of the scene what it would bring, as the rewards count; NaN: unknown."""
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
