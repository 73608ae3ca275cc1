"""Ways to sort and to search, for `untrod worst`: which input makes each of them slowest?"""

from __future__ import annotations

comparisons = 0  # a counter of our own: untrod worst ... --cost examples/sorting.py:comparisons


def insertion_sort(values: list[int]) -> list[int]:
    for i in range(1, len(values)):
        value, j = values[i], i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value
    return values


def quicksort(values: list[int]) -> list[int]:
    """The first element is the pivot: fine on average, and quadratic on a list that is sorted already."""
    global comparisons
    if len(values) < 2:
        return values
    pivot, smaller, larger = values[0], [], []
    for value in values[1:]:
        comparisons += 1
        if value < pivot:
            smaller.append(value)
        else:
            larger.append(value)
    return [*quicksort(smaller), pivot, *quicksort(larger)]


def merge_sort(values: list[int]) -> list[int]:
    if len(values) < 2:
        return values
    middle = len(values) // 2
    left, right = merge_sort(values[:middle]), merge_sort(values[middle:])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def binary_search(values: list[int], wanted: int) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
