"""The pool as its caller sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from leftovers import alive

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Outcome
from untrod.runtime.limits import Limits
from untrod.runtime.pool import Lost, Pool, Reply, WorkerFailed
from untrod.runtime.supervisor import Supervisor

HERE = Path(__file__).parent


def pool_of(tmp_path: Path, job: str, *specs: object, **limits: float) -> Pool:
    return Pool(
        job,
        specs,
        limits=Limits(**limits),  # type: ignore[arg-type]
        allow=frozenset(),
        project=HERE,
        scratch=tmp_path / "scratch",
    )


def test_a_mistake_found_in_a_worker_is_raised_as_such(tmp_path):
    pool = pool_of(tmp_path, "hostile:HostileJob", {"script": ["fine"]}, {"complain": "no such engine"})
    with pytest.raises(UntrodError) as caught:
        pool.start()
    assert (caught.value.message, caught.value.hint) == ("no such engine", "try something else")
    assert list((tmp_path / "scratch").iterdir()) == []


def test_any_other_failure_to_open_keeps_the_traceback_for_debugging(tmp_path):
    with pytest.raises(WorkerFailed, match="No module named 'nowhere'") as caught:
        pool_of(tmp_path, "nowhere:Job", {}).start()
    assert "Traceback" in caught.value.detail


def test_a_target_that_exits_when_imported(tmp_path):
    with pytest.raises(WorkerFailed, match="exit status 7"):
        pool_of(tmp_path, "bad_imports:exits", {}).start()


def test_a_target_whose_import_never_ends(tmp_path):
    with pytest.raises(WorkerFailed, match=r"no episode ran for 0.5 s"):
        pool_of(tmp_path, "bad_imports:hangs", {}, idle_wall=0.5).start()


def test_an_unknown_permission_is_refused_with_the_nearest_one(tmp_path):
    with pytest.raises(UntrodError, match="did you mean network"):
        Pool("a:b", [], limits=Limits(), allow=frozenset({"netwrok"}), project=HERE, scratch=tmp_path)


def test_one_operation_at_a_time(bench):
    workers = bench(["sleep_forever"], episode_wall=0.5)
    workers.pool.send(0, "run", {"episodes": 1, "seconds": 1.0})
    assert workers.pool.busy(0) == "run"
    with pytest.raises(RuntimeError, match="busy with 'run'"):
        workers.pool.send(0, "snapshot")
    assert workers.answer().body["results"] == [[0, Outcome.TIMED_OUT, ""]]
    assert workers.pool.busy(0) == ""


def test_a_failing_operation_is_a_reply_and_the_worker_lives_on(bench):
    workers = bench(["fine"])
    workers.pool.send(0, "restore", blob=b"not a snapshot")
    reply = workers.answer()
    assert reply.error is not None
    assert reply.error.message.startswith("JSONDecodeError")
    assert "Traceback" in reply.error.traceback
    workers.pool.send(0, "dance")
    reply = workers.answer()
    assert reply.error is not None
    assert (reply.error.message, reply.error.traceback) == ("workers know no operation 'dance'", "")
    assert workers.result() == [Outcome.VALID, "'fine'"]


def test_a_restarted_shard_continues_from_its_snapshot(bench):
    workers = bench(["fine", "fine", "os_exit", "fine"])
    workers.run(episodes=2)
    workers.pool.send(0, "snapshot")
    snapshot = workers.answer().blob
    before = workers.pool.cpu(0)
    assert isinstance(workers.run(), Lost)
    with pytest.raises(RuntimeError, match="restart it first"):
        workers.pool.send(0, "run", {"episodes": 1, "seconds": 1.0})
    workers.restart()
    workers.pool.send(0, "restore", blob=snapshot)
    workers.answer()
    workers.pool.send(0, "skip", {"episodes": [[2, True]]})
    workers.answer()
    reply = workers.run(episodes=2)
    assert [result[:2] for result in reply.body["results"]] == [[2, "skipped"], [3, Outcome.VALID]]
    assert workers.pool.cpu(0) > before > 0


def test_blobs_larger_than_a_pipe_travel_both_ways(bench):
    workers = bench(["fine"])
    padding = b" " * (8 * 2**20)
    workers.pool.send(0, "restore", blob=padding + b'{"episodes": 41}')
    assert workers.answer().body == {"episodes": 41}
    assert workers.run().body["episodes"] == 42


def test_replay_runs_the_traced_episode(bench):
    from hostile import TARGETS

    workers = bench(["fine"])
    workers.pool.send(0, "replay", {"answers": [list(TARGETS).index("system_exit")]})
    assert workers.answer().body == [Outcome.EXITED, "bye"]


def test_an_interrupted_episode_ends_its_batch_early(bench):
    workers = bench(["sleep_forever", "nap"], episode_wall=600.0)
    workers.pool.send(0, "run", {"episodes": 1000, "seconds": 600.0})
    workers.pool.interrupt(0)
    reply = workers.answer()
    assert isinstance(reply, Reply)
    assert reply.body["results"] == [[0, "interrupted", ""]]
    assert workers.result() == [Outcome.VALID, "'rested'"]  # the request does not reach the next operation


def test_a_dismissed_worker_ends_by_itself_whatever_the_target_left_running(tmp_path):
    (tmp_path / "tmp").mkdir()
    worker = Supervisor(Limits(), "dismissed", tmp_path)
    opening = {
        "job": "hostile:HostileJob",
        "spec": {"script": ["hanging_exit_handler", "lingering_thread"]},
        "limits": Limits().to_json(),
        "allow": [],
        "project": [str(HERE)],
        "scratch": str(tmp_path),
        "stage": "",
    }
    for op, body in (("open", opening), ("run", {"episodes": 2, "seconds": 1.0})):
        worker.send(op, body)
        while (frame := worker.receive()) is None:
            worker.tick()
        assert "error" not in frame[0]
    worker.dismiss()
    while worker.death is None:
        worker.tick()
    assert (worker.death.outcome, worker.death.cause) == (Outcome.EXITED, "exit status 0")


def test_closing_twice_is_closing_once(bench):
    workers = bench(["busy"], episode_wall=600.0)
    workers.pool.send(0, "run", {"episodes": 1, "seconds": 1.0})
    workers.pool.close(grace=0.0)
    workers.pool.close()


def test_the_token_of_a_ray_cluster_is_not_for_targets(monkeypatch, tmp_path):
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    with pool_of(tmp_path, "hostile:HostileJob", {"script": ["fine"]}) as pool:
        pool.start()
        (worker,) = alive(pool.marker)
        environment = Path(f"/proc/{worker}/environ").read_bytes()
    assert b"secret" not in environment
