"""The `cover` engine: searchers, prunings, the portfolio, chance and two peers on the same modules.

- `matrix`: every contender on every subject, each trial in a subprocess; `outcomes` makes rows of the results
  and `promises` bars;
- `learned`: what learned pruning has to go by;
- `contenders` and `peers`: each leaves tests, and coverage.py says which branches they take;
- `subjects`: the modules.
"""

from __future__ import annotations

from bench.cover import learned, matrix
from bench.plan import Study

STUDIES: tuple[Study, ...] = (matrix.STUDY, learned.STUDY)
