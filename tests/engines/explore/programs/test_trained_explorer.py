"""A policy at work: the likeliest input first, drawn ones after fruitless ones, in the end by chance."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from untrod.engines.explore.programs import trained  # noqa: E402
from untrod.engines.explore.programs.episode import explore  # noqa: E402
from untrod.engines.explore.programs.tasks import read_robustfill, task  # noqa: E402
from untrod.engines.explore.programs.trained import (  # noqa: E402
    PATIENCE,
    USUAL,
    BatchProposer,
    TrainedExplorer,
    coverages,
)
from untrod.engines.explore.programs.trainer import ProgramPlan, fine_tune  # noqa: E402
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy  # noqa: E402

POLICY = ProgramPolicy(ProgramPlan("robustfill", hidden=16, rounds=1).shape(), 0)
HARD = read_robustfill('Concat(GetToken(Number, 5), GetUpto("%"))', longest=12)


def test_many_programs_at_once_are_given_what_each_would_be_given_alone() -> None:
    worlds = list(task("robustfill").worlds(1, "validation", 5))
    together = BatchProposer(POLICY, worlds, 0).propose()
    assert together == [BatchProposer(POLICY, [world], 0).propose()[0] for world in worlds]


def test_the_same_seed_gives_the_same_inputs() -> None:
    first, again = (explore(HARD, TrainedExplorer(POLICY, 4), 12).inputs for _ in range(2))
    assert first == again
    assert first != explore(HARD, TrainedExplorer(POLICY, 5), 12).inputs


def test_after_fruitless_inputs_every_other_one_is_drawn_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    proposer = BatchProposer(POLICY, [HARD], 0)
    monkeypatch.setattr(HARD.inputs, "draw", lambda random: "by chance")
    monkeypatch.setattr(HARD.inputs, "stray", lambda random: "from afar")
    made = []
    for _ in range(PATIENCE + 2 * USUAL + 4):
        (given,) = proposer.propose()
        made.append(given if given in ("by chance", "from afar") else None)
        proposer.observe(["a"], [0])
    assert made == [None] * PATIENCE + ["by chance", None] * USUAL + ["from afar", None] * 2


def test_coverage_grows_with_inputs_and_stops_when_all_is_covered() -> None:
    worlds = list(task("robustfill").worlds(1, "validation", 6))
    for few, more, many in coverages(POLICY, worlds, (1, 4, 30)):
        assert few <= more <= many <= 1.0


def test_fine_tuning_gets_better_at_the_one_program_and_leaves_the_policy_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = read_robustfill("Concat(GetToken(Digit, 1))", longest=2)
    before = {name: tensor.clone() for name, tensor in POLICY.state_dict().items()}
    assert coverages(POLICY, [world], (1,)) == [[0.0]]
    tuned = fine_tune(POLICY, world, 1, 40, seed=0)
    assert coverages(tuned, [world], (1,)) == [[1.0]]
    assert all(torch.equal(tensor, before[name]) for name, tensor in POLICY.state_dict().items())
    assert trained.PATIENCE == PATIENCE
