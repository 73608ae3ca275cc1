"""The path that is running, where proxies find it, and how it is stopped.

One at a time in a process: proxies are made by the code under test with no way to hand them a context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from untrod.symbolic.protocol import BranchKind, Status

if TYPE_CHECKING:
    from untrod.symbolic.lean.run import PathRun
    from untrod.symbolic.lean.terms import Term


class Stop(BaseException):
    """Ends the path from within the code under test. Not an Exception, so that `except Exception` there lets
    it through; whoever catches it all the same is stopped again at the next branch."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


class NoRun:
    """Stands where the run should be, for proxies that outlive their path."""

    def branch(self, term: Term, kind: BranchKind = "user") -> bool:
        raise RuntimeError("a symbolic value was used after its path had ended")

    def concretise(self, terms: Sequence[Term]) -> list[int]:
        raise RuntimeError("a symbolic value was used after its path had ended")

    def stop(self, status: Status, reason: str) -> NoReturn:
        raise RuntimeError("a symbolic value was used after its path had ended")


run: PathRun | NoRun = NoRun()


def unsupported(what: str) -> NoReturn:
    """End the path: `what` cannot be modelled here."""
    run.stop("unsupported", what)


def internally(term: Term) -> bool:
    """A decision that the model of a method needs and that the code under test does not see."""
    return run.branch(term, "internal")
