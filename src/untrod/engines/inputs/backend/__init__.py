"""The Hypothesis backend `untrod`: any Hypothesis test, learning-guided by one setting.

    @settings(backend="untrod")
    @given(...)
    def test_something(...): ...

The backend, in Hypothesis's process:

- `entry`: registers it (an entry point); `config`: which learner, which seed, what is different;
- `provider`: test cases become episodes; `draws`, `arms`: draws become choices; `spans`: their context;
- `characteristic`: when two test cases are the same input;
- `bootstrap`: what a test brings along to learn from; `transfer`: what earlier runs have learned;
- `rejections`: why inputs were rejected; `observe`: records for other tools.

A campaign over Hypothesis tests:

- `engine`, `delivery`, `plugin`: outside of the workers;
- `job`, `running`: inside, where pytest collects and runs the tests.

And `pytest_plugin`: `pytest --untrod`.
"""

from __future__ import annotations

from untrod.engines.inputs.backend.config import Config, configure

__all__ = ["Config", "configure"]
