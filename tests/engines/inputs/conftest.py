"""Pages are tested with the campaigns and the reader of tests/output/html."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from untrod.store import Store

sys.path.insert(0, str(Path(__file__).parents[2] / "output" / "html"))  # html_campaigns, html_page


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / ".untrod") as opened:
        yield opened
