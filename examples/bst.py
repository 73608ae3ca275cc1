"""A binary search tree with a planted bug: deleting a node with two children breaks the order."""

from __future__ import annotations

from typing import NamedTuple


class Node(NamedTuple):
    value: int
    left: Node | None = None
    right: Node | None = None


def tree(choose, depth=0):
    """Makes any binary tree of at most five levels: most of them are not search trees."""
    value = choose(range(11))
    left = tree(choose, depth + 1) if depth < 4 and choose((True, False)) else None
    right = tree(choose, depth + 1) if depth < 4 and choose((True, False)) else None
    return Node(value, left, right)


def is_bst(node: Node | None, lo: int = -1, hi: int = 11) -> bool:
    if node is None:
        return True
    return lo < node.value < hi and is_bst(node.left, lo, node.value) and is_bst(node.right, node.value, hi)


def delete(node: Node | None, value: int) -> Node | None:
    if node is None:
        return None
    if value < node.value:
        return node._replace(left=delete(node.left, value))
    if value > node.value:
        return node._replace(right=delete(node.right, value))
    if node.left is None or node.right is None:
        return node.left or node.right
    successor = node.right.value  # wrong as soon as the right child has a left child
    return Node(successor, node.left, delete(node.right, successor))


def check_delete(node: Node) -> None:
    """Deleting the root leaves a search tree."""
    assert is_bst(delete(node, node.value))
