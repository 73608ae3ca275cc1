"""`--on ray://HOST:PORT`: a cluster joined from outside, by Ray Client, which takes less than Ray does."""

from __future__ import annotations

import pytest
from bench.scale.nodes import Nodes

from untrod.runtime.ray.link import ADDRESS

pytestmark = pytest.mark.timeout(400)  # Ray takes its time, and more where others are at work
BST = ("inputs", "bst.py:tree", "--valid", "is_bst", "--test", "check_delete", "--workers", 2, "--json")


@pytest.fixture
def head(monkeypatch: pytest.MonkeyPatch):
    """A head that serves Ray Client. Afterwards none of its processes or files is left."""
    pytest.importorskip("ray")
    with Nodes(1, cpus=2, client=True) as started:
        monkeypatch.delenv(ADDRESS, raising=False)
        for name, value in started.token.items():
            monkeypatch.setenv(name, value)
        yield started
    assert started.left() == []


def test_a_campaign_from_outside_finds_what_it_finds_here(head, bst):
    here = bst.untrod(*BST, "--budget", 1500, "--store", "here")
    there = bst.untrod(*BST, "--budget", 1500, "--store", "there", "--on", head.client, timeout=300)
    assert there.status == here.status == 1, there.err
    assert decided(there) == decided(here)
    assert there.of("worker-lost") == []
    assert head.workers() == []


def decided(result) -> tuple:
    """What a seed and a number of episodes decide."""
    (last,) = result.of("campaign-finished")
    findings = {event["finding"]["id"]: event["finding"]["trace"] for event in result.of("finding")}
    return last["episodes"], last["valid"], last["unique"], findings
