"""A generator, its validity check and its property, run once.

Three plain functions, two of them optional:

    def tree(choose): ...         # makes an input
    def is_bst(tree): ...         # returns False, fails an `assume`, or raises what was declared: not valid
    def check_insert(tree): ...   # raises: a finding

`GeneratorTarget` runs them. `Feedback` traces the checks, where the path tells inputs apart or a rejected
input may earn credit. A characteristic tells inputs apart, and `Novelty` remembers those that were seen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeAlias

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon, Policy
from untrod.core.validity import Rejected
from untrod.core.vocabulary import Choice, Episode, Json, Outcome, digest
from untrod.engines.inputs.footprint import COLD, Footprint, RejectionProgress, place_of
from untrod.engines.inputs.guide import Choose, Guide
from untrod.runtime.deadline import Interrupted
from untrod.runtime.describe import outcome_of
from untrod.runtime.loading import TargetName, load_function


class GeneratorTarget:
    """Runs the three functions under a policy. Nothing that they raise gets out: it is the episode's outcome.

    The one exception is `Interrupted`: the campaign is over, and the running episode does not count.
    An episode lasts until the next one begins or the caller ends it: should the target have damaged the
    interpreter, the next failure is in our own code, and the beacon still names the episode to blame.
    """

    def __init__(
        self,
        generator: Callable[[Choose], Any],
        valid: Callable[[Any], object] | None,
        test: Callable[[Any], object] | None,
        characteristic: Characteristic,
        beacon: Beacon,
        invalid: tuple[type[BaseException], ...] = (),
        feedback: Feedback | None = None,
    ) -> None:
        self._generator = generator
        self._valid = valid
        self._test = test
        self._characteristic = characteristic
        self._shape = characteristic if isinstance(characteristic, ByShape) else None
        self._beacon = beacon
        self._feedback = feedback
        self._rejections: tuple[type[BaseException], ...] = (Rejected, *invalid)
        self._guide: Guide | None = None
        self._policy: Policy | None = None
        self.stage = "generator"  # of the running episode: generator, valid or test
        self.untested: set[int] = set()  # episodes whose input is made and not run: it has killed a worker

    def run(self, number: int, policy: Policy) -> Episode:
        if policy is not self._policy:
            self._policy, self._guide = policy, Guide(self._policy_to_ask(policy))
        guide = self._guide
        assert guide is not None
        guide.begin()
        if self._shape is not None:
            self._shape.begin()
        episode = Episode(number, guide.answers)
        beacon, feedback = self._beacon, self._feedback
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
            if feedback is not None:
                feedback.begin()
            if self._valid is not None and self._valid(value) is False:
                episode.outcome = Outcome.INVALID
            else:
                if feedback is None or not feedback.keys_by_path:
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
            if feedback is not None:
                feedback.end()
        if feedback is not None:
            feedback.credit(episode, rejection)
        return episode

    def _policy_to_ask(self, policy: Policy) -> Policy:
        return policy if self._shape is None else self._shape.around(policy)

    def make(self, policy: Policy) -> Any:
        """Only the input: no validity check, no property. Raises whatever the generator raises."""
        guide = Guide(policy)
        return self._generator(guide.choose)


# -- feedback ------------------------------------------------------------------------------------------

REWARDS = ("greybox", "blackbox")
_ENOUGH = 10  # valid inputs without any path: there will be none


def check_reward(name: str) -> str:
    """Raises UntrodError when there is no such reward."""
    if name not in REWARDS:
        raise UntrodError(f"there is no reward {name!r}", f"choose from {', '.join(REWARDS)}")
    return name


class Feedback:
    """What the traces of one campaign's checks are used for: `begin` before the validity check, `end` when
    the episode is over, `credit` when it counts.

    `trace`: the path is the characteristic. `greybox`: a rejected input that came further than all before it
    earns credit, as long as valid ones are rare.
    """

    def __init__(self, root: str, trace: bool, greybox: bool) -> None:
        self._footprint = Footprint(root)
        self._progress = RejectionProgress()
        self._trace = trace
        self._greybox = greybox
        self._valid = 0
        self._tracing = False  # whether the running episode is traced
        self._prevented = False

    @property
    def keys_by_path(self) -> bool:
        """The characteristic of the running episode is its path."""
        return self._trace and self._tracing

    def begin(self) -> None:
        cold = self._greybox and self._valid < COLD
        if self._trace or cold:
            self._tracing = self._footprint.start(wide=cold)
            self._prevented |= not self._tracing

    def end(self) -> None:
        self._footprint.stop()

    def credit(self, episode: Episode, rejection: BaseException | None) -> None:
        """Set its key or its progress. `rejection` is the exception that rejected it, if it was one."""
        footprint = self._footprint
        if episode.outcome is not Outcome.INVALID:
            self._valid += 1
            if self.keys_by_path:
                episode.key = footprint.key()
        elif self._greybox and self._valid < COLD:
            lines, episode.place = footprint.lines(), place_of(rejection)
            episode.lines = frozenset(lines)
            episode.progress = self._progress.made(lines, episode.place)
        if self._tracing:
            footprint.clear()
            self._tracing = False

    def complaint(self) -> str | None:
        """Why traces do not tell inputs apart, if so."""
        if not self._trace:
            return None
        if self._prevented:
            return "a debugger or coverage tool traces already: --different trace falls back to value"
        if self._valid >= _ENOUGH and not self._footprint.ever:
            return "--different trace sees no path: the checks run no code of the project"
        return None

    def state(self) -> Json:
        return {"valid": self._valid, "progress": self._progress.state()}

    def load(self, state: Json) -> None:
        self._valid = int(state["valid"])
        self._progress.load(state["progress"])


# -- what counts as a different input: the paper's characteristic function xi ------------------------------
#
# A characteristic turns a generated value into a hashable key. Two inputs with equal keys are the same input,
# and only the first of them is new.

Characteristic: TypeAlias = Callable[[Any, list[int]], Hashable]
"""From a generated value, and the answers that it was made from, to its key."""

CHARACTERISTICS = ("value", "choices", "shape", "trace")
"""The named ones. Any other is a function of the user's."""

