"""What an executor keeps from one path to the next."""

from __future__ import annotations

from types import CodeType, FrameType

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.solver import Solver
from untrod.symbolic.offsets import stable_offset
from untrod.symbolic.protocol import Location

PAYS = 3
"""A model that answers so many branches was worth fetching."""
LONGEST_PAUSE = 64


class Locations:
    """Location objects by code object and offset. By the code's id: hashing a code object reads all of it."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Location, CodeType]] = {}

    def of(self, frame: FrameType) -> Location:
        code = frame.f_code
        place = (id(code), frame.f_lasti)
        found = self._known.get(place)
        if found is None:
            # Holding the code keeps its id from being given to another.
            location = Location(code.co_qualname, frame.f_lineno, stable_offset(code, frame.f_lasti))
            found = self._known[place] = (location, code)
        return found[0]


class Memory:
    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.candidate: Candidate | None = None  # the newest model: obeys the inputs' bounds, perhaps more
        self.reuse = ModelReuse()
        self.locations = Locations()
        self.units = 0  # solver units spent up to the end of the last path
        self.outages = 0  # the same, of how often there was no memory
        self.instructions = 0  # bytecodes of the running path so far, if they are counted

    def release(self) -> None:
        """Between paths: the solver gives its memory back, and so does the model, which is part of it."""
        self.candidate = None
        self.solver.release()


class ModelReuse:
    """When is it worth fetching a model?

    With one, the next branch may need no solver: if the model happens to take the wanted side, that side is
    feasible. But fetching costs about three checks, so it only pays while a model answers several branches.
    On insertion sort's worst path it never does; on most paths through parsers it does nearly always. So a
    model is fetched after every check while models pay, and after each that did not, the pause doubles.
    """

    def __init__(self) -> None:
        self._pause = 1
        self._checks = 0
        self._hits = 0

    def hit(self) -> None:
        """The model answered a branch."""
        self._hits += 1

    def used_up(self) -> None:
        """The path goes where the model does not."""
        self._pause = 1 if self._hits >= PAYS else min(2 * self._pause, LONGEST_PAUSE)
        self._hits = self._checks = 0

    def wants_model(self) -> bool:
        """The solver has just found another one."""
        self._checks += 1
        return self._checks >= self._pause
