"""Annotations that speak of what is imported for type checkers alone."""

from __future__ import annotations

import datetime

from untrod.engines.cover.parameters import parameters_of
from untrod.engines.cover.type_expressions import checked_imports

MODULE = """
from __future__ import annotations

import typing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime as dt
    import collections.abc
    from nowhere.to.be.found import Thing
if typing.TYPE_CHECKING:
    from decimal import Decimal as Money


def when(
    value: dt.datetime | dt.timedelta, price: Money, thing: Thing, many: collections.abc.Sequence[int]
) -> str:
    return f"{value} {price}"
"""


def test_such_names_are_imported_where_an_annotation_has_them(load) -> None:
    survey = load("checked", source=MODULE).survey
    (entry,) = survey.entries
    hints = {one.name: one.hint for one in parameters_of(entry.target)}
    assert hints["value"] == datetime.datetime | datetime.timedelta
    assert hints["price"].__name__ == "Decimal"
    assert str(hints["many"]) == "collections.abc.Sequence[int]"
    assert hints["thing"] is None, "what is not installed is not known"


def test_only_what_is_asked_for_is_imported(load) -> None:
    load("checked", source=MODULE)
    assert checked_imports("checked", ["dt", "Thing", "unheard_of"]) == {"dt": datetime}


RELATIVE = """
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import shapes
    from .shapes import Square

def area(square: Square, other: shapes.Square) -> int:
    return square.side
"""


def test_also_from_beside_the_module(load, tmp_path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shapes.py").write_text("class Square:\n    side = 2\n")
    (package / "areas.py").write_text(RELATIVE)
    load("other", source="import pkg.areas\n\ndef nothing() -> None: ...\n")
    found = checked_imports("pkg.areas", ["shapes", "Square"])
    assert found["Square"].side == 2
    assert found["shapes"].__name__ == "pkg.shapes"
