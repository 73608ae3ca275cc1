"""Training with many: the same weights, whoever plays the episodes, and however often somebody is lost."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from untrod.core.errors import UntrodError  # noqa: E402
from untrod.engines.explore.course import Course  # noqa: E402
from untrod.engines.explore.crew import WorkerCrew, joined, pack, parted, unpack  # noqa: E402
from untrod.engines.explore.plan import Plan  # noqa: E402
from untrod.engines.explore.programs.course import ProgramCourse  # noqa: E402
from untrod.engines.explore.programs.plan import ProgramPlan  # noqa: E402
from untrod.engines.explore.schooling import Moment  # noqa: E402
from untrod.engines.explore.tutor import TutorJob  # noqa: E402
from untrod.engines.explore.verbs.train_course import with_crew  # noqa: E402
from untrod.runtime.limits import Limits  # noqa: E402
from untrod.runtime.messages import Reply, WorkersGone  # noqa: E402
from untrod.runtime.workers import workers_on  # noqa: E402

LAST = "checkpoint-4.safetensors"  # weights, best weights, the optimiser's memory, the random state
SMALL = Plan(
    "app",
    updates=4,
    batch=4,
    imitation=0.5,
    hidden=8,
    rounds=1,
    evaluate=2,
    validation=4,
)
PROGRAMS = ProgramPlan(
    "robustfill",
    updates=4,
    batch=4,
    moments=2,
    pool=2,
    group=2,
    imitation=0.5,
    hidden=8,
    rounds=1,
    evaluate=2,
    validation=4,
    workers=2,
)


class Inline:
    """Workers that are no processes."""

    def __init__(self, plan: Plan, count: int) -> None:
        self.tutors = [TutorJob({"programs": False, "plan": plan.to_json()}, None) for _ in range(count)]
        self._said: list[Reply] = []

    def send(self, shard: int, op: str, body=None, blob: bytes = b"") -> None:
        tutor = self.tutors[shard]
        answer = tutor.snapshot() if op == "snapshot" else tutor.restore(blob) and b""
        self._said.insert(0, Reply(shard, op, {}, answer or b""))  # the last one first: order decides nothing

    def wait(self, timeout: float) -> list[Reply]:
        said, self._said = self._said, []
        return said

    def cpu(self, shard: int) -> float:
        return 0.5


def weights_of(course: Course, crew: WorkerCrew | None, folder: Path) -> bytes:
    course.crew = crew
    assert course.run() == "done"
    return (folder / LAST).read_bytes()


def test_one_worker_has_the_numbers_of_a_course_without_any(tmp_path: Path) -> None:
    alone = weights_of(Course(SMALL, tmp_path / "a"), None, tmp_path / "a")
    crew = WorkerCrew(Inline(SMALL, 1), 1, SMALL.seed)
    assert weights_of(Course(SMALL, tmp_path / "b"), crew, tmp_path / "b") == alone


def test_it_does_not_matter_who_plays_nor_who_is_lost(tmp_path: Path) -> None:
    plan = replace(SMALL, workers=2)
    inline = weights_of(
        Course(plan, tmp_path / "a"), WorkerCrew(Inline(plan, 2), 2, plan.seed), tmp_path / "a"
    )
    course = Course(plan, tmp_path / "b")
    with workers_on(
        "",
        "untrod.engines.explore.tutor:TutorJob",
        [{"programs": False, "plan": plan.to_json()}] * 2,
        limits=Limits(memory_mb=8192),
        allow=frozenset(),
        project=tmp_path,
        scratch=tmp_path,
    ) as workers:
        workers.start()
        course.crew = WorkerCrew(workers, 2, plan.seed)
        course.advance()
        os.kill(workers._shards[1].worker.pid, signal.SIGKILL)
        while course.update < 4:
            course.advance()
            if course.update % 2 == 0:
                course._look(0.0)
        assert workers.restarts(1) == 1
        assert course.crew.cpu > 0
    course.save()
    assert (tmp_path / "b" / LAST).read_bytes() == inline


def test_weights_are_packed_once_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from untrod.engines.explore import crew

    packed: list[list[str]] = []

    def counted(tensors, told):
        packed.append(sorted(tensors))
        return pack(tensors, told)

    course = Course(SMALL, tmp_path)
    course.crew = WorkerCrew(Inline(SMALL, 3), 3, 0)
    monkeypatch.setattr(crew, "pack", counted)
    course.advance()
    assert sorted(packed) == sorted([[crew.RANDOM]] * 3 + [sorted(course.policy.state_dict())])


def test_an_order_comes_apart_as_it_was_joined() -> None:
    assert parted(joined(b"head", b"weights")) == (b"head", b"weights")
    assert parted(joined(b"", b"")) == parted(b"") == (b"", b"")


def test_notices_of_the_workers_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    class Short(Inline):
        notices = ("Ray has 1 CPU for 2 workers: they share them",)

        def start(self) -> None:
            pass

    plan = replace(SMALL, workers=2)
    monkeypatch.setattr("untrod.runtime.workers.workers_on", lambda *_, **__: nullcontext(Short(plan, 2)))
    heard: list[str] = []
    with with_crew(Course(plan, tmp_path), "", heard.append):
        assert heard == list(Short.notices)


def test_parts_are_of_different_worlds_and_draw_differently() -> None:
    moments = [Moment(3, 0.5, False, part, 2) for part in (0, 1)]
    assert [moment.share(range(5)) for moment in moments] == [[0, 2, 4], [1, 3]]
    assert moments[0].name != moments[1].name
    assert Moment(3, 0.5, False).name == ()


def test_programs_are_shared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    course = ProgramCourse(PROGRAMS, tmp_path / "course")
    before = {name: tensor.clone() for name, tensor in course.policy.state_dict().items()}
    with with_crew(course, "", print):
        assert course.run() == "done"
    assert course.crew is None
    after = course.policy.state_dict()
    assert any(not torch.equal(tensor, after[name]) for name, tensor in before.items())
    assert [path.name for path in tmp_path.iterdir()] == ["course"]


def test_who_loses_workers_all_the_time_says_so_and_keeps_the_course(tmp_path: Path) -> None:
    class Lossy(Inline):
        def wait(self, timeout: float):
            from untrod.core.vocabulary import Outcome
            from untrod.runtime.messages import Lost

            return [Lost(0, Outcome.CRASHED, "SIGKILL", None, None, "")]

        def restart(self, shard: int) -> None:
            pass

    course = Course(SMALL, tmp_path)
    course.crew = WorkerCrew(Lossy(SMALL, 1), 1, 0)
    with pytest.raises(WorkersGone, match="21 workers were lost, the last: SIGKILL"):
        course.run()
    assert Course(SMALL, tmp_path).resumed


def test_more_workers_than_worlds_are_refused(tmp_path: Path) -> None:
    plan = replace(SMALL, group=2, workers=3)
    message = "3 workers are more than the 2 worlds of an update"
    with pytest.raises(UntrodError, match=message), with_crew(Course(plan, tmp_path), "", print):
        pass


@pytest.mark.parametrize("blob", [b"", b"\x80\x04N.", pack({}, {})[:-3], b"\x02\0\0\0\0\0\0\0{}"])
def test_nonsense_is_refused(blob: bytes) -> None:
    with pytest.raises(UntrodError, match="nonsense"):
        unpack(blob)
