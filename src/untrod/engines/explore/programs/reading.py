"""From what a person named, a file or a program itself, to its world."""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import read_text
from untrod.engines.explore.programs.karel.parsing import parse as parse_karel
from untrod.engines.explore.programs.karel.world import KarelWorld
from untrod.engines.explore.programs.robustfill.inputs import LONGEST
from untrod.engines.explore.programs.robustfill.parsing import parse as parse_robustfill
from untrod.engines.explore.programs.robustfill.world import RobustFillWorld
from untrod.engines.explore.programs.scanner import LONGEST as LONGEST_PROGRAM


def robustfill(given: str, longest: int = LONGEST) -> RobustFillWorld:
    """`given` is a file, or a program that begins with `Concat(`; inputs have up to `longest` characters."""
    return RobustFillWorld(parse_robustfill(_text(given, "Concat(")), longest)


def karel(given: str, measure: str = "blocks") -> KarelWorld:
    """`given` is a file, or a program that begins with `def run`. Measures are `blocks` and `outcomes`."""
    return KarelWorld(parse_karel(_text(given, "def ")), measure)


def _text(given: str, opening: str) -> str:
    if given.lstrip().lower().startswith(opening.lower().rstrip("(")):
        return given
    path = Path(given)
    try:
        return read_text(path, 4 * LONGEST_PROGRAM)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        hint = f"name a file, or give a program that begins with {opening}"
        raise UntrodError(f"{given!r:.80} cannot be read: {reason}", hint) from None
