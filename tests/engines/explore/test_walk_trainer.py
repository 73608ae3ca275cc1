"""Training: the same every time, also when killed in between; what goes wrong is said in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

torch = pytest.importorskip("torch")

from untrod.core.errors import UntrodError  # noqa: E402
from untrod.engines.explore.measure import coverages, paired  # noqa: E402
from untrod.engines.explore.trainer import ValidationReport  # noqa: E402
from untrod.engines.explore.vector_env import FEATURES, VectorEnv  # noqa: E402
from untrod.engines.explore.walk import Walk, walk  # noqa: E402
from untrod.engines.explore.walk_trainer import WalkPlan, WalkTrainer, fine_tune  # noqa: E402
from untrod.engines.explore.walkers.learned import Learned  # noqa: E402
from untrod.engines.explore.weights import load_weights, save_weights  # noqa: E402
from untrod.engines.explore.worlds.graph import Graph  # noqa: E402
from untrod.engines.explore.worlds.tasks import task  # noqa: E402
from untrod.learn.gmetaexp.actor_critic import ActorCritic, Settings  # noqa: E402
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape  # noqa: E402

SMALL = WalkPlan(
    "app",
    updates=6,
    batch=4,
    pupils=2,
    samples=2,
    imitation=0.5,
    hidden=8,
    rounds=1,
    evaluate=2,
    validation=4,
)


def test_a_course_that_was_killed_ends_with_the_same_weights_bit_for_bit(tmp_path: Path) -> None:
    whole = WalkTrainer(SMALL, tmp_path / "whole")
    whole.run()
    killed = WalkTrainer(SMALL, tmp_path / "killed")
    for _ in range(4):  # past the change from imitation to reinforcement
        killed.advance()
        if killed.update % 2 == 0:
            killed._validated(0.0)
    killed.save()
    killed.advance()  # lost with the process
    resumed = WalkTrainer(SMALL, tmp_path / "killed")
    assert (resumed.resumed, resumed.update) == (True, 4)
    resumed.run()
    last = "checkpoint-6.safetensors"  # weights, best weights, the optimiser's memory, the random state
    assert (tmp_path / "whole" / last).read_bytes() == (tmp_path / "killed" / last).read_bytes()
    assert whole.best == resumed.best


def test_features_of_links_are_learned_before_the_course_and_stay_as_they_are(tmp_path: Path) -> None:
    plan = replace(SMALL, links=4)
    course = WalkTrainer(plan, tmp_path)
    before = {name: tensor.clone() for name, tensor in course.policy.state_dict().items() if "links" in name}
    assert before
    course.run()
    after = course.policy.state_dict()
    assert all(torch.equal(tensor, after[name]) for name, tensor in before.items())
    save_weights(tmp_path / "weights", course.policy, {})
    walker = Learned(load_weights(tmp_path / "weights")[0])
    assert walk(Walk(next(iter(task("app").worlds(0, "validation", 1))), 15), walker) > 0


def test_looks_come_when_the_plan_says_and_the_best_weights_are_kept(tmp_path: Path) -> None:
    looks: list[ValidationReport] = []
    course = WalkTrainer(SMALL, tmp_path)
    assert course.run(looks.append) == "done"
    assert [look.update for look in looks] == [2, 4, 6]
    assert [look.phase for look in looks] == ["imitation", "reinforcement", "reinforcement"]
    worlds = list(task("app").worlds(SMALL.seed, "validation", 4))
    assert (
        fmean(coverages(course.policy, worlds, 15, "aims"))
        == max(look.validation for look in looks)
        == course.best
    )


def test_a_course_stops_where_it_is_told_to_and_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    whole, stopped = WalkTrainer(SMALL, tmp_path / "whole"), WalkTrainer(SMALL, tmp_path / "stopped")
    whole.run()
    assert stopped.run(stop=4) == "stopped at update 4, as asked"
    assert WalkTrainer(SMALL, tmp_path / "stopped").run() == "done"
    last = "checkpoint-6.safetensors"
    assert (tmp_path / "whole" / last).read_bytes() == (tmp_path / "stopped" / last).read_bytes()


def test_a_course_stops_when_it_gets_no_better(tmp_path: Path) -> None:
    course = WalkTrainer(replace(SMALL, updates=500, rate=0.0, imitation=0.0, patience=2), tmp_path)
    assert course.run() == "no better for long"
    assert course.update == 6


def test_a_longer_plan_goes_on_from_a_shorter_one_and_another_plan_is_refused(tmp_path: Path) -> None:
    WalkTrainer(SMALL, tmp_path).run()
    longer = WalkTrainer(replace(SMALL, updates=8), tmp_path)
    assert longer.update == 6
    with pytest.raises(UntrodError, match="another plan"):
        WalkTrainer(replace(SMALL, hidden=16), tmp_path)


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    WalkTrainer(SMALL, tmp_path).run()
    (file,) = tmp_path.glob("checkpoint-*.safetensors")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.raises(UntrodError, match=r"checkpoint-6\.safetensors is damaged"):
        WalkTrainer(SMALL, tmp_path)


def test_no_number_stops_the_course_and_keeps_the_weights_from_before(tmp_path: Path) -> None:
    course = WalkTrainer(SMALL, tmp_path)
    course.advance()
    good = {name: tensor.clone() for name, tensor in course.policy.state_dict().items()}
    course.learner.settings = replace(course.learner.settings, scale=float("inf"))
    with pytest.raises(UntrodError, match="training stopped at update 1: the loss is"):
        course.run()
    resumed = WalkTrainer(SMALL, tmp_path)
    assert all(torch.equal(tensor, good[name]) for name, tensor in resumed.policy.state_dict().items())


TRAP = Graph.build([[1, 3], [0, 2], [], [0]], 0)
"""0 leads to 1 and 3 and back; from 1 a link leads to 2, which is a sink. Whoever comes to 1 first has the
sink at one step and 3 at two: frontier-greedy takes the sink, and never sees 3."""


def test_reinforcement_learns_to_leave_a_sink_for_last() -> None:
    learner = ActorCritic(GraphPolicy(Shape(FEATURES, hidden=8, rounds=2), 0), 0, Settings(rate=0.02))
    gained = [learner.update(VectorEnv([TRAP] * 16, 8)) for _ in range(90)]
    assert fmean(gained[:3]) < 0.7
    assert fmean(gained[-10:]) > 0.72  # nearly all: three quarters, beside the start


def test_fine_tuning_learns_the_one_graph_and_leaves_the_policy_as_it_was() -> None:
    policy = GraphPolicy(Shape(FEATURES, rounds=2), 0)
    before = {name: tensor.clone() for name, tensor in policy.state_dict().items()}
    tuned = fine_tune(policy, TRAP, 8, 120, seed=0)
    assert walk(Walk(TRAP, 8), Learned(tuned)) == 1.0
    assert all(torch.equal(tensor, before[name]) for name, tensor in policy.state_dict().items())


TWINS = Graph.build([[1, 2], [], [3], [4], [5], []], 0)
"""0 leads to 1 and 2, which look alike: one is a sink, from the other four more can be reached."""


@pytest.mark.parametrize("graph", [TWINS, Graph.build([[2, 1], [3], [], [4], [5], []], 0)])
def test_fine_tuning_tells_twins_apart_by_having_been_there(graph: Graph) -> None:
    tuned = fine_tune(GraphPolicy(Shape(FEATURES, hidden=8, rounds=2), 0), graph, 6, 40, seed=0)
    assert [walk(Walk(graph, 6), Learned(tuned)) for _ in range(3)] == [pytest.approx(5 / 6)] * 3
    assert coverages(tuned, [graph] * 8, 6, "aims") == [pytest.approx(5 / 6)] * 8


def test_the_learned_walker_walks_as_the_fleet_does() -> None:
    family = task("maze")
    policy = GraphPolicy(Shape(FEATURES, hidden=8), 4)
    torch.nn.init.normal_(policy.point[2].weight, generator=torch.Generator().manual_seed(1))
    worlds = list(family.worlds(0, "validation", 4))
    walker = Learned(policy)
    assert [walk(Walk(each, 36), walker) for each in worlds] == pytest.approx(
        coverages(policy, worlds, 36, "aims")
    )


def test_weights_come_back_as_they_were(tmp_path: Path) -> None:
    policy = GraphPolicy(Shape(FEATURES, hidden=8, memory="pool"), 4)
    save_weights(tmp_path, policy, {"task": "app"})
    again, manifest = load_weights(tmp_path)
    assert again.shape == policy.shape
    assert manifest["task"] == "app"
    assert all(torch.equal(t, policy.state_dict()[n]) for n, t in again.state_dict().items())


def edit(folder: Path, **changes: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (
            lambda f: (f / "weights.safetensors").write_bytes(b"PK\x03\x04"),
            "is a pickle, which is never opened",
        ),
        (lambda f: (f / "weights.safetensors").write_bytes(b"\x80\x02}q\x00."), "is a pickle"),
        (
            lambda f: (f / "weights.safetensors").write_bytes(b"x"),
            "is not the file that its manifest",
        ),
        (lambda f: (f / "weights.safetensors").unlink(), "cannot read"),
        (lambda f: (f / "manifest.json").write_text("{"), "is not JSON"),
        (lambda f: edit(f, version=2), "only 1 is understood"),
        (lambda f: edit(f, format="other"), "is no manifest of untrod-explore"),
        (lambda f: edit(f, shape={"features": 3}), "does not see"),
        (lambda f: edit(f, shape={"features": FEATURES, "hidden": 9}), "a network of another shape"),
        (lambda f: edit(f, shape={"features": FEATURES, "hidden": "x"}), "has no network's shape"),
    ],
)
def test_weights_that_are_not_whole_are_refused_in_one_line(tmp_path: Path, spoil, line: str) -> None:  # type: ignore[no-untyped-def]
    save_weights(tmp_path, GraphPolicy(Shape(FEATURES, hidden=8), 4), {})
    spoil(tmp_path)
    with pytest.raises(UntrodError, match=line):
        load_weights(tmp_path)


def test_a_paired_gain_is_certain_when_its_interval_leaves_out_zero() -> None:
    assert paired([1.0, 2.0, 3.0], [0.9, 1.8, 2.9]).certain
    assert not paired([1.0, 2.0, 3.0], [2.0, 1.0, 2.9]).certain
