from __future__ import annotations

import shutil
from pathlib import Path

import pytest

MISSING = [tool for tool in ("musl-gcc", "gcc", "gcov") if shutil.which(tool) is None]
CALC = Path(__file__).parents[4] / "examples" / "native" / "calc.c"


@pytest.fixture(autouse=True)
def _tools() -> None:
    if MISSING:
        pytest.skip(f"{MISSING[0]} is not installed: run tools/provide_native.py")
    pytest.importorskip("unicorn")
    pytest.importorskip("triton")


@pytest.fixture
def calc() -> Path:
    return CALC
