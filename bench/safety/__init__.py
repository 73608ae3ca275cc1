"""What it costs to keep a target in: at the start of a worker, and in each episode."""

from __future__ import annotations

from bench.plan import Study
from bench.safety import walls

STUDIES: tuple[Study, ...] = (walls.START, walls.EPISODE)
