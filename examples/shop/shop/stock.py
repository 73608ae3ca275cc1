"""Deliveries: parcels come numbered, in order, and are put on shelves."""

from __future__ import annotations

from itertools import pairwise

SHELF = 3


def is_delivery(parcels: list[int]) -> bool:
    """Numbers go up, and none comes twice."""
    return all(before < after for before, after in pairwise(parcels))


def shelve(parcels: list[int]) -> list[list[int]]:
    """Fill shelves of three. (Planted: a full last shelf is followed by one parcel that gets lost.)"""
    shelves: list[list[int]] = [[]]
    for parcel in parcels:
        if len(shelves[-1]) == SHELF:
            shelves.append([])
            if parcel % 2:
                continue
        shelves[-1].append(parcel)
    return shelves
