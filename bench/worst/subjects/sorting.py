"""Three sorts. Each compares elements only, so branches are comparisons."""

from __future__ import annotations

from bench.worst.subjects.base import Subject
from untrod.symbolic.shapes import Int, List


def insertion_sort(items: list[int]) -> list[int]:
    for i in range(1, len(items)):
        key = items[i]
        j = i - 1
        while j >= 0 and items[j] > key:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = key
    return items


def quicksort(items: list[int]) -> list[int]:
    """The first element is the pivot: sorted input is the worst."""
    if len(items) < 2:
        return items
    pivot, rest = items[0], items[1:]
    smaller, larger = [], []
    for item in rest:
        if item < pivot:
            smaller.append(item)
        else:
            larger.append(item)
    return [*quicksort(smaller), pivot, *quicksort(larger)]


def merge_sort(items: list[int]) -> list[int]:
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    merged: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def merge_worst(n: int) -> int:
    """Comparisons of top-down merge sort when every merge is perfectly interleaved."""
    return 0 if n < 2 else merge_worst(n // 2) + merge_worst(n - n // 2) + n - 1


def ints(n: int) -> List:
    return List(Int(), n)


def pairs(n: int) -> int:
    return n * (n - 1) // 2


SUBJECTS = (
    Subject("insertion-sort", insertion_sort, ints, (3, 4, 5, 6), pairs, ("n^2", "n^2")),
    Subject("quicksort", quicksort, ints, (3, 4, 5, 6), pairs, ("n^2", "n log n")),
    Subject("merge-sort", merge_sort, ints, (3, 4, 5, 6), merge_worst, ("n log n", "n log n")),
)
