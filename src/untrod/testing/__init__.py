"""Checks for learners, drivers, explorers and executors of your own: the ones that untrod's are put through.

    from untrod.testing import check_driver, check_executor, check_explorer, check_policy

    def test_my_learner():
        check_policy(MyLearner)                      # MyLearner(seed) -> Learner

    def test_my_driver():
        assert check_driver(MyDriver(...)) == ("Paced",)     # which of the optional protocols it has

    def test_my_explorer():
        check_explorer(my_factory)                   # of engines.gui.explorers.catalogue

    def test_my_executor():
        check_executor(MyExecutor)                   # MyExecutor(function, arguments) -> SymbolicExecutor

Each raises AssertionError where a promise of the protocol is broken, and says which. To have a test for each
promise, parametrise over `policies.CHECKS` or `executors.CHECKS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from untrod.testing.drivers import check_driver
    from untrod.testing.executors import check_executor
    from untrod.testing.explorers import check_explorer
    from untrod.testing.policies import check_policy

__all__ = ["check_driver", "check_executor", "check_explorer", "check_policy"]

_HOMES = {
    "check_driver": "drivers",
    "check_executor": "executors",
    "check_explorer": "explorers",
    "check_policy": "policies",
}


def __getattr__(name: str) -> Any:
    """Lazily: who checks a driver needs no solver."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
