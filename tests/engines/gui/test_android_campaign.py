"""A shard of a campaign on a device that fails (a fake: tests/fakes/fake_adb)."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from untrod.core.protocols import Batch
from untrod.drivers.android import driver as android
from untrod.drivers.android import snapshot
from untrod.drivers.android.phone import Phone
from untrod.engines.gui.engine import GuiConfig, GuiEngine
from untrod.engines.gui.job import GuiJob

sys.path.insert(0, str(Path(__file__).parents[2] / "fakes"))

from fake_adb import PACKAGE, FakeAdb, FakeDevice
from fake_adb.demo import demo


class Beacon:
    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


@pytest.fixture
def adb(monkeypatch, request):
    monkeypatch.delenv("ANDROID_SERIAL", raising=False)
    monkeypatch.setenv("ADBUTILS_ADB_PATH", "/nowhere/adb")  # the client would start a real server
    monkeypatch.setattr(android, "Phone", partial(Phone, absence=getattr(request, "param", 60.0)))
    monkeypatch.setattr(snapshot, "QUIET", (0.0, 3))
    with FakeAdb(FakeDevice(demo())) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield server


@pytest.fixture
def start(adb, tmp_path):
    jobs = []

    def start(text, *, violate=False):
        config = GuiConfig(PACKAGE, ((text, violate, ""),), "android", steps=3, idle=0.0)
        jobs.append(GuiJob(json.loads(json.dumps(GuiEngine(config, 0, tmp_path).spec(0))), Beacon()))
        return jobs[-1]

    yield start
    for job in jobs:
        job.search.close_driver()


def test_a_device_that_comes_back_costs_an_episode(adb, start):
    adb.device.faults.lost_after_inputs = 2
    waiting = adb.wait_for_device
    adb.wait_for_device = lambda: adb.plug() or waiting()
    report = start("F [checked = false]").run(Batch(20, 600.0))
    assert (report["found"], report["notices"]) == (1, [])


@pytest.mark.parametrize("adb", [0.1], indirect=True, ids=["given up soon"])
def test_a_device_that_stays_away_ends_the_campaign_with_one_line_and_what_was_found_stays(adb, start):
    adb.device.faults.lost_after_inputs = 5
    report = start("F [text ~ unheard-of]").run(Batch(20, 600.0))
    assert report["exhausted"]
    (notice,) = report["notices"]
    assert notice.startswith("the device fake-5554 is gone: the campaign ends here (look at: adb devices")
    assert report["states"] > 1


def test_a_lost_device_is_no_crash_of_the_application(adb, start):
    adb.device.faults.lost_after_inputs = 1
    report = start("G ![event = crash]", violate=True).run(Batch(1, 600.0))
    assert report["findings"] == []
