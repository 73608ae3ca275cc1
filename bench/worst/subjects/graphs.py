"""Shortest paths with a priority queue: which node improves when depends on all the weights at once."""

from __future__ import annotations

from bench.worst.subjects.base import Subject
from untrod.symbolic.shapes import Int, List

UNREACHED = 10**6


def push(heap: list[tuple[int, int]], entry: tuple[int, int]) -> None:
    """A binary heap in Python, so that its comparisons are branches like any others."""
    heap.append(entry)
    child = len(heap) - 1
    while child:
        parent = (child - 1) // 2
        if heap[child][0] < heap[parent][0]:
            heap[child], heap[parent] = heap[parent], heap[child]
            child = parent
        else:
            break


def pop(heap: list[tuple[int, int]]) -> tuple[int, int]:
    top, last = heap[0], heap.pop()
    if heap:
        heap[0] = last
        parent = 0
        while 2 * parent + 1 < len(heap):
            child = 2 * parent + 1
            if child + 1 < len(heap) and heap[child + 1][0] < heap[child][0]:
                child += 1
            if heap[child][0] < heap[parent][0]:
                heap[child], heap[parent] = heap[parent], heap[child]
                parent = child
            else:
                break
    return top


def dijkstra(weights: list[list[int]]) -> list[int]:
    """Distances from node 0 in a complete graph; outdated entries stay in the queue (lazy deletion)."""
    size = len(weights)
    distances = [0] + [UNREACHED] * (size - 1)
    settled = [False] * size
    heap = [(0, 0)]
    while heap:
        distance, node = pop(heap)
        if settled[node]:
            continue
        settled[node] = True
        for other in range(size):
            if settled[other]:
                continue
            through = distance + weights[node][other]
            if through < distances[other]:
                distances[other] = through
                push(heap, (through, other))
    return distances


def complete(n: int) -> List:
    return List(List(Int(1, 1000), n), n)


SUBJECTS = (Subject("dijkstra", dijkstra, complete, (2, 3), irregular=True),)