_BY_VALUE = (int, float, complex, bool, str, bytes, tuple, frozenset, type(None))


class ByValue:
    """The value itself; its repr if it cannot be hashed; its choices if the repr holds an address.

    An equal object prints as another `<Node object at 0x7f..>` in the next episode, so the key of such a
    value is the choices that it was made from.
    """

    def __init__(self) -> None:
        self._by_type: dict[type, Characteristic] = {}

    def __call__(self, value: Any, answers: list[int]) -> Hashable:
        characteristic = self._by_type.get(type(value))
        if characteristic is None:
            characteristic = self._by_type[type(value)] = _suited_to(value)
        return characteristic(value, answers)


class ByShape:
    """The sites of the choices, in order, whatever was answered. A policy around the real one notes them."""

    needs_context = True  # even if the learner does without: sites come with the context

    def __init__(self) -> None:
        self._policy: Policy | None = None
        self._sites: list[Hashable] = []

    def around(self, policy: Policy) -> ByShape:
        """This one, as a policy that notes the site of each choice and lets `policy` decide."""
        self._policy = policy
        return self

    def decide(self, choice: Choice) -> int:
        assert self._policy is not None
        self._sites.append(choice.site)
        return self._policy.decide(choice)

    def begin(self) -> None:
        self._sites.clear()

    def __call__(self, value: Any, answers: list[int]) -> Hashable:
        return stable_digest(tuple(self._sites))


def by_choices(value: Any, answers: list[int]) -> Hashable:
    """The sequence of choices: finer than the value when two sequences build the same one."""
    return tuple(answers)


def by_function(function: Callable[[Any], Any]) -> Characteristic:
    """The user's own characteristic of the value; by its repr where it cannot be hashed."""

    def characteristic(value: Any, answers: list[int]) -> Hashable:
        return hashable(function(value))

    return characteristic


def hashable(key: Any) -> Hashable:
    try:
        hash(key)
    except TypeError:
        return repr(key)
    return key  # type: ignore[no-any-return]


def by_repr(value: Any, answers: list[int]) -> Hashable:
    return repr(value)


def stable_digest(key: Hashable) -> str:
    """Equal for equal keys in every process: the key of a corpus entry."""
    return digest(key if isinstance(key, str | bytes) else repr(key))


def _suited_to(value: Any) -> Characteristic:
    text = repr(value)
    if " at 0x" in text:
        return by_choices
    if isinstance(value, _BY_VALUE):
        try:
            hash(value)
        except TypeError:
            return by_repr
        return lambda value, answers: value
    return by_repr


def load_characteristic(name: Json, project: Path) -> Characteristic:
    if name in ("value", "trace"):  # an episode that could not be traced is keyed by its value
        return ByValue()
    if name == "choices":
        return by_choices
    if name == "shape":
        return ByShape()
    return by_function(load_function(TargetName(**name), project))


class Novelty:
    """The judge of an episode: is its input valid, and of a characteristic never seen before?

    Keys of this process are compared as they are, keys of a snapshot by their digests: only an input that is
    new to this process costs a digest.
    """

    def __init__(self) -> None:
        self._seen: set[Hashable] = set()
        self._digests: set[str] = set()
        self.newest = ""  # the digest of the last new characteristic

    def __len__(self) -> int:
        return len(self._digests)

    def __call__(self, episode: Episode) -> None:
        """Set `episode.new`."""
        key = episode.key
        if episode.outcome is Outcome.INVALID or key is None or key in self._seen:
            return
        self._seen.add(key)
        short = stable_digest(key)
        if short not in self._digests:
            self._digests.add(short)
            self.newest = short
            episode.new = True

    def state(self) -> Json:
        return sorted(self._digests)

    def load(self, state: Json) -> None:
        self._seen.clear()
        self._digests = set(state)
