"""A generator, its validity check and its property, run once.

Three plain functions, two of them optional:

    def tree(choose, depth=0):    # makes an input
        value = choose(range(11))
        left = tree(choose, depth + 1) if depth < 4 and choose((True, False)) else None
        right = tree(choose, depth + 1) if depth < 4 and choose((True, False)) else None
        return (value, left, right)

    def is_bst(tree): ...         # returns False, fails an `assume`, or raises what was declared: not valid
    def check_insert(tree): ...   # raises: a finding

`GeneratorTarget` runs them. `Guide` puts the questions of the generator before the learner. `Feedback` traces
the checks, where the path tells inputs apart or a rejected input may earn credit (see `judge`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from types import CodeType, FrameType
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon, Policy, needs_context
from untrod.core.validity import Rejected
from untrod.core.vocabulary import Choice, Context, Episode, Frame, Json, Outcome
from untrod.engines.inputs.judge import (
    COLD,
    ByShape,
    Characteristic,
    Footprint,
    RejectionProgress,
    place_of,
)
from untrod.runtime.deadline import Interrupted
from untrod.runtime.describe import outcome_of


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


# -- the guide: what a generator receives as `choose` ----------------------------------------------------
#
# Nothing is named or registered. The *site* of a choice is the place in the source that asks; its *context*
# is taken from nesting: every function activation that asks is a level, and a level remembers from which
# call it was entered, which is what tells a left subtree from a right one. A generator that knows better
# says so: `choose(options, context=(parent, "L"), site="value")`.
#
# Finding the asking frame is the hot path. `sys._getframe` and `frame.f_code` raise audit events, and inside
# a guarded worker each event costs as much as the whole decision. A running generator's `f_back` is its
# caller and raises none, so a never-ending generator looks the caller's frame up, and code objects are read
# once per activation.

T = TypeVar("T")

_SEARCH_DEPTH = 64
"""How many callers are searched for an enclosing level before a frame counts as outermost."""


Given: TypeAlias = tuple[Hashable, ...] | None


class Choose(Protocol):
    """The type of `choose`, for annotating generators."""

    def __call__(self, options: Sequence[T], context: Given = None, site: str | None = None) -> T:
        """One of `options`. `context`, when given, is all that the decision may depend on; `site` renames
        the place that asks. If both are given, no frame is looked up: the fastest way.
        """
        ...


class Guide:
    """Lets one policy answer the choices of one generator, episode after episode."""

    def __init__(self, policy: Policy) -> None:
        self.context = Context()
        self.answers: list[int] = self.context.answers
        self._levels: list[_Level] = []
        self.context.frames = cast(list[Frame], self._levels)
        make = self._with_context if needs_context(policy) else self._without_context
        self.choose: Choose = make(policy.decide)

    def begin(self) -> None:
        """A new episode: nothing has been answered yet."""
        self.answers.clear()
        self._levels.clear()  # drops the references to the target's dead frames

    def _without_context(self, decide: Callable[[Choice], int]) -> Choose:
        choice, answers = Choice(self.context), self.answers

        def choose(options: Sequence[T], context: Given = None, site: str | None = None) -> T:
            choice.options = len(options)
            index = decide(choice)
            answers.append(index)
            return options[index]

        return choose

    def _with_context(self, decide: Callable[[Choice], int]) -> Choose:
        choice, answers, levels, enter = Choice(self.context), self.answers, self._levels, self._enter
        here, caller = self.context, _caller_frame()

        def choose(options: Sequence[T], context: Given = None, site: str | None = None) -> T:
            here.given = context
            choice.options = len(options)
            if context is not None and site is not None:
                choice.site = site
                index = decide(choice)
            else:
                frame = caller(None).f_back
                level = levels[-1] if levels and levels[-1].frame is frame else enter(frame)
                offset = frame.f_lasti
                choice.site = site or level.sites.get(offset) or level.name_site(offset)
                index = decide(choice)
                level.answers.append(index)
            answers.append(index)
            return options[index]

        return choose

    def _enter(self, frame: FrameType) -> _Level:
        """Make `frame` the innermost level: by returning to it, or by entering it from an enclosing level."""
        levels = self._levels
        # The two common cases first: a direct call, and the return from one.
        if levels and frame.f_back is levels[-1].frame:
            levels.append(_Level(levels[-1].frame.f_lasti, frame))
            return levels[-1]
        if len(levels) > 1 and levels[-2].frame is frame:
            del levels[-1]
            return levels[-1]
        ancestor: FrameType | None = frame
        for _ in range(_SEARCH_DEPTH):
            if ancestor is None:
                break
            for depth in range(len(levels) - 1, -1, -1):
                if levels[depth].frame is ancestor:
                    del levels[depth + 1 :]
                    if ancestor is not frame:
                        levels.append(_Level(ancestor.f_lasti, frame))
                    return levels[-1]
            ancestor = ancestor.f_back
        levels[:] = [_Level(None, frame)]
        return levels[0]


class Replay:
    """A policy that repeats recorded answers; where they end or do not fit, the first option."""

    needs_context = False

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = iter(answers)

    def decide(self, choice: Choice) -> int:
        answer = next(self._answers, 0)
        return answer if isinstance(answer, int) and 0 <= answer < choice.options else 0


class _Level(Frame):
    """A function activation of the generator that has asked at least once."""

    __slots__ = ("code", "frame", "sites")

    def __init__(self, entered_from: Hashable, frame: FrameType) -> None:
        self.entered_from = entered_from
        self.answers = []
        self.memo = None
        self.frame = frame
        self.code = code = frame.f_code
        known = _sites.get(id(code))
        if known is None:
            known = _sites[id(code)] = (code, {})
        self.sites = known[1]

    def name_site(self, offset: int) -> str:
        """`tree:14:16`: function, line, column. The same in every process that runs the same source."""
        line, _, column, _ = list(self.code.co_positions())[offset // 2]
        name = self.sites[offset] = f"{self.code.co_qualname}:{line}:{column}"
        return name


_sites: dict[int, tuple[CodeType, dict[int, str]]] = {}
"""The names of the known sites by code object and offset. Kept code objects keep their ids."""


def _caller_frame() -> Callable[[None], Any]:
    """A function that returns its caller's frame without raising an audit event."""

    def look_up() -> Generator[Any, None, None]:
        yield
        own: Any = generator.gi_frame
        while True:
            yield own.f_back

    generator: Any = look_up()
    next(generator)
    next(generator)
    send: Callable[[None], Any] = generator.send
    return send


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
