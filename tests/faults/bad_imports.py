"""Jobs whose target cannot even be imported."""

from __future__ import annotations

import os
import time


def exits(spec: object, beacon: object) -> object:
    os._exit(7)


def hangs(spec: object, beacon: object) -> object:
    time.sleep(3600)
    return None
