"""What a campaign claims, seen from outside the workers."""

from __future__ import annotations

from pathlib import Path

from untrod.core.vocabulary import Json
from untrod.engines.cover.engine import CoverConfig, CoverEngine
from untrod.runtime.loading import TargetName


def report(*lines: int) -> Json:
    """Of a module of four branches, those that begin at `lines` were not taken."""
    untaken = [["m", line, line + 1, "if x:", "it was never true", "not reached"] for line in lines]
    counts = {
        "episodes": 9,
        "valid": 9,
        "unique": 0,
        "keys": [],
        "branches": 4,
        "imported": 0,
        "entries": 1,
        "gained": [],
        "symbolic": {},
    }
    return {**counts, "untaken": untaken, "corpus": [], "notices": [], "findings": []}


def engine() -> CoverEngine:
    return CoverEngine(CoverConfig(TargetName("m", "", ".")), 0, Path())


def test_what_any_shard_has_taken_is_taken() -> None:
    told = engine().extra([report(1, 3), report(3, 5)])
    assert [row[1] for row in told["untaken"]] == [3]
    assert told["covered"] == 3


def test_what_was_taken_stays_so_when_the_worker_that_took_it_is_replaced() -> None:
    """Its successor begins from a snapshot, but the input is in the corpus, and so in the suite."""
    of = engine()
    list(of.absorb(report(1, 3, 5)))
    list(of.absorb(report(3)))
    told = of.extra([report(1, 3, 5)])
    assert [row[1] for row in told["untaken"]] == [3]
    assert told["status"] == "3 of 4 branches"
