"""Learning algorithms, one file or small package each, read from top to bottom, ignorant of what they steer.

Published, with the equations beside the lines; what differs from the papers is in docs/papers.md:

- `rlcheck.py`: RLCheck, Monte Carlo control over an abstract state;
- `pyse`: PySE, Q-learning of branch decisions;
- `homi.py`: HOMI, learned pruning of symbolic states; `pruning.py`: its protocol and the naive methods;
- `farlead.py`: FARLEAD, double Q-learning with eligibility traces;
- `gmetaexp`: GMetaExp, graph networks trained by actor-critic.

Ours:

- `exonerate`: elimination of what makes inputs invalid;
- `evolve.py`: evolution of rejected inputs;
- `bandits`: the portfolio `auto`, and a bandit for sources that cost differently.

Shared: `catalogue.py` (by name), `uniform.py` (the baseline), `serialise.py` (JSON to the last bit),
`set_cover.py`, `adam.py` (the optimiser).

Those that answer choices are a `Learner` (`untrod.core.protocols`): it decides, and it learns from how the
episode ended.
"""
