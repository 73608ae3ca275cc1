"""Insertions into structures whose shape depends on the keys."""

from __future__ import annotations

from bench.worst.subjects.base import Subject
from bench.worst.subjects.sorting import ints, pairs
from untrod.symbolic.shapes import Int, List


class Node:
    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Node | None = None
        self.right: Node | None = None


def tree_inserts(keys: list[int]) -> int:
    """Inserts into an unbalanced search tree; equal keys go to the right."""
    root: Node | None = None
    depth = 0
    for key in keys:
        if root is None:
            root = Node(key)
            continue
        node, level = root, 0
        while True:
            level += 1
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key)
                    break
                node = node.right
        depth = max(depth, level)
    return depth


def slots_for(n: int) -> int:
    """The smallest power of two that leaves a third of the slots free, as CPython's dict does."""
    slots = 8
    while 2 * slots < 3 * n:
        slots *= 2
    return slots


def linear_probing(keys: list[int]) -> int:
    """Open addressing, hash = key modulo the number of slots, next slot on a collision."""
    slots = slots_for(len(keys))
    table: list[int | None] = [None] * slots
    probes = 0
    for key in keys:
        slot = key % slots
        while True:
            probes += 1
            found = table[slot]
            if found is None:
                table[slot] = key
                break
            if found == key:
                break
            slot = (slot + 1) % slots
    return probes


def dict_probing(keys: list[int]) -> int:
    """The probe sequence of CPython's dict: the hash's upper bits are shifted in, five at a time."""
    slots = slots_for(len(keys))
    table: list[int | None] = [None] * slots
    probes = 0
    for key in keys:
        perturb = key
        slot = key % slots
        while True:
            probes += 1
            found = table[slot]
            if found is None:
                table[slot] = key
                break
            if found == key:
                break
            perturb //= 32
            slot = (slot * 5 + perturb + 1) % slots
    return probes


def keys(n: int) -> List:
    return List(Int(0, 2**16 - 1), n)


SUBJECTS = (
    Subject("tree-inserts", tree_inserts, ints, (3, 4, 5, 6), pairs, ("n^2", "n log n")),
    Subject("linear-probing", linear_probing, keys, (2, 3), None, ("n^2", "n")),
    Subject("dict-probing", dict_probing, keys, (2, 3), None, ("n^2", "n")),
)
