"""A generator, its validity check and its property, run once.

Three plain functions, two of them optional:

    def tree(choose): ...         # makes an input
    def is_bst(tree): ...         # returns False, fails an `assume`, or raises what was declared: not valid
    def check_insert(tree): ...   # raises: a finding
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from untrod.core.protocols import Beacon, Policy
from untrod.core.validity import Rejected
from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.characteristic import ByShape, Characteristic
from untrod.engines.inputs.guide import Choose, Guide
from untrod.engines.inputs.watch import Watch
from untrod.runtime.deadline import Interrupted
from untrod.runtime.describe import outcome_of


class GeneratorTarget:
    """Runs the three functions under a policy and says how it went; nothing they raise gets out.

    The one exception is `Interrupted`: the campaign is over, and the running episode does not count.
    An episode lasts until the next one begins or the caller ends it: should the target have damaged the
    interpreter, what fails next is our own code, and the beacon still names the culprit.
    """

    def __init__(
        self,
        generator: Callable[[Choose], Any],
        valid: Callable[[Any], object] | None,
        test: Callable[[Any], object] | None,
        characteristic: Characteristic,
        beacon: Beacon,
        invalid: tuple[type[BaseException], ...] = (),
        watch: Watch | None = None,
    ) -> None:
        self._generator = generator
        self._valid = valid
        self._test = test
        self._characteristic = characteristic
        self._shape = characteristic if isinstance(characteristic, ByShape) else None
        self._beacon = beacon
        self._watch = watch
        self._rejections: tuple[type[BaseException], ...] = (Rejected, *invalid)
        self._guide: Guide | None = None
        self._policy: Policy | None = None
        self.stage = "generator"  # which of the three functions ran last: generator, valid or test
        self.untested: set[int] = set()  # episodes whose input is made but must not be run: they kill workers

    def run(self, number: int, policy: Policy) -> Episode:
        if policy is not self._policy:
            self._policy, self._guide = policy, Guide(self._asked(policy))
        guide = self._guide
        assert guide is not None
        guide.begin()
        if self._shape is not None:
            self._shape.begin()
        episode = Episode(number, guide.answers)
        beacon, watch = self._beacon, self._watch
        rejection: BaseException | None = None
        try:
            beacon.begin(number)
            self.stage = "generator"
            value = episode.value = self._generator(guide.choose)
            beacon.trace(guide.answers)
            if number in self.untested:
                episode.outcome = Outcome.CRASHED
                return episode
            self.stage = "valid"
            if watch is not None:
                watch.begin()
            if self._valid is not None and self._valid(value) is False:
                episode.outcome = Outcome.INVALID
            else:
                if watch is None or not watch.tells:
                    # Before the property runs: it may change the value in place.
                    episode.key = self._characteristic(value, guide.answers)
                if self._test is not None:
                    self.stage = "test"
                    self._test(value)
        except self._rejections as error:
            episode.outcome = Outcome.INVALID
            rejection = error
        except Interrupted:
            raise
        except BaseException as error:
            episode.error = error
            episode.outcome = outcome_of(error)
        finally:
            if watch is not None:
                watch.end()
        if watch is not None:
            watch.judge(episode, rejection)
        return episode

    def _asked(self, policy: Policy) -> Policy:
        return policy if self._shape is None else self._shape.following(policy)

    def make(self, policy: Policy) -> Any:
        """Only the input: no validity check, no property. Raises whatever the generator raises."""
        guide = Guide(policy)
        return self._generator(guide.choose)
