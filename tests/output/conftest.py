from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import ARGUMENTS, find_chromium

sys.path.insert(0, str(Path(__file__).parent.parent / "source"))  # random_values
sys.path.insert(0, str(Path(__file__).parent / "html"))  # html_campaigns


@pytest.fixture(scope="module")
def browser() -> Iterator:
    """A real Chromium."""
    playwright = pytest.importorskip("playwright.sync_api")
    try:
        path = find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=[*ARGUMENTS, "--no-sandbox"])
        yield opened
        opened.close()
