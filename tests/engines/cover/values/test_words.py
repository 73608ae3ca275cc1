from __future__ import annotations

import importlib
from types import ModuleType

from untrod.engines.cover.values.matching import match_patterns
from untrod.engines.cover.values.words import words_of

SOURCE = '''
"""A docstring is not a word."""
import re

VERSION = re.compile(r"v\\d+\\.\\d+", re.IGNORECASE)
UNITS = {"kilo": 1000, "milli": -3}


def convert(text: "Annotation", limit=77):
    if text == "magic" or limit > 4.5:
        raise ValueError("not a word either")
    return re.match("[ab]x", text) or f"{text} nor this" or b"raw"
'''


def words():
    module = ModuleType("words_example")
    exec(SOURCE, vars(module))
    return words_of([module], [SOURCE])


def test_tables_of_classes_are_read(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    source = "class Version:\n    NAMES = tuple(name[1:] for name in ('_major', '_minor'))\n"
    (tmp_path / "classy.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("classy")
    assert {"major", "minor"} <= set(words_of([module], [source]).texts)


def test_literals_and_tables_are_words_and_prose_is_not() -> None:
    found = words()
    assert "magic" in found.texts
    assert {"kilo", "milli"} <= set(found.texts)
    assert {1000, -3, 77} <= set(found.ints)
    assert found.floats == [4.5]
    assert found.octets == [b"raw"]
    for prose in ("A docstring is not a word.", "not a word either", " nor this", "Annotation"):
        assert prose not in found.texts


def test_texts_are_made_that_match_the_regular_expressions() -> None:
    import re

    found = words()
    match_patterns(found)
    assert any(re.search(r"(?i)v\d+\.\d+", text) for text in found.matching)
    assert any(re.search("[ab]x", text) for text in found.matching)
    again = words()
    match_patterns(again)
    assert again.matching == found.matching
