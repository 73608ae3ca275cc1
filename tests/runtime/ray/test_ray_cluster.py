"""Campaigns on a real Ray cluster of two nodes, one of which is killed: the order matters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Outcome
from untrod.runtime.limits import Limits
from untrod.runtime.messages import Lost, Reply
from untrod.runtime.ray.pool import RayPool

pytestmark = pytest.mark.timeout(400)  # Ray takes its time, and more where others are at work
FAULTS = Path(__file__).resolve().parents[2] / "faults"
BST = ("inputs", "bst.py:tree", "--valid", "is_bst", "--test", "check_delete", "--workers", 2, "--json")


def pool_of(*scripts: list[str], project: Path = FAULTS, **limits: float) -> RayPool:
    specs = [{"script": script} for script in scripts]
    return RayPool(
        "ray",
        "hostile:HostileJob",
        specs,
        limits=Limits(**limits),  # type: ignore[arg-type]
        allow=frozenset(),
        project=project,
    )


def answers(pool: RayPool, count: int) -> dict[int, Reply | Lost]:
    """The test's timeout bounds the wait."""
    found: dict[int, Reply | Lost] = {}
    while len(found) < count:
        found.update({message.shard: message for message in pool.wait(1.0)})
    return found


def test_workers_on_nodes_are_as_guarded_as_here(on_nodes):
    with pool_of(["fine", "segfault"], ["sleep_forever", "fine"], episode_wall=0.5) as pool:
        assert [reply.op for reply in pool.start()] == ["open", "open"]
        pool.send(0, "run", {"episodes": 2, "seconds": 60.0})
        pool.send(1, "run", {"episodes": 2, "seconds": 60.0})
        assert pool.busy(0) == pool.busy(1) == "run"
        with pytest.raises(RuntimeError, match="busy with 'run'"):
            pool.send(1, "snapshot")
        said = answers(pool, 2)
        assert isinstance(said[0], Lost)
        assert (said[0].outcome, said[0].cause, said[0].episode) == (Outcome.CRASHED, "SIGSEGV", 1)
        assert [result[1] for result in said[1].body["results"]] == [Outcome.TIMED_OUT, Outcome.VALID]
        assert pool.cpu(0) > 0
        with pytest.raises(RuntimeError, match="restart it first"):
            pool.send(0, "snapshot")
        pool.restart(0)
        assert answers(pool, 1)[0].op == "open"
        assert (pool.restarts(0), pool.restarts(1)) == (1, 0)
    assert on_nodes.workers() == []
    assert not list(on_nodes.folder.glob("untrod-pool-*"))


def test_a_batch_on_a_node_can_be_interrupted(on_nodes):
    with pool_of(["sleep_forever"], episode_wall=100.0) as pool:
        pool.start()
        pool.send(0, "run", {"episodes": 1, "seconds": 100.0})
        pool.interrupt(0)
        assert answers(pool, 1)[0].body["results"] == [[0, "interrupted", ""]]


def test_a_mistake_on_a_node_is_one_line_here(on_nodes, tmp_path):
    with pytest.raises(UntrodError, match="has no folder"):
        pool_of(["fine"], project=tmp_path / "elsewhere").start()


def test_training_on_nodes_gives_the_weights_that_it_gives_here(on_nodes, bst):
    pytest.importorskip("torch")
    words = ("train", "app", "--updates", 3, "--worlds", 4, "--hidden", 8, "--workers", 2)
    for place in ("here", "ray"):
        assert bst.untrod(*words, "--on", place, "--out", place, timeout=300).status == 0
    here, there = (bst.folder / place / "weights.safetensors" for place in ("here", "ray"))
    assert here.read_bytes() == there.read_bytes()
    assert on_nodes.workers() == []


def test_a_killed_node_costs_its_running_episodes_and_no_finding(on_nodes, bst):
    here = bst.untrod(*BST, "--budget", 12_000, "--store", "here")
    running = bst.start(*BST, "--budget", 12_000, "--on", "ray")
    events = []
    for line in running.stdout:
        events.append(json.loads(line))
        if events[-1]["event"] == "progress" and not any(e["event"] == "killed" for e in events):
            on_nodes.kill_last()
            events.append({"event": "killed"})
    assert running.wait() == here.status == 1, running.stderr.read()
    running.stdout.close()
    running.stderr.close()
    lost = [event for event in events if event["event"] == "worker-lost"]
    assert {event["cause"] for event in lost} == {"its Ray node was lost"}
    assert summary(events) == summary(here.events)


def test_a_cluster_that_is_gone_leaves_what_was_found(on_nodes, bst):
    running = bst.start(*BST, "--budget", "10m", "--on", "ray")
    reported = set()  # each worker's first report is followed by its first checkpoint
    for line in running.stdout:
        event = json.loads(line)
        if event["event"] == "progress" and event["findings"]:
            reported.add(event["episodes"])
        if len(reported) == 8:
            on_nodes.kill()
            break
    rest, complaints = running.communicate()
    assert running.returncode == 2
    (line,) = complaints.splitlines()
    assert line.startswith("untrod: Ray at 127.0.0.1:")
    assert line.endswith("(what was found so far is kept)")
    assert '"event":"test-written"' in rest
    (row,) = [json.loads(line) for line in bst.untrod("campaigns", "list", "--json").out.splitlines()]
    assert (row["findings"], row["status"]) == (1, "finished")
    assert row["reason"].startswith("cut short: Ray at")
    assert row["episodes"] > 0


def summary(events: list[dict]) -> tuple:
    """What a seed and a number of episodes decide."""
    last = next(event for event in events if event["event"] == "campaign-finished")
    findings = {
        event["finding"]["id"]: event["finding"]["trace"] for event in events if event["event"] == "finding"
    }
    tests = [event["path"] for event in events if event["event"] == "test-written"]
    return last["episodes"], last["valid"], last["unique"], findings, tests
