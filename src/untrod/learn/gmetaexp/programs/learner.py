"""How a policy for programs learns: first from a teacher's inputs, then from what its own inputs bring.

*Imitation* raises the log-probability of the input that the teacher advises in each state, given the history
of what was really tried there (behaviour cloning).

*Reinforcement* draws a group of inputs in each state, and compares them with one another:

    A_i  = (r_i - mean of the group) / spread                       r_i: the share that input i newly covers
    loss = - A_i log pi(input i) - c_H H(pi)

The group shares its state and its history, so an input is only worth what those before it have left over: a
policy that proposes the same good input again gains nothing by it, and diversity does not collapse. The
first of the group is the one that is run for good, and the episode goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from untrod.learn.gmetaexp.gradient_learner import GradientLearner
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy
from untrod.learn.gmetaexp.programs.states import States
from untrod.learn.gmetaexp.scenes import Floats, Ints


@dataclass(frozen=True, slots=True)
class Settings:
    rate: float = 2e-3
    clip: float = 1.0
    entropy: float = 0.01
    group: int = 6


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """`advised` has the teacher's input for each state; `tried` the inputs that were run, episodes by moments
    by numbers."""

    states: States
    tried: Ints
    advised: Ints
    covered: float
    """What the episodes came to, on average."""


class Trial(Protocol):
    """Episodes under way, all at the same moment."""

    @property
    def over(self) -> bool: ...

    @property
    def length(self) -> int:
        """Of a row."""
        ...

    def states(self) -> States:
        """Of the episodes that are not over; their moments are 0."""
        ...

    def act(self, rows: Ints) -> Floats:
        """States by group by numbers. Runs all, goes on from the first. What each would newly cover."""
        ...

    def transcript(self) -> tuple[States, Ints]:
        """All states there were, in order of time, and the inputs that were gone on from."""
        ...

    @property
    def coverage(self) -> Floats: ...


class ProgramLearner(GradientLearner[ProgramPolicy]):
    def __init__(self, policy: ProgramPolicy, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        super().__init__(policy, seed, self.settings)

    def imitate(self, demonstrations: Demonstrations, progress: float) -> float:
        """One step of the optimiser. Returns the mean coverage of the episodes."""
        policy, states = self.policy, demonstrations.states
        encoding = policy.encode(states)
        past = policy.pasts(states, encoding, demonstrations.tried)
        likely, _ = policy.decoder.score(past, encoding, torch.from_numpy(demonstrations.advised))
        self.descend(-likely.mean(), progress)
        return demonstrations.covered

    def reinforce(self, trial: Trial, progress: float) -> float:
        """A batch of episodes and one step of the optimiser. Returns the mean coverage of the episodes."""
        settings, policy = self.settings, self.policy
        rows, rewards = self._play(trial)
        states, tried = trial.transcript()
        encoding = policy.encode(states)
        each = torch.arange(states.count).repeat_interleave(settings.group)
        past = policy.pasts(states, encoding, tried)[each]
        likely, entropy = policy.decoder.score(past, encoding.rows(each), rows.flatten(0, 1))
        gains = rewards - rewards.mean(1, keepdim=True)
        gains = gains / gains.square().mean().sqrt().clamp(min=1e-3)
        bonus = settings.entropy * (1 - progress) * entropy.mean()
        self.descend(-(gains.flatten() * likely).mean() - bonus, progress)
        return float(trial.coverage.mean())

    @torch.no_grad()
    def _play(self, trial: Trial) -> tuple[Tensor, Tensor]:
        """States by group by numbers, and what each row newly covers."""
        policy, group = self.policy, self.settings.group
        memory, last = None, None
        rows: list[Tensor] = []
        rewards: list[Tensor] = []
        while not trial.over:
            states = trial.states()
            encoding = policy.encode(states)
            everybody = memory or policy.begin(len(trial.coverage))
            there = torch.from_numpy(states.episode)
            mine = (everybody[0][there], everybody[1][there])
            past, mine = policy.update_memory(encoding.whole, None if last is None else last[there], mine)
            each = torch.arange(states.count).repeat_interleave(group)
            temperature = torch.ones(len(each))
            made = policy.decoder.write(
                past[each], encoding.rows(each), temperature, self.generator, trial.length
            )
            made = made.view(states.count, group, -1)
            rewards.append(torch.from_numpy(trial.act(made.numpy())))
            rows.append(made)
            memory = (everybody[0].index_copy(0, there, mine[0]), everybody[1].index_copy(0, there, mine[1]))
            last = torch.zeros(len(trial.coverage), trial.length, dtype=torch.long) if last is None else last
            last = last.index_copy(0, there, made[:, 0])
        return torch.cat(rows), torch.cat(rewards)
