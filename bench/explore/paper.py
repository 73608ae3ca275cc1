"""What the paper reports, by subject and contender. Its worlds and programs are not available: ours are
made by the definitions in docs/explore.md and docs/explore-programs.md."""

from __future__ import annotations

WALKS: dict[tuple[str, str], float] = {
    ("maze", "random"): 0.329,
    ("maze", "rand-dfs"): 0.539,
    ("maze", "trained"): 0.72,  # tables 5 and 6: 0.716 and 0.734, by the features
    ("app", "rand-dfs"): 0.52,
    ("app", "tabular-q"): 0.60,
    ("app", "trained"): 0.65,
    ("app", "fine-tuned"): 0.68,
}
ABLATIONS: dict[tuple[str, str], float] = {
    ("maze, 1 layer", "node without history"): 0.3363,  # table 5
    ("maze, 1 layer", "node"): 0.6603,
    ("maze, 1 layer", "pool without history"): 0.4151,
    ("maze, 1 layer", "pool"): 0.6671,
    ("maze, 1 layer", "graph without history"): 0.6634,
    ("maze, 1 layer", "graph"): 0.7160,
    ("maze, 2 layers", "node without history"): 0.3409,  # table 6
    ("maze, 2 layers", "node"): 0.7063,
    ("maze, 2 layers", "pool without history"): 0.5217,
    ("maze, 2 layers", "pool"): 0.7074,
    ("maze, 2 layers", "graph without history"): 0.6780,
    ("maze, 2 layers", "graph"): 0.7340,
}
PROGRAMS: dict[tuple[str, str, int], float] = {
    ("robustfill", "random", 10): 0.73,
    ("robustfill", "random", 100): 0.85,
    ("robustfill", "expert", 10): 0.96,
    ("karel", "random", 1): 0.53,
    ("karel", "z3", 1): 0.837,
    ("robustfill", "trained", 1): 0.93,
    ("karel", "trained", 1): 0.75,
    ("karel", "trained", 5): 0.95,
}
LEARNED = "the paper's learned policy: RobustFill 0.93 with 1 input; Karel 0.75 with 1 and 0.95 with 5"
