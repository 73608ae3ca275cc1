"""`untrod hunt` on whole packages: against each engine alone, and against Pynguin, for the same CPU time.

- `packages`: three packages from PyPI, copied into projects of their own;
- `contenders`: who leaves tests for one, and what that cost;
- `study`: the branches that these tests take by coverage.py, whether they pass, and what else was left.
"""

from __future__ import annotations

from bench.hunt import study
from bench.plan import Study

STUDIES: tuple[Study, ...] = (study.STUDY,)
