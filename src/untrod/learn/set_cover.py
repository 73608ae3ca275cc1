"""Few sets that together cover what all of them cover."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush


def set_cover(sets: Sequence[int]) -> list[int]:
    """The positions of a small cover, in the order chosen. A set is an int, its members are the bits.

    Greedy: next comes the set with the most members that are not covered yet; on a tie the larger one, then
    the earlier one. Gains only ever fall, so an old gain is an upper bound. The heap holds such bounds, and
    only the set on top is counted anew: most sets are looked at once or twice, however long the cover.
    """
    heap = []
    for position, members in enumerate(sets):
        size = members.bit_count()
        heap.append((-size, -size, position))
    heapify(heap)
    chosen, covered = [], 0
    while heap:
        bound, size, position = heappop(heap)
        gain = (sets[position] & ~covered).bit_count()
        if not gain:
            continue
        if gain < -bound:
            heappush(heap, (-gain, size, position))
            continue
        chosen.append(position)
        covered |= sets[position]
    return chosen
