"""Imitation and reinforcement of inputs, on a program that wants a certain character."""

from __future__ import annotations

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from untrod.core.seeds import stream  # noqa: E402
from untrod.engines.explore.programs.batches import ProgramTrial, demonstrate  # noqa: E402
from untrod.engines.explore.programs.tasks import read_robustfill  # noqa: E402
from untrod.engines.explore.programs.trainer import ProgramPlan  # noqa: E402
from untrod.learn.gmetaexp.gradient_learner import Diverged  # noqa: E402
from untrod.learn.gmetaexp.programs.learner import ProgramLearner, Settings  # noqa: E402
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy  # noqa: E402

WORLD = read_robustfill('Concat(GetUpto("%"), GetToken(Digit, 2))', longest=4)


def learner(**settings: float) -> ProgramLearner:
    policy = ProgramPolicy(ProgramPlan("robustfill", hidden=16, rounds=1).shape(), 0)
    return ProgramLearner(policy, 0, replace(Settings(rate=1e-2), **settings))  # type: ignore[arg-type]


def likelihood(student: ProgramLearner) -> float:
    given = demonstrate([WORLD], lambda world, seen, random: "77%", 1, stream(0, "test"))
    encoding = student.policy.encode(given.states)
    past = student.policy.pasts(given.states, encoding, given.tried)
    return student.policy.decoder.score(past, encoding, torch.from_numpy(given.advised))[0].item()


def test_imitation_makes_the_advised_input_likelier() -> None:
    student = learner()
    before = likelihood(student)
    for number in range(20):
        student.imitate(
            demonstrate([WORLD] * 4, lambda world, seen, random: "77%", 2, stream(0, "test", number)), 0.0
        )
    assert likelihood(student) > before + 3


def test_reinforcement_finds_what_newly_covers() -> None:
    student = learner(group=16)
    gained = [student.reinforce(ProgramTrial([WORLD] * 8, 1), 0.0) for _ in range(60)]
    assert sum(gained[-10:]) / 10 > sum(gained[:10]) / 10 + 0.2


def test_an_input_is_worth_what_those_before_it_have_left() -> None:
    trial = ProgramTrial([WORLD], 3)
    rows = trial.states().count and torch.tensor([[WORLD.inputs.encode("77"), WORLD.inputs.encode("%77")]])
    assert trial.act(rows.numpy()).tolist() == [[0.5, 1.0]]
    assert trial.act(rows.numpy()).tolist() == [[0.0, 0.5]]  # the first one was run: its goal is taken
    assert trial.coverage.tolist() == [0.5]


def test_no_number_is_told_and_the_weights_stay() -> None:
    student = learner(entropy=float("nan"))
    before = {name: tensor.clone() for name, tensor in student.policy.state_dict().items()}
    with pytest.raises(Diverged):
        student.reinforce(ProgramTrial([WORLD] * 2, 1), 0.0)
    assert all(torch.equal(tensor, before[name]) for name, tensor in student.policy.state_dict().items())
