"""What a hunt shows while it goes on, where there is no terminal to redraw."""

from __future__ import annotations

from untrod.hunt.lot import Lot
from untrod.hunt.screen import Screen


def test_a_turn_that_could_not_be_run_does_not_look_like_one_that_found_nothing():
    lot = Lot("cover", "broken.py", "", "broken.py")
    screen = Screen([lot], 60.0)
    counts = {"unique": 0, "episodes": 0}
    screen(lot, {"event": "campaign-finished", "reason": "error: importing broken failed", **counts})
    assert screen._status[lot.name] == "could not be run"
    screen(lot, {"event": "campaign-finished", "reason": "wall", **counts})
    assert screen._status[lot.name] == "0 different valid inputs of 0"
