"""The `worst` engine: PySE's table, its baselines and the portfolio, on textbook and irregular functions.

- `matrix`: every policy on every subject and size, each trial in a subprocess (`trial`); `outcomes` makes
  rows of the results and `promises` bars;
- `growth`: the fitted complexity class against the textbook's;
- `pace`: CPU time of a path, against the lab's spike where it is at hand;
- `subjects`: the functions.
"""

from __future__ import annotations

from bench.plan import Study
from bench.worst import growth, matrix, pace

STUDIES: tuple[Study, ...] = (pace.STUDY, growth.STUDY, matrix.STUDY)
