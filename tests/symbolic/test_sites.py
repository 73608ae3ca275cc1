from __future__ import annotations

import json

import pytest

from untrod.symbolic.protocol import Location
from untrod.symbolic.sites import Sites


def test_places_are_numbered_as_they_are_met() -> None:
    sites = Sites()
    assert sites.number(Location("f", 10, 4)) == 0
    assert sites.number(Location("g", 10, 4)) == 1
    assert sites.number(Location("f", 10, 4)) == 0
    assert len(sites) == 2


def test_a_line_added_above_changes_nothing() -> None:
    sites = Sites()
    assert sites.number(Location("f", 10, 4)) == sites.number(Location("f", 11, 4))


def test_numbers_survive() -> None:
    sites, twin = Sites(), Sites()
    sites.number(Location("f", 1, 4))
    sites.number(Location("f", 2, 8))
    twin.load(json.loads(json.dumps(sites.state())))
    assert twin.number(Location("f", 2, 8)) == 1
    assert twin.locations == sites.locations


def test_a_place_with_two_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="two numbers"):
        Sites().load([["f", 1, 4], ["f", 2, 4]])
