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
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        if subprocess.run(["apt-get", "-qq", *command], check=False, **quiet).returncode:  # type: ignore[call-overload]
            return False
    return shutil.which("chromium") is not None


def _install_by_playwright() -> bool:
    try:
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
