"""`cover` on C programs: searchers, prunings, the portfolio, plain chance and AFL++ on the same programs.

- `matrix`: every contender on every program, each trial in a process of its own; `promises` makes bars;
- `player`: a trial of ours; `peers`: AFL++ and plain chance;
- `measure`: gcov says which branches the inputs of a contender take together;
- `subjects`: the programs; `sources.sh` builds them from Debian's sources, into a cache outside of git.
"""

from __future__ import annotations

from bench.native import matrix
from bench.plan import Study

STUDIES: tuple[Study, ...] = (matrix.STUDY,)
