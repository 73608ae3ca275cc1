"""Training for programs: the same every time, also when killed in between; wrong weights are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from untrod.core.errors import UntrodError  # noqa: E402
from untrod.engines.explore.programs.trainer import ProgramPlan, ProgramTrainer  # noqa: E402
from untrod.engines.explore.programs.weights import load_program_weights  # noqa: E402
from untrod.engines.explore.weights import load_weights, save_weights  # noqa: E402
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy  # noqa: E402

SMALL = ProgramPlan(
    "robustfill",
    updates=6,
    batch=4,
    moments=2,
    pool=2,
    group=2,
    imitation=0.5,
    hidden=8,
    rounds=1,
    evaluate=2,
    validation=4,
)


@pytest.mark.parametrize("task", ["robustfill", "karel"])
def test_a_course_that_was_killed_ends_with_the_same_weights_bit_for_bit(tmp_path: Path, task: str) -> None:
    plan = replace(SMALL, task=task)
    whole = ProgramTrainer(plan, tmp_path / "whole")
    assert whole.run() == "done"
    killed = ProgramTrainer(plan, tmp_path / "killed")
    for _ in range(4):  # past the change from imitation to reinforcement
        killed.advance()
        if killed.update % 2 == 0:
            killed._validated(0.0)
    killed.save()
    killed.advance()  # lost with the process
    resumed = ProgramTrainer(plan, tmp_path / "killed")
    assert (resumed.resumed, resumed.update) == (True, 4)
    resumed.run()
    last = "checkpoint-6.safetensors"
    assert (tmp_path / "whole" / last).read_bytes() == (tmp_path / "killed" / last).read_bytes()
    assert whole.best == resumed.best


def test_another_plan_is_refused(tmp_path: Path) -> None:
    ProgramTrainer(SMALL, tmp_path).run()
    with pytest.raises(UntrodError, match="another plan"):
        ProgramTrainer(replace(SMALL, encoder="bow"), tmp_path)


def test_no_number_stops_the_course_and_keeps_the_weights_from_before(tmp_path: Path) -> None:
    course = ProgramTrainer(SMALL, tmp_path)
    course.advance()
    good = {name: tensor.clone() for name, tensor in course.policy.state_dict().items()}
    course.update = 4
    course.learner.settings = replace(course.learner.settings, entropy=float("nan"))
    with pytest.raises(UntrodError, match="training stopped at update 4: the loss is nan"):
        course.run()
    resumed = ProgramTrainer(SMALL, tmp_path)
    assert all(torch.equal(tensor, good[name]) for name, tensor in resumed.policy.state_dict().items())


def saved(folder: Path, **changes: object) -> Path:
    save_weights(folder, ProgramPolicy(SMALL.shape(), 0), {"task": "robustfill"})
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return folder


def test_weights_come_back_as_they_were(tmp_path: Path) -> None:
    policy, manifest = load_program_weights(saved(tmp_path), "robustfill")
    assert (policy.shape, manifest["task"]) == (SMALL.shape(), "robustfill")
    ours = ProgramPolicy(SMALL.shape(), 0).state_dict()
    assert all(torch.equal(tensor, ours[name]) for name, tensor in policy.state_dict().items())


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"task": "karel"}, "is for karel, not for robustfill programs"),
        ({"version": 7}, "only 1 is understood"),
        ({"shape": {"words": 3}}, "has no network's shape"),
        ({"shape": None}, "has no network's shape"),
        ({"shape": {**SMALL.shape().to_json(), "encoder": "magic"}}, "has no network's shape"),
        ({"shape": {**SMALL.shape().to_json(), "words": 3}}, "knows other words"),
        ({"shape": {**SMALL.shape().to_json(), "hidden": 10}}, "a network of another shape"),
        ({"sha256": "0"}, "is not the file that its manifest describes"),
    ],
)
def test_weights_that_do_not_fit_are_refused_in_one_line(
    tmp_path: Path, changes: dict[str, object], line: str
) -> None:
    with pytest.raises(UntrodError, match=line):
        load_program_weights(saved(tmp_path, **changes), "robustfill")


def test_weights_for_programs_are_none_for_walks(tmp_path: Path) -> None:
    with pytest.raises(UntrodError, match="does not see"):
        load_weights(saved(tmp_path))
