"""The README's picture is of a real run, and the command that makes it works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "page.png"
PNG = b"\x89PNG\r\n\x1a\n"


def test_it_is_shown_and_small() -> None:
    assert "](docs/pictures/page.png)" in (ROOT / "README.md").read_text()
    assert "`python tools/make_picture.py`" in (ROOT / "README.md").read_text()
    assert PICTURE.read_bytes().startswith(PNG)
    assert PICTURE.stat().st_size < 200_000


@pytest.mark.timeout(300)
def test_the_command_makes_one(tmp_path: Path) -> None:
    try:
        find_chromium()
    except UntrodError:
        pytest.skip("there is no Chromium")
    subprocess.run([sys.executable, ROOT / "tools" / "make_picture.py", tmp_path / "page.png"], check=True)

    made = (tmp_path / "page.png").read_bytes()
    assert made.startswith(PNG)
    assert made[16:24] == PICTURE.read_bytes()[16:24]  # width and height
