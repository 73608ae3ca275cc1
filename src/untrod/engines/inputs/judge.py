"""What an episode is judged by: whether its input is new, and how far a rejected one came.

- the characteristic (the paper's xi) turns a generated value into a hashable key; inputs with equal keys are
  the same input, and `Novelty` says that the first of them is new;
- the footprint is the path that an input takes through the checks: the characteristic `trace`;
- the progress of a rejected input is how far its footprint reaches beyond all before it.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable, Hashable
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import untrod
from untrod.core.protocols import Policy
from untrod.core.vocabulary import Choice, Episode, Json, Outcome, digest
from untrod.learn.serialise import dump_key, load_key
from untrod.runtime.loading import TargetName, load_function

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


# -- the footprint: which branches of the code under test an input takes, and how often ----------------------
#
# A *branch* is a pair of lines run one after the other in one file. Counts are put into buckets, the powers
# of two, so that one more turn of a long loop is not another path: the measure of the RLCheck study.
#
# Only calls made after `start` are followed, in the thread that called it, and only into code that counts. A
# run is traced until it has taken one branch `MOST` times: beyond that every bucket is as wide as all below
# it together, and tracing would slow an endless loop down.
#
# There is one tracer per thread. Where a debugger or a coverage tool has it already, it keeps it: `start`
# says so, and the run goes unobserved.

MOST = 1 << 14
Arc: TypeAlias = tuple[int, int]  # from line to line; a function is entered from minus its first line
Line: TypeAlias = tuple[str, int]

_MOST_FILES = 10_000
_OWN = os.path.dirname(os.path.abspath(untrod.__file__)) + os.sep
_STDLIB = sysconfig.get_path("stdlib") + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class Footprint:
    """`start`, run the code under test, `stop`; then ask."""

    def __init__(self, root: str = "", unless: Callable[[], bool] | None = None) -> None:
        """`root` is the folder that files are named from. Calls made while `unless()` holds do not count."""
        self._root = root and os.path.join(os.path.abspath(root), "")
        self._unless = unless
        self._arcs: dict[str, dict[Arc, int]] = {}
        self._known: dict[tuple[bool, str], bool] = {}
        self._wide = False
        self.running = False
        self.ever = False  # whether any code that counts was ever run

    def start(self, wide: bool = False) -> bool:
        """Trace what runs from now on; `wide`, also installed packages. False: there is a tracer already."""
        self._arcs.clear()
        if sys.gettrace() is not None:
            return False
        self._wide = wide
        self.running = True
        sys.settrace(self._on_call)
        return True

    def stop(self) -> None:
        if self.running:
            self.running = False
            if sys.gettrace() == self._on_call:  # or the target has put its own tracer in place
                sys.settrace(None)

    def pause(self) -> None:
        """What runs from now on does not count, and is not slowed down."""
        if self.running and sys.gettrace() == self._on_call:
            sys.settrace(None)

    def resume(self) -> None:
        """After `pause`."""
        if self.running and sys.gettrace() is None:
            sys.settrace(self._on_call)

    def clear(self) -> None:
        """Forget what was seen."""
        self._arcs.clear()

    def key(self) -> str:
        """A digest of the path through the project's own code: the same in every process."""
        parts = []
        for file, arcs in sorted(self._arcs.items()):
            if arcs and (not self._wide or is_project_code(file)):
                self.ever = True
                taken = sorted((arc, count.bit_length()) for arc, count in arcs.items())
                parts.append(f"{file.removeprefix(self._root)}{taken}")
        return digest("\n".join(parts))

    def lines(self) -> dict[Line, int]:
        """How often each line was run."""
        found: dict[Line, int] = {}
        for file, arcs in self._arcs.items():
            for (_, line), count in arcs.items():
                found[file, line] = found.get((file, line), 0) + count
        return found

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._unless is not None and self._unless():
            return None
        code = frame.f_code
        file = code.co_filename
        watched = self._known.get((self._wide, file))
        if watched is None:
            watched = self._classify(file)
        if not watched:
            return None
        arcs = self._arcs.get(file)
        if arcs is None:
            arcs = self._arcs[file] = {}
        return _Activation(arcs, -code.co_firstlineno)

    def _classify(self, file: str) -> bool:
        if len(self._known) > _MOST_FILES:  # a target that makes up code as it runs
            self._known.clear()
        watched = is_code(file) if self._wide else is_project_code(file)
        self._known[self._wide, file] = watched
        return watched


class _Activation:
    """Follows one call, line by line. An object and not a closure: one that returns itself is a cycle."""

    __slots__ = ("arcs", "last")

    def __init__(self, arcs: dict[Arc, int], last: int) -> None:
        self.arcs = arcs
        self.last = last

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            line, arcs = frame.f_lineno, self.arcs
            arc = (self.last, line)
            arcs[arc] = count = arcs.get(arc, 0) + 1
            self.last = line
            if count >= MOST:
                sys.settrace(None)
        return self


def is_code(file: str) -> bool:
    """Neither Python's own, nor Hypothesis's, nor untrod's."""
    if file.startswith(("<frozen", _OWN)):
        return False
    hypothesis = getattr(sys.modules.get("hypothesis"), "__file__", None)
    if hypothesis and file.startswith(os.path.join(os.path.dirname(hypothesis), "")):
        return False
    return not file.startswith(_STDLIB) or is_installed(file)


def is_project_code(file: str) -> bool:
    """In a file, and not of an installed package."""
    return is_code(file) and not file.startswith("<") and not is_installed(file)


def is_installed(file: str) -> bool:
    return any(folder in file for folder in _INSTALLED)


# -- progress: how far a rejected input came -----------------------------------------------------------
#
# As long as hardly any input is valid, the difference between rejected ones is all there is to learn from.
# A check that gives up at the first problem runs further on a better input: it reaches another `assume`,
# another line, or another turn of a loop. Lines run by the check are counted, in buckets (one by one up to
# 15, then powers of two), and every bucket that no input had reached before is progress.
#
# Tracing costs time, so it is done only until a valid input is known (`COLD`): from then on the learners
# start from that one, and no longer from rejected ones. Nor is it done when a debugger or a coverage tool
# traces already; then the place that rejected has to do.

COLD = 1
"""Below this many valid inputs, rejected ones are watched for progress."""


class RejectionProgress:
    """The buckets that rejected inputs have reached."""

    def __init__(self) -> None:
        self._seen: set[Hashable] = set()

    def made(self, lines: dict[Line, int], place: Hashable) -> int:
        """So many buckets were reached for the first time by the input that was just rejected.

        `lines` is how often it ran each line of the check, `place` where it was rejected, if that is known.
        """
        reached: set[Hashable] = {(*line, _bucket(count)) for line, count in lines.items()}
        if place is not None:
            reached.add(place)
        fresh = reached - self._seen
        self._seen |= fresh
        return len(fresh)

    def state(self) -> Json:
        return sorted((dump_key(bucket) for bucket in self._seen), key=repr)

    def load(self, state: Json) -> None:
        self._seen = {load_key(bucket) for bucket in state}


def place_of(error: BaseException | None) -> tuple[str, int] | None:
    """Where an input was rejected: the innermost line that is the target's."""
    place = None
    trace = None if error is None else error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_code(file):
            place = (file, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _bucket(count: int) -> int:
    return count if count < 16 else 11 + count.bit_length()
