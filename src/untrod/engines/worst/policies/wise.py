"""WISE: one side for each place in the code (Burnim, Juvekar and Sen, ICSE 2009)."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.engines.worst.policies.generated import GeneratedSearch, Worst, rule_of
from untrod.learn.pyse.branch_q import Key


class Wise(GeneratedSearch):
    """The context is the site alone: "here, always True". Enough for insertion sort; see `generated.py`."""

    name = "wise"

    def _learn(self, examples: Sequence[Worst]) -> tuple[int, dict[Key, bool | None]]:
        return 0, rule_of(examples, 0)[1]
