"""The parts of `bench scale` that need no Ray."""

from __future__ import annotations

import os

from bench.report import Row
from bench.scale import curve, writer


def test_the_store_is_measured_by_what_is_durable():
    rate, size = writer._written(writer._corpus, 50)
    assert rate > 0
    assert size > 100


def test_workers_on_ray_are_compared_with_as_many_here():
    rates = {"1 worker here": 10, "1 worker on 1 Ray node": 6}
    rates |= {"2 workers here": 20, "2 workers on 2 Ray nodes": 9}
    rows = [Row.of("cheap", name, "episodes/s", [float(rate)]) for name, rate in rates.items()]
    assert [(bar.value, bar.holds) for bar in curve._bars(rows)] == [(0.6, True), (0.45, False)]


def test_a_campaign_here_needs_no_cluster(monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with curve._cluster("here", 2):
        assert "RAY_ADDRESS" not in os.environ
