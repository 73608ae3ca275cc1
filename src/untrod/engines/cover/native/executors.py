"""The executor of a program, as rounds of symbolic execution ask for it."""

from __future__ import annotations

from untrod.engines.cover.arms.paths import Shared
from untrod.engines.cover.case import Input
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.native.paths import Blocks, NativeTemplate, NoProof, native_atom, template_of
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.paths.frontier import Walked
from untrod.engines.cover.paths.lab import Lab
from untrod.learn.pruning import Pruning
from untrod.symbolic.native.executor import NativeExecutor


class NativeExecutors:
    """There is one: every input has the same fields."""

    def __init__(self, executor: NativeExecutor, target: NativeTarget) -> None:
        self._target = target
        self._walked = Walked(NativeTemplate(executor.fields.blank(), target), executor)

    def for_input(self, given: Input) -> tuple[Walked, NativeTemplate] | None:
        template = template_of(given, self._target)
        return None if template is None else (self._walked, template)

    def proof(self, template: NativeTemplate) -> NoProof:
        return NoProof()


class NativeShared(Shared):
    def __init__(
        self, pruning: Pruning, seconds: float, executor: NativeExecutor, target: NativeTarget
    ) -> None:
        super().__init__(pruning, seconds, "both")
        self._executor = executor
        self._target = target

    def _make(self, exploration: Exploration) -> Lab:
        executors = NativeExecutors(self._executor, self._target)
        return Lab(executors, Blocks(self._executor), self.pruning, self._seconds, native_atom)
