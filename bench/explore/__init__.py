"""The `explore` engine: GMetaExp's tables row for row, each beside the paper's figure.

- `walks`: mazes, apps and directed apps: the baselines, the network untrained, and the weights that ship;
- `bounds`: directed apps, by one who jumps: what an order of visits is worth that knows no sinks;
- `training_seeds`: the courses of the weights that ship, with other seeds;
- `walk_ablations`: the policy for mazes with less memory, or without history (nodes as in `plain_nodes`);
- `programs`: RobustFill and Karel: inputs by chance, climbing, experts, Z3 and the weights that ship;
- `ablations`: the policy for programs without one part or another, after the same short course;
- `pace`: CPU time of a step by the network;
- `paper`: the paper's figures, and `promises`: the bars;
- `means`: means with their 95% intervals, as rows.

Not there: Table 4's fuzzers (AFL, Neuzz), and the paper's 1,000 real apps.
"""

from __future__ import annotations

from bench.explore import ablations, bounds, pace, programs, training_seeds, walk_ablations, walks
from bench.plan import Study

STUDIES: tuple[Study, ...] = (
    pace.STUDY,
    walks.STUDY,
    bounds.STUDY,
    training_seeds.STUDY,
    walk_ablations.STUDY,
    programs.STUDY,
    ablations.STUDY,
)
