"""What a generator receives: `choose`.

A generator is a plain function that asks for its values:

    def tree(choose, depth=0):
        value = choose(range(11))
        left = tree(choose, depth + 1) if depth < 4 and choose((True, False)) else None
        right = tree(choose, depth + 1) if depth < 4 and choose((True, False)) else None
        return (value, left, right)

Nothing is named or registered. The *site* of a choice is the place in the source that asks; its *context*
is taken from nesting: every function activation that asks is a level, and a level remembers from which
call it was entered, which is what tells a left subtree from a right one. A generator that knows better
says so: `choose(options, context=(parent, "L"), site="value")`.

Finding the asking frame is the hot path. `sys._getframe` and `frame.f_code` raise audit events, and inside
a guarded worker each event costs as much as the whole decision. A running generator's `f_back` is its
caller and raises none, so a never-ending generator looks the caller's frame up, and code objects are read
once per activation.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from types import CodeType, FrameType
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from untrod.core.protocols import Policy, needs_context
from untrod.core.vocabulary import Choice, Context, Frame

T = TypeVar("T")

_SEARCH_DEPTH = 64
"""How many callers are searched for an enclosing level before a frame counts as outermost."""


Given: TypeAlias = tuple[Hashable, ...] | None


class Choose(Protocol):
    """The type of `choose`, for annotating generators."""

    def __call__(self, options: Sequence[T], context: Given = None, site: str | None = None) -> T:
        """One of `options`. `context`, when given, is all that the decision may depend on; `site` renames
        the place that asks. A generator that gives both is not looked at, and fastest.
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
"""The names of the known sites by code object and offset. Keeping the code alive keeps its id its own."""


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
