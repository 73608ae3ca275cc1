from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from untrod.store import CampaignRow, Store

sys.path.insert(0, str(Path(__file__).parent))  # store_samples also serves the processes that tests start

from store_samples import new_campaign


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".untrod"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with Store.open(folder) as opened:
        yield opened


@pytest.fixture
def campaign(store: Store) -> CampaignRow:
    return new_campaign(store)
