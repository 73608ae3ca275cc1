"""The `inputs` engine: the paper's tree study on the native loop, and Hypothesis tests under every backend.

- `native`: 100,000 trees, the abstractions of the paper against random;
- `campaign`: the same trees in guarded workers with a store, against the bare loop;
- `native_best`: the same trees for the learners beyond the paper;
- `priors`: the learners with pairs of settings away from their defaults (only with `--study priors`);
- `matrix`: every contender on every subject, each trial in a subprocess (`trial`, `tally`, `contenders`,
  `peers`); `outcomes` makes rows of the results and `promises` bars;
- `subjects`: strategies with validity checks, ceilings and seeded bugs.
"""

from __future__ import annotations

from bench.inputs import campaign, matrix, native, native_best, priors
from bench.plan import Study

STUDIES: tuple[Study, ...] = (native.STUDY, campaign.STUDY, native_best.STUDY, priors.STUDY, matrix.STUDY)
