"""Makes the picture of the README: `python tools/make_picture.py [FILE]`. It needs a Chromium.

A real run of the demo, in a folder of its own, and the upper part of the page that it leaves.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from untrod.drivers.web.chromium import find_chromium

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "page.png"
CAMPAIGN = (
    "inputs",
    "examples/bst.py:tree",
    "--valid",
    "is_bst",
    "--test",
    "check_delete",
    "--budget",
    "2000",
)
SIZE = "860,1240"


def main(arguments: list[str]) -> int:
    picture = Path(arguments[0]).absolute() if arguments else PICTURE
    with tempfile.TemporaryDirectory() as folder:
        page = run_the_demo(Path(folder))
        photograph(page, picture, Path(folder))
    print(f"{picture}: {picture.stat().st_size:,} bytes", file=sys.stderr)
    return 0


def run_the_demo(folder: Path) -> Path:
    """Runs a campaign; its page."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    done = subprocess.run([sys.executable, "-m", "untrod", *CAMPAIGN], cwd=folder, timeout=300, check=False)
    if done.returncode != 1:
        raise SystemExit(f"the demo ended with {done.returncode}: it should find its bug")
    (page,) = (folder / ".untrod" / "reports").glob("*.html")
    return page


def photograph(page: Path, picture: Path, folder: Path) -> None:
    switches = [
        "--headless",
        "--hide-scrollbars",
        f"--window-size={SIZE}",
        f"--user-data-dir={folder / 'profile'}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        switches.append("--no-sandbox")  # Chromium refuses to start as root with it; the page is ours
    subprocess.run(
        [str(find_chromium()), *switches, f"--screenshot={picture}", page.as_uri()],
        stderr=subprocess.DEVNULL,
        timeout=120,
        check=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
