"""Drivers by name and by target, those of other packages among them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chess import CHESS

from untrod.core.catalogue import Catalogue
from untrod.core.errors import UntrodError
from untrod.drivers import catalogue
from untrod.drivers.catalogue import DRIVERS, driver_for, needs, open_driver
from untrod.drivers.graph_reader import decode
from untrod.drivers.graph_writer import write_graph
from untrod.drivers.model import ModelDriver
from untrod.drivers.protocol import DriverOptions
from untrod.testing.drivers import check_closing, check_driver, check_factory

THEIRS = """
from untrod.drivers.model import FACTORY, ModelFactory

class Terminal(ModelFactory):
    def opens(self, target):
        return target.startswith("tty://")

    def open(self, options):
        return ("a terminal", options.target)

TERMINAL = Terminal()
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "chess.json"
    path.write_text(write_graph(decode(CHESS)))
    return path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a driver of its own."""
    (tmp_path / "terminal_of_tests.py").write_text(THEIRS)
    info = tmp_path / "terminal-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: terminal\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[untrod.drivers]\nterminal = terminal_of_tests:TERMINAL\nweb = terminal_of_tests:TERMINAL\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    ours = {name: DRIVERS.find(name) for name in ("web", "android", "model")}
    monkeypatch.setattr(catalogue, "DRIVERS", Catalogue("driver", ours, DRIVERS.group))
    yield
    sys.modules.pop("terminal_of_tests", None)


@pytest.mark.parametrize(
    ("target", "driver"),
    [
        ("http://127.0.0.1:8000", "web"),
        ("https://example.org/a", "web"),
        ("walk.json", "model"),
        ("http://127.0.0.1/walk.json", "web"),
        ("ftp://example.org", "web"),  # which complains best
        ("org.example.notes", "model"),
    ],
)
def test_a_target_says_which_driver_opens_it(target: str, driver: str) -> None:
    assert driver_for(target) == driver


def test_an_unknown_driver_is_named_with_the_nearest() -> None:
    with pytest.raises(UntrodError, match=r"there is no driver .webb. "):
        DRIVERS.find("webb")


def test_the_driver_of_a_specification_is_opened(graph: Path) -> None:
    spec = {"driver": "model", "target": graph.name, "project": str(graph.parent), "origins": [], "steps": 3}
    driver = open_driver(spec, 1)
    assert isinstance(driver, ModelDriver)
    assert check_driver(driver) == ()


def test_the_factory_of_the_model_keeps_its_word(graph: Path) -> None:
    driver = check_factory(DRIVERS.find("model"), DriverOptions(graph.name, graph.parent))
    check_closing(driver)


def test_the_factories_say_what_their_workers_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANDROID_ADB_SERVER_PORT", raising=False)
    assert needs("model", ["walk.json"]) == frozenset()
    assert needs("web", ["http://127.0.0.1:8000", "https://example.org"]) == {
        "children",
        "network:8000",
        "network:443",
    }
    assert needs("android", ["org.example.notes"]) == {"children", "network:5037"}
    with pytest.raises(UntrodError, match="is not the address of a page"):
        needs("web", ["walk.json"])


def test_another_package_adds_a_driver_and_takes_over_none(installed: None) -> None:
    assert catalogue.driver_for("tty://1") == "terminal"
    assert catalogue.driver_for("http://127.0.0.1") == "web"
    spec = {"driver": "terminal", "target": "tty://1", "project": ".", "origins": []}
    assert catalogue.open_driver(spec, 0) == ("a terminal", "tty://1")
    assert catalogue.needs("terminal", ["tty://1"]) == frozenset()
