"""Three functions from packages on PyPI, as they are: a heap with keys, a sorted list, an edit distance."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.worst.subjects.base import Subject
from bench.worst.subjects.sorting import ints
from untrod.symbolic.shapes import Int, List, Text


def heapdict_sort(priorities: list[int]) -> list[Any]:
    """All in, all out again, by heapdict's own heap."""
    heap = import_module("heapdict").heapdict()
    for key, priority in enumerate(priorities):
        heap[key] = priority
    return [heap.popitem() for _ in priorities]


def sortedlist_inserts(keys: list[int]) -> int:
    """Into a SortedList whose inner lists are short, so that they split often."""
    known = import_module("sortedcontainers").SortedList()
    known._reset(4)
    for key in keys:
        if key not in known:
            known.add(key)
    return len(known)


def damerau_levenshtein(left: str, right: str) -> Any:
    """textdistance's pure Python form of the restricted edit distance."""
    return import_module("textdistance").DamerauLevenshtein(external=False)(left, right)


def two_words(n: int) -> tuple[Text, Text]:
    return Text(n, "ab"), Text(n, "ab")


def few_ints(n: int) -> List:
    return List(Int(0, 255), n)


SUBJECTS = (
    Subject("heapdict", heapdict_sort, ints, (3, 4, 5), irregular=True),
    Subject("sortedcontainers", sortedlist_inserts, few_ints, (2, 3, 4), irregular=True),
    Subject("textdistance", damerau_levenshtein, two_words, (1, 2, 3)),
)
