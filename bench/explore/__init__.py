"""The `explore` engine: GMetaExp's tables row for row, each beside the paper's figure.

- `walks`: mazes, apps and directed apps: the baselines, the network untrained, and the weights that ship;
- `programs`: RobustFill and Karel: inputs by chance, climbing, experts, Z3 and the weights that ship;
- `ablations`: the policy for programs without one part or another, after the same short course;
- `pace`: CPU time of a step by the network;
- `paper`: the paper's figures, and `promises`: the bars;
- `means`: means with their 95% intervals, as rows.

Not there: Table 4's fuzzers (AFL, Neuzz), and the paper's 1,000 real apps.
"""

from __future__ import annotations

from bench.explore import ablations, pace, programs, walks
from bench.plan import Study

STUDIES: tuple[Study, ...] = (pace.STUDY, walks.STUDY, programs.STUDY, ablations.STUDY)
