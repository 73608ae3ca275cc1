"""SPF-WCA: decisions by the branches before (Luckow, Kersten and Pasareanu, ICST 2017)."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.engines.worst.policies.generated import LONGEST, GeneratedSearch, Worst, rule_of
from untrod.learn.pyse.branch_q import Key


class SpfWca(GeneratedSearch):
    """The context is the site and the last k steps, with the smallest k that leaves no contradiction."""

    name = "spf-wca"

    def _learn(self, examples: Sequence[Worst]) -> tuple[int, dict[Key, bool | None]]:
        rules = [(rule_of(examples, history), history) for history in range(LONGEST + 1)]
        # Only "k = 0 leaves 3 open, k = 2 leaves none" can be compared: more contexts, more to be open.
        (_, rule), history = min(rules, key=lambda entry: (entry[0][0], entry[1]))
        return history, rule
