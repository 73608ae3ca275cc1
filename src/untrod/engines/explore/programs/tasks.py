"""Tasks: families of programs under a name, each program by its number, as in `worlds/tasks.py`; and the
worlds of programs that a person names.

A program depends on the task, on the seed and on its number only. Those for training, for validation and
held-out ones come from streams of their own: no training sees what is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from untrod.core.catalogue import Catalogue, nearest
from untrod.core.errors import UntrodError
from untrod.core.reading import read_text
from untrod.core.seeds import stream
from untrod.engines.explore.programs.karel.parsing import parse as parse_karel
from untrod.engines.explore.programs.karel.sampling import sample as sample_karel
from untrod.engines.explore.programs.karel.world import VOCABULARY as KAREL_WORDS
from untrod.engines.explore.programs.karel.world import KarelWorld
from untrod.engines.explore.programs.parsing import LONGEST as LONGEST_PROGRAM
from untrod.engines.explore.programs.robustfill.inputs import LONGEST
from untrod.engines.explore.programs.robustfill.parsing import parse as parse_robustfill
from untrod.engines.explore.programs.robustfill.sampling import sample as sample_robustfill
from untrod.engines.explore.programs.robustfill.world import VOCABULARY as ROBUSTFILL_WORDS
from untrod.engines.explore.programs.robustfill.world import RobustFillWorld
from untrod.engines.explore.programs.world import ProgramWorld, Vocabulary
from untrod.engines.explore.worlds.tasks import Split


@dataclass(frozen=True, slots=True)
class ProgramTask:
    name: str
    definition: str
    steps: int  # inputs to an episode
    vocabulary: Vocabulary
    make: Callable[[Random], ProgramWorld]

    def world(self, seed: int, split: Split, number: int) -> ProgramWorld:
        return self.make(stream(seed, self.name, split, number))

    def worlds(self, seed: int, split: Split, count: int, first: int = 0) -> Iterator[ProgramWorld]:
        return (self.world(seed, split, number) for number in range(first, first + count))


def _robustfill(random: Random) -> RobustFillWorld:
    while True:
        try:
            return RobustFillWorld(sample_robustfill(random))
        except UntrodError:  # nothing in it can be reached: about one program in 200
            continue


def _karel(random: Random) -> KarelWorld:
    return KarelWorld(sample_karel(random))


ROBUSTFILL = ProgramTask(
    "robustfill", "1 to 10 expressions, texts of up to 20 characters", 5, ROBUSTFILL_WORDS, _robustfill
)
KAREL = ProgramTask(
    "karel", "8x8, a fifth walls, 1 to 6 conditions, blocks without the root", 5, KAREL_WORDS, _karel
)
TASKS: Catalogue[ProgramTask] = Catalogue("program task", {"robustfill": ROBUSTFILL, "karel": KAREL})


def task(name: str) -> ProgramTask:
    if name not in TASKS:
        raise UntrodError(f"there is no task {name!r} for programs", nearest(name, TASKS))
    return TASKS.find(name)


def read_robustfill(given: str, longest: int = LONGEST) -> RobustFillWorld:
    """`given` is a file, or a program that begins with `Concat(`; inputs have up to `longest` characters."""
    return RobustFillWorld(parse_robustfill(program_text(given, "robustfill")), longest)


def read_karel(given: str, measure: str = "blocks") -> KarelWorld:
    """`given` is a file, or a program that begins with `def run`. Measures are `blocks` and `outcomes`."""
    return KarelWorld(parse_karel(program_text(given, "karel")), measure)


_OPENINGS = {"robustfill": "Concat(", "karel": "def "}


def program_text(given: str, kind: str, folder: Path = Path()) -> str:
    """What is in the file of this name, unless the program itself is `given`. Raises UntrodError."""
    opening = _OPENINGS[kind]
    if given.lstrip().lower().startswith(opening.lower().rstrip("(")):
        return given
    path = folder / given
    try:
        return read_text(path, 4 * LONGEST_PROGRAM)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        hint = f"name a file, or give a program that begins with {opening}"
        raise UntrodError(f"{given!r:.80} cannot be read: {reason}", hint) from None
