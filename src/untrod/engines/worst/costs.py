"""What a run costs: counted, never timed, so that the same run costs the same on a busy machine.

| name          | counts                                                                          |
|---------------|---------------------------------------------------------------------------------|
| `steps`       | bytecodes executed, in the function and in all Python code that it calls         |
| `calls`       | calls of Python functions and of built-in ones; a generator's resumption is one  |
| `allocations` | bytes of memory in use at the peak of the run, beyond what was in use before     |
| a counter     | what the user's function says after the run, or what the user's variable holds   |

(The fifth one, `branches`, is measured on tainted values: see `taint.py`.)

`steps` and `calls` are exact and repeatable on one version of Python; another version compiles to other
bytecodes. They do not see inside C code: a `sorted` is one step, however long the list. `allocations` is
what `tracemalloc` says, with the collector off and the free lists emptied before; it repeats to within a
few percent, which `Cost.tolerance` admits.
"""

from __future__ import annotations

import gc
import inspect
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, Protocol

from untrod.core.errors import UntrodError
from untrod.runtime.deadline import Interrupted

NAMES = ("steps", "calls", "allocations", "branches")


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: what it cost, what it returned or raised."""

    cost: int
    value: Any = None
    error: BaseException | None = None


class Cost(Protocol):
    name: str
    tolerance: float
    """Two runs on the same input whose costs differ by more than this share are not the same run."""
    price: float
    """About the microseconds that one unit takes on a common machine; 0: the unit is nothing of the kind."""

    def measure(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
        """Run the function once. What it raises comes back in `error`; only `Interrupted` gets out."""
        ...


def called(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    start: Callable[[], object] | None = None,
    stop: Callable[[], object] | None = None,
) -> tuple[Any, BaseException | None]:
    """What the function returned, and what it raised; only `Interrupted` gets out.

    `start` and `stop` switch a tracer on and off, right before and right after. They must not be written in
    Python: the tracer would see them.
    """
    if start is not None:
        start()
    try:
        return function(*arguments), None
    except Interrupted:
        raise
    except BaseException as raised:
        return None, raised
    finally:
        if stop is not None:
            stop()


def make_cost(name: str, counter: Any = None, owner: Any = None) -> Cost:
    """The cost model called `name`; for a user's counter, `counter` is the object it names in `owner`."""
    if counter is not None:
        return Counter(name, counter, owner)
    if name == "branches":
        from untrod.engines.worst.taint import Branches

        return Branches()
    known: dict[str, Callable[[], Cost]] = {"steps": Steps, "calls": Calls, "allocations": Allocations}
    if name not in known:
        raise UntrodError(f"there is no cost {name!r}", f"choose {', '.join(NAMES)} or FILE.py:COUNTER")
    return known[name]()


class Steps:
    """Bytecodes executed.

    The tracing function runs once per bytecode, about 0.1 us each: it does nothing but count. It sees one
    `return` for every `call`, so `enter` takes that one off instead of `step` looking at each event.
    """

    name = "steps"
    tolerance = 0.0
    price = 0.15

    def measure(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
        steps = 0

        def step(frame: FrameType, event: str, value: Any) -> None:
            nonlocal steps
            steps += 1

        def enter(frame: FrameType, event: str, value: Any) -> Any:
            nonlocal steps
            steps -= 1
            frame.f_trace_opcodes = True
            frame.f_trace_lines = False
            return step

        before = sys.gettrace()
        value, error = called(
            function, arguments, partial(sys.settrace, enter), partial(sys.settrace, before)
        )
        return Measured(steps, value, error)


class Calls:
    """Calls of Python functions and of built-in ones, that of the function itself included."""

    name = "calls"
    tolerance = 0.0
    price = 0.5

    def measure(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
        calls = 0

        def count(frame: FrameType, event: str, value: Any) -> None:
            nonlocal calls
            if event == "call" or event == "c_call":
                calls += 1

        before = sys.getprofile()
        start, stop = partial(sys.setprofile, count), partial(sys.setprofile, before)
        value, error = called(function, arguments, start, stop)
        return Measured(calls, value, error)


class Allocations:
    """Bytes in use at the peak of the run, beyond what was in use before it.

    Objects that wait in the interpreter's free lists would be taken from there, unseen: a full collection
    empties the lists. `gc.freeze` keeps it short: what the libraries have loaded is not looked at again.
    """

    name = "allocations"
    tolerance = 0.05
    price = 0.0

    def __init__(self) -> None:
        gc.collect()
        gc.freeze()

    def measure(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
        collecting = gc.isenabled()
        gc.collect()
        gc.disable()
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        try:
            value, error = called(function, arguments)
        finally:
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            if collecting:
                gc.enable()
        return Measured(max(0, peak - before), value, error)


class Counter:
    """A user's own count: comparisons, messages, pages read.

    A variable is set to 0 before the run and read after it. A function is called after the run and returns
    the cost of that run; one that takes an argument is given what the run returned.
    """

    tolerance = 0.0
    price = 0.0

    def __init__(self, name: str, counter: Any, owner: Any) -> None:
        self.name = name
        self._owner = owner
        self._attribute = name.rpartition(":")[2]
        self._function: Callable[..., Any] | None = counter if callable(counter) else None
        self._takes_result = self._function is not None and _takes_an_argument(self._function)
        if self._function is None:
            self._number(counter)

    @property
    def kind(self) -> str:
        """How it is read: `variable`, `function`, or a function `of result`."""
        if self._function is None:
            return "variable"
        return "of result" if self._takes_result else "function"

    def measure(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
        if self._function is None:
            setattr(self._owner, self._attribute, 0)
        value, error = called(function, arguments)
        return Measured(self._number(self._read(value)), value, error)

    def _read(self, result: Any) -> Any:
        if self._function is None:
            return getattr(self._owner, self._attribute)
        try:
            return self._function(result) if self._takes_result else self._function()
        except Exception as error:
            raise UntrodError(
                f"the counter {self.name} failed: {type(error).__name__}: {error}",
                "it is called after each run, also one that raised, and returns the cost of that run",
            ) from error

    def _number(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UntrodError(
                f"the counter {self.name} gives {type(value).__name__}, not a number",
                "name a function that returns a number, or a variable that holds one",
            )
        return round(value)


def _takes_an_argument(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return True
    except ValueError:
        pass  # a built-in without a signature
    return False
