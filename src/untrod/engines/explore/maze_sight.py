"""What the geometry of a maze tells about cells that nobody has seen.

Passages have directions, so cells have places relative to one another, and two passages may lead to the
same unseen cell. The maze's side is known, its border is not: a cell is *possible* if the seen cells and
this one fit into a square of that side. A frontier cell that is walled in by seen cells and impossible ones
is a dead end, and not worth the way.
"""

from __future__ import annotations

import numpy as np

from untrod.learn.gmetaexp.scenes import Floats, Ints

HINTS = 6


def maze_hints(cells: Ints, owner: Ints, here: Ints, side: int) -> Floats:
    """For each seen cell: the share of its four sides with a possible unseen cell behind; the same for the
    3x3 and the 5x5 around it; where it lies, down and right, as seen from where the walker stands; and 1:
    there is a geometry. `owner` says to which maze a cell belongs, `here` has for each maze the cell of its
    walker."""
    mazes = len(here)
    rows, columns = np.divmod(cells, side)
    down, right = rows - (here // side)[owner], columns - (here % side)[owner]
    pad = side + 2  # what is possible may lie outside of the true maze
    width = side + 2 * pad
    unseen = (
        _possible(rows, owner, mazes, side, pad)[:, :, None]
        & _possible(columns, owner, mazes, side, pad)[:, None]
    )
    unseen[owner, rows + pad, columns + pad] = False
    sums: Ints = np.zeros((mazes, width + 1, width + 1), np.int64)
    sums[:, 1:, 1:] = unseen.cumsum(1).cumsum(2)
    top, left = rows + pad, columns + pad

    def around(reach: int) -> Ints:
        north, south, west, east = top - reach, top + reach + 1, left - reach, left + reach + 1
        upper = sums[owner, north, east] - sums[owner, north, west]
        found: Ints = sums[owner, south, east] - sums[owner, south, west] - upper
        return found

    beside = (
        unseen[owner, top - 1, left].astype(np.float32)
        + unseen[owner, top + 1, left]
        + unseen[owner, top, left - 1]
        + unseen[owner, top, left + 1]
    )
    hints = [beside / 4, around(1) / 9, around(2) / 25, down / side, right / side, np.ones(len(cells))]
    return np.stack(hints, 1).astype(np.float32)


def _possible(
    line: Ints, owner: Ints, mazes: int, side: int, pad: int
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which rows, or columns, may belong to each maze: those that leave everything seen within one side."""
    least, most = np.full(mazes, side), np.full(mazes, -1)
    np.minimum.at(least, owner, line)
    np.maximum.at(most, owner, line)
    places = np.arange(-pad, side + pad)
    return (places > most[:, None] - side) & (places < least[:, None] + side)
