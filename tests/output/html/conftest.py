"""Stores with campaigns of every engine in them, told through the real recorder and read back from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from untrod.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".untrod") as opened:
        yield opened
