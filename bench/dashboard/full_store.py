"""A store as it is after months: many campaigns, one of them very long."""

from __future__ import annotations

from pathlib import Path

from untrod.core.budget import Budget
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    CorpusGrown,
    Event,
    FindingFound,
    Notice,
    Progress,
)
from untrod.core.vocabulary import Finding, Json, Trace
from untrod.store import Store
from untrod.store.recorder import KEPT_SECONDS

FINDINGS, CORPUS = 12, 200
LONGEST_SHARE = 0.2
"""Of all events, those of the one long campaign; the others share the rest evenly."""
ENGINES = ("inputs", "cover", "worst")
POINT_SECONDS = KEPT_SECONDS * 1.01
LONGEST_SECONDS = 10.0
"""Progress of campaigns that took longer is kept more sparsely, and there would not be as many events."""


def fill(folder: Path, campaigns: int, events: int) -> list[str]:
    """The ids of the campaigns, the one with most events first. Told through the recorder, as engines do."""
    with Store.open(folder) as store:
        longest = int(events * LONGEST_SHARE)
        each = (events - longest) // (campaigns - 1)
        return [_campaign(store, number, longest if number == 0 else each) for number in range(campaigns)]


def _campaign(store: Store, number: int, events: int) -> str:
    engine = ENGINES[number % len(ENGINES)]
    target = f"shop/module_{number}.py"
    row = store.create_campaign(engine, target, {"session": {"workers": 2}}, number, Budget(wall=3600.0))
    clock = _Clock()
    # One transaction: a sync of the disk for each second of each campaign would take an hour.
    with store.database.transaction(), store.recorder(row.id, clock=clock) as record:
        record(CampaignStarted(row.id, engine, target, number, {}, 0))
        for place in range(CORPUS if engine == "inputs" else 0):
            record(CorpusGrown(f"{place:024x}", Trace(tuple(range(place % 40))), f"value({place})"))
        points = events - 2 - FINDINGS
        for point in range(points):
            record(_told(engine, point, points))
            clock.now += POINT_SECONDS
        for place in range(FINDINGS):
            record(FindingFound(finding(f"{number}-{place}"), episode=place * 100, shard=0))
        last = _progress(engine, points, points)
        counts = (points * 10, points * 5, points, FINDINGS, LONGEST_SECONDS, LONGEST_SECONDS)
        record(CampaignFinished(row.id, "episodes", *counts, last))
    return row.id


def finding(name: str) -> Finding:
    detail = {"value": {"text": f"f({name!r})"}, "traceback": "  line 3\n" * 8, "held": [5, 5]}
    return Finding(f"failed:{name}", "failed", f"ValueError (f, shop.py:{name})", Trace((1, 2, 3)), detail)


def _told(engine: str, point: int, points: int) -> Event:
    if point % 100 == 99:
        return Notice(f"worker 1 was started again, for the {point // 100}th time")
    spent = LONGEST_SECONDS * point / points
    counted = (point * 10, point * 5, point, 0, spent, spent)
    return Progress(*counted, _progress(engine, point, points))


def _progress(engine: str, point: int, points: int) -> dict[str, Json]:
    """What engines count, at about the length they tell it in."""
    if engine == "inputs":
        return {"states": point, "convicted": []}
    if engine == "cover":
        symbolic = {"paths": point, "infeasible": point // 5, "dropped": point // 3, "peak": 40}
        covered = 20 + 180 * point // max(1, points)
        return {
            "branches": 200,
            "covered": covered,
            "imported": 20,
            "gained": {"random": 90},
            "symbolic": symbolic,
        }
    growth = {"class": "n^2", "confidence": 0.99, "rival": "n", "formula": "9 n^2", "reason": ""}
    sizes = [
        {
            "size": size,
            "worst": size * size,
            "average": size,
            "input": "",
            "by": "climb",
            "raises": "",
            "closed": "",
        }
        for size in (4, 8, 16, 32)
    ]
    return {
        "cost": "steps",
        "sizes": sizes,
        "worst": growth,
        "average": growth,
        "engine": "",
        "paths": point,
    }


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now
