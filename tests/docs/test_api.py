"""docs/api.md and the typed client: all of it runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "api.md").read_text(), re.M | re.S)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "examples" / "shop", tmp_path / "shop"))


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_every_block_of_the_page_runs(block: str, shop: Path) -> None:
    done = subprocess.run([sys.executable, "-c", block], cwd=shop, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_typed_client_runs(shop: Path) -> None:
    client = ROOT / "examples" / "api_client.py"
    words = [sys.executable, str(client), str(shop), "shop/prices.py"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert "18 of 18 branches, 1 test files" in done.stdout, done.stderr
    assert done.returncode == 0


def test_the_typed_client_says_what_a_person_can_mend(shop: Path) -> None:
    client = ROOT / "examples" / "api_client.py"
    done = subprocess.run(
        [sys.executable, str(client), str(shop), "nothing.py"], capture_output=True, text=True
    )
    assert done.returncode == 101
    assert len(done.stderr.splitlines()) == 1
