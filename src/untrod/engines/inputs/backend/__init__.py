"""The Hypothesis backend `untrod`: any Hypothesis test, learning-guided by one setting.

    @settings(backend="untrod")
    @given(...)
    def test_something(...): ...

- `entry`: registers the backend (the `hypothesis` entry point);
- `config`: which learner, which seed, what counts as different;
- `provider`: test cases become episodes;
- `draws`, `asking`: draws become choices;
- `mentions`: values that the rejecting lines ask for;
- `spans`, `names`: the context of a choice, and names for it;
- `bootstrap`, `database`: what a test brings along to learn from; `warm`: what earlier runs have learned;
- `tally`, `words`, `report`: why inputs were rejected; `observe`: records for other tools;
- `arms`, `texts`, `plain`: endless domains, and Hypothesis's own distributions;
- `identity`, `telling`: when two test cases are the same input.
"""

from __future__ import annotations

from untrod.engines.inputs.backend.config import Config, configure

__all__ = ["Config", "configure"]
