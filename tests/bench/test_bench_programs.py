"""`python -m bench native`: what its numbers are held against."""

from __future__ import annotations

from bench.native import promises
from bench.native.contenders import AFL, CONTENDERS, OURS, PORTFOLIO
from bench.native.peers import random_bytes
from bench.native.subjects import PLANTED, SUBJECTS


def outcome(branches: int, live: int = 10, **more) -> list[dict]:
    return [{"branches": branches, "live": live, "complete": 1200, "findings": [], "memory": 300.0, **more}]


def held(outcomes) -> dict[str, bool]:
    return {bar.name: bar.holds for bar in promises.bars(outcomes)}


def test_bars_say_what_was_promised() -> None:
    good = {("tr", PORTFOLIO): outcome(230), ("tr", "portfolio"): outcome(225, live=90)}
    bars = held(good)
    assert len(bars) == 5
    assert all(bars.values())
    bad = {("tr", PORTFOLIO): outcome(219, live=30), ("tr", "portfolio"): outcome(225, live=90)}
    assert sum(held(bad).values()) == 2  # paths and memory


def test_planted_bugs_are_counted_in_the_worst_seed() -> None:
    keys = ["a", "b", "c", "d"]
    two = outcome(40, findings=keys) + outcome(40, findings=keys[:3])
    name = f"{PLANTED}: planted bugs found in every seed, at least"
    assert not held({(PLANTED, PORTFOLIO): two})[name]
    assert held({(PLANTED, PORTFOLIO): two[:1]})[name]


def test_losses_to_afl_are_losses() -> None:
    lost = {(s, c): outcome(10 + (c == AFL)) for s in SUBJECTS for c in (PORTFOLIO, AFL)}
    assert not next(holds for name, holds in held(lost).items() if "AFL++" in name)


def test_contenders_and_plain_chance() -> None:
    assert set(OURS) < set(CONTENDERS)
    made = random_bytes(SUBJECTS["tr"], 1, 0.1)
    assert made == random_bytes(SUBJECTS["tr"], 1, 0.1)
    assert all([len(v) for v in given] == [6, 6, 8] for given in made["inputs"])
