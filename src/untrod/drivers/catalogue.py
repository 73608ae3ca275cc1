"""Drivers by name, and which of them opens a target.

    DRIVERS.find("web").open(DriverOptions("http://127.0.0.1:8000"))
    driver_for("http://127.0.0.1:8000")     # "web"

Another package adds a driver by an entry point in the group `untrod.drivers` that names a `DriverFactory`.
"""

from __future__ import annotations

from collections.abc import Iterable

from untrod.core.catalogue import Catalogue
from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Driver, DriverFactory, DriverOptions

DRIVERS: Catalogue[DriverFactory] = Catalogue(
    "driver",
    {
        "web": "untrod.drivers.web.driver:FACTORY",
        "android": "untrod.drivers.android.driver:FACTORY",
        "model": "untrod.drivers.model:FACTORY",
    },
    "untrod.drivers",
)


def driver_for(target: str) -> str:
    """The first driver that opens such a target. If none does, the one that says best what is wrong with
    it."""
    for name in DRIVERS:
        if DRIVERS.find(name).opens(target):
            return name
    return "web" if "://" in target else "model"


def needs(driver: str, targets: Iterable[str]) -> frozenset[str]:
    """What a worker must be allowed: see `DriverFactory.needs`."""
    return DRIVERS.find(driver).needs(tuple(targets))


def open_driver(spec: Json, seed: int) -> Driver:
    """The driver of a job's specification, inside of its worker."""
    return DRIVERS.find(spec["driver"]).open(DriverOptions.from_json(spec, seed))
