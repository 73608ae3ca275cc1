"""Provide the compilers for the tests of C programs: take what is there, else install them, else say so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGES = {"gcc": "gcc", "gcov": "gcc", "musl-gcc": "musl-tools"}


def main() -> int:
    missing = sorted({package for tool, package in PACKAGES.items() if not shutil.which(tool)})
    if not missing:
        return 0
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {' '.join(missing)} with apt-get")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        words = ["--yes", "--no-install-recommends", *missing, "libc6-dev"]
        _run(["apt-get", "-qq", "update"], 300, environment)
        _run(["apt-get", "-qq", "install", *words], 600, environment)
    if any(not shutil.which(tool) for tool in PACKAGES):
        names = " ".join(missing)
        print(f"no compilers for C programs: apt-get install {names} (Debian) to run their tests")
    return 0


def _run(command: list[str], seconds: float, environment: dict[str, str]) -> None:
    """A machine without a network may keep an installer waiting for ever."""
    try:
        subprocess.run(
            command,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
        )
    except (OSError, subprocess.TimeoutExpired):
        pass


if __name__ == "__main__":
    sys.exit(main())
