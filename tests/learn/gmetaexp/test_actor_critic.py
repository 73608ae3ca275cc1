"""Actor-critic and imitation, on arenas small enough to know the answer."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

sys.path.insert(0, str(Path(__file__).parent))

from bandit import Bandit  # noqa: E402

from untrod.learn.gmetaexp.actor_critic import (  # noqa: E402
    ActorCritic,
    Settings,
    follow,
    imitate,
)
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape  # noqa: E402
from untrod.learn.gmetaexp.gradient_learner import Diverged  # noqa: E402


def learner(seed: int = 0, **settings: float) -> ActorCritic:
    return ActorCritic(GraphPolicy(Shape(3, hidden=8, rounds=1), seed), seed, Settings(rate=0.02, **settings))  # type: ignore[arg-type]


def chance_of(made: ActorCritic, option: int) -> float:
    with torch.no_grad():
        table, _, _ = made.policy(Bandit(1, 0).scene(), made.policy.begin(1))
    return float(table[0, option].exp())


@pytest.mark.parametrize("good", [0, 1, 2])
@pytest.mark.parametrize("group", [1, 4])
def test_what_is_rewarded_becomes_likely(good: int, group: int) -> None:
    made = learner(group=group)
    assert chance_of(made, good) == pytest.approx(1 / 3, abs=1e-4)
    for _ in range(40):
        made.update(Bandit(16, good))
    assert chance_of(made, good) > 0.6


@pytest.mark.parametrize("good", [0, 1, 2])
def test_what_the_teacher_values_becomes_likely(good: int) -> None:
    made = learner()
    for _ in range(25):
        imitate(made, Bandit(4, good))
    assert chance_of(made, good) > 0.75


def test_the_same_seed_learns_the_same_bit_for_bit() -> None:
    one, other = learner(3), learner(3)
    for made in (one, other):
        for _ in range(3):
            made.update(Bandit(8, 1))
    weights = other.policy.state_dict()
    assert all(torch.equal(tensor, weights[name]) for name, tensor in one.policy.state_dict().items())


def test_advantages_are_the_papers() -> None:
    """Two moments, gamma = 0.5, lambda = 0.5, by hand."""
    made = learner(discount=0.5, trace=0.5)
    values, rewards = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 0.0], [2.0, 6.0]])
    _, returns = made._advantages(values, rewards, torch.ones(2, 2))
    last = [2 - 3, 6 - 4]
    first = [1 + 0.5 * 3 - 1 + 0.25 * last[0], 0 + 0.5 * 4 - 2 + 0.25 * last[1]]
    assert returns.tolist() == [[first[0] + 1, first[1] + 2], [last[0] + 3, last[1] + 4]]


def test_in_a_group_only_the_difference_to_the_others_counts() -> None:
    made = learner(group=2)
    rewards = torch.tensor([[5.0, 5.0, 1.0, 3.0]])
    advantages, _ = made._advantages(torch.zeros(1, 4), rewards, torch.ones(1, 4))
    assert advantages[0].tolist() == pytest.approx([0, 0, -np.sqrt(2), np.sqrt(2)])


def test_a_loss_that_is_no_number_stops_and_leaves_the_weights() -> None:
    made = learner()
    before = {name: tensor.clone() for name, tensor in made.policy.state_dict().items()}
    with pytest.raises(Diverged, match="nan"):
        made.descend(made.policy.prior * float("nan"), 0.0)
    assert all(torch.equal(tensor, before[name]) for name, tensor in made.policy.state_dict().items())


def test_an_arena_that_is_over_teaches_nothing() -> None:
    arena = Bandit(2, 0)
    arena.over = True
    assert learner().update(arena) == 0.0
    assert imitate(learner(), arena) == 0.0


def test_equal_options_are_told_apart_by_chance_and_not_by_number() -> None:
    class Counting(Bandit):
        def act(self, choices):  # type: ignore[no-untyped-def]
            self.chosen = choices
            return super().act(choices)

    arena = Counting(60, 0)
    follow(learner().policy, arena)
    assert set(arena.chosen.tolist()) == {0, 1, 2}
