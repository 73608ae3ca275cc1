"""What an executor keeps from one path to the next."""

from __future__ import annotations

from types import CodeType, FrameType

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.reuse import Reuse
from untrod.symbolic.lean.solver import Solver
from untrod.symbolic.offsets import stable_offset
from untrod.symbolic.protocol import Location


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
        self.reuse = Reuse()
        self.locations = Locations()
        self.units = 0  # solver units spent up to the end of the last path
        self.outages = 0  # the same, of how often there was no memory
        self.instructions = 0  # bytecodes of the running path so far, if somebody counts them

    def rest(self) -> None:
        """Between paths: the solver gives its memory back, and so does the model, which is part of it."""
        self.candidate = None
        self.solver.rest()
