"""From what a person named to a driver, inside a worker."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Driver
from untrod.runtime.limits import CHILDREN, to_port

DRIVERS = ("web", "android", "model")
_USUAL_PORTS = {"http": 80, "https": 443}
_ADB_PORT = 5037


def needs(driver: str, urls: Iterable[str]) -> frozenset[str]:
    """What a worker must be allowed to drive it: a browser, or the client of the adb server, and the ports
    that these connect to. A setup script may do the same, and no more. Raises UntrodError for what is not the
    address of a page."""
    if driver == "model":
        return frozenset()
    if driver == "android":
        port = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
        return frozenset({CHILDREN, to_port(int(port) if port.isdecimal() else _ADB_PORT)})
    from untrod.drivers.web.chromium import origin_of

    parts = [urlsplit(origin_of(url)) for url in urls]
    return frozenset({CHILDREN, *(to_port(each.port or _USUAL_PORTS[each.scheme]) for each in parts)})


def open_driver(spec: Json, seed: int) -> Driver:
    """Raises UntrodError for whatever a person can mend. A browser starts with the first reset."""
    if spec["driver"] == "model":
        from untrod.drivers.graph_reader import load_graph
        from untrod.drivers.model import ModelDriver

        return ModelDriver(load_graph(Path(spec["project"]) / spec["target"]), seed=seed)
    if spec["driver"] == "web":
        from untrod.drivers.setup_script import load_setup
        from untrod.drivers.web.driver import WebDriver

        setup = load_setup(Path(spec["project"]) / spec["setup"]) if spec["setup"] else None
        return WebDriver(
            spec["target"],
            origins=spec["origins"],
            setup=setup,
            headless=not spec["headed"],
            log_out=spec["log_out"],
        )
    if spec["driver"] == "android":
        from untrod.drivers.android.driver import AndroidDriver
        from untrod.drivers.setup_script import load_setup

        project = Path(spec["project"])
        return AndroidDriver(
            spec["target"],
            serial=spec["serial"],
            apk=project / spec["apk"] if spec["apk"] else None,
            setup=load_setup(project / spec["setup"]) if spec["setup"] else None,
            idle=spec["idle"],
            log_out=spec["log_out"],
        )
    raise UntrodError(f"there is no driver {spec['driver']!r}", f"choose from {', '.join(DRIVERS)}")
