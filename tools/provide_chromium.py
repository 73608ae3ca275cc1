"""Provide a Chromium for the browser tests: take what is there, else install one, else say so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def main() -> int:
    if any(shutil.which(name) for name in NAMES):
        return 0
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") and _install_by_apt():
        return 0
    if _install_by_playwright():
        return 0
    print("no Chromium found: install one (Debian: apt-get install chromium) to run the browser tests")
    return 0


def _install_by_apt() -> bool:
    print("installing chromium with apt-get")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends"]
    _run(["apt-get", "-qq", "update"], 300, environment)
    for packages in (["chromium", "chromium-headless-shell"], ["chromium"]):  # the shell takes half the time
        if _run([*install, *packages], 600, environment) and shutil.which("chromium"):
            return True
    return False


def _install_by_playwright() -> bool:
    return _run([sys.executable, "-m", "playwright", "install", "chromium"], 120, dict(os.environ))


def _run(command: list[str], seconds: float, environment: dict[str, str]) -> bool:
    """Did it succeed? A machine without a network may keep an installer waiting for ever."""
    try:
        done = subprocess.run(
            command,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
