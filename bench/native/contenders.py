"""Who competes: ours by name, and what they are made of; AFL++, angr and plain chance are in `peers`."""

from __future__ import annotations

PORTFOLIO, WITH_CHANCE = "portfolio+homi", "untrod"
RANDOM, AFL, ANGR = "random bytes", "afl++", "angr"
SEARCHERS = ("random-path", "covnew")

OURS: dict[str, tuple[str, str, bool]] = {
    **{searcher: (searcher, "none", False) for searcher in SEARCHERS},
    **{f"{searcher}+random": (searcher, "random", False) for searcher in SEARCHERS},
    **{f"{searcher}+homi": (searcher, "homi", False) for searcher in SEARCHERS},
    "portfolio": ("auto", "none", False),
    "portfolio+random": ("auto", "random", False),
    PORTFOLIO: ("auto", "homi", False),
    WITH_CHANCE: ("auto", "homi", True),
}
"""Searcher, pruning, and whether inputs are also drawn and mutated. `auto` is the learned portfolio."""
CONTENDERS = (*OURS, RANDOM, AFL, ANGR)
