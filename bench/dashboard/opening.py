"""How long the dashboard takes to open, and to tell what is new, on a full store beside a small one."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from bench.dashboard.full_store import fill, finding
from bench.dashboard.served import Served, served
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.errors import UntrodError
from untrod.core.events import FindingFound
from untrod.drivers.web.chromium import find_chromium, launch_arguments
from untrod.store import Store

SMALL = (2, 1_000)
QUICK = (40, 100_000)
FULL = (200, 1_000_000)
NEWS = 25
SECOND = 1.0


def run(plan: Plan) -> Result:
    rows: list[Row] = []
    bars: list[Bar] = []
    for campaigns, events in (SMALL, QUICK if plan.quick else FULL):
        name = f"{campaigns} campaigns, {events:,} events"
        with tempfile.TemporaryDirectory(prefix="untrod-bench-") as folder:
            plan.say(f"filling a store: {name}")
            project = Path(folder)
            ids = fill(project / ".untrod", campaigns, events)
            size = sum(each.stat().st_size for each in (project / ".untrod").iterdir() if each.is_file())
            rows.append(Row.of(name, "store", "MB", [size / 1e6]))
            measured = _measured(plan, project, ids)
        rows += [Row.of(name, "dashboard", metric, values) for metric, values in measured.items() if values]
    # The last store is the large one: the bars are about it.
    slowest = max(measured["finding told, s"])
    for metric in (
        "command to first page, s",
        "first page in Chromium, s",
        "longest campaign in Chromium, s",
    ):
        bars.append(Bar.at_most(metric.removesuffix(", s") + ", seconds", _middle(measured[metric]), SECOND))
    bars.append(Bar.at_most("a finding is told, seconds, the slowest of all", slowest, SECOND))
    return Result(tuple(rows), tuple(bars))


def _middle(values: list[float]) -> float | None:
    return median(values) if values else None


def _measured(plan: Plan, project: Path, ids: list[str]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {
        metric: []
        for metric in (
            "command to first page, s",
            "first page, s",
            "first page in Chromium, s",
            "longest campaign, s",
            "longest campaign in Chromium, s",
            "finding told, s",
            "memory, MB",
        )
    }
    longest = f"/campaign/{ids[0]}"
    for _ in plan.seeds_or(quick=2, full=5):
        with served(project) as dashboard:
            dashboard.page("/")
            found["command to first page, s"].append(time.perf_counter() - dashboard.started)
            found["longest campaign, s"].append(dashboard.page(longest))
        with served(project) as dashboard:
            first, second = _in_chromium(dashboard, longest)
            found["first page in Chromium, s"] += first
            found["longest campaign in Chromium, s"] += second
            found["finding told, s"] += _told(dashboard, project, ids)
            found["first page, s"].append(dashboard.page("/?again"))
            found["memory, MB"].append(dashboard.memory)
    return found


def _in_chromium(dashboard: Served, longest: str) -> tuple[list[float], list[float]]:
    """Seconds until the page is loaded; nothing without a browser."""
    try:
        path = find_chromium()
    except UntrodError:
        return [], []
    from playwright.sync_api import sync_playwright

    base = dashboard.address.partition("/?")[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=launch_arguments([base]))
        page = browser.new_page()
        page.goto("about:blank")
        times = []
        for address in (dashboard.address, base + longest):
            before = time.perf_counter()
            page.goto(address)
            times.append([time.perf_counter() - before])
        browser.close()
    return times[0], times[1]


def _told(dashboard: Served, project: Path, ids: list[str]) -> list[float]:
    """Seconds from the commit of a finding until the page of its campaign's row was sent."""
    times = []
    with Store.open(project / ".untrod") as store:
        heard = dashboard.live("/")
        next(heard)  # the page as it is
        for number in range(NEWS):
            shown = ids[-1 - number % len(ids)]  # the newest stand on the first page
            store.recorder(shown)(FindingFound(finding(f"new-{time.time_ns()}"), episode=1, shard=0))
            before = time.perf_counter()
            while f"row-{shown}" not in next(heard):
                pass
            times.append(time.perf_counter() - before)
    return times


STUDY = Study("opening a full store", ("dashboard",), run)
