"""A red-black tree, after Okasaki, for `untrod cover`: its branches need inputs of several insertions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    red: bool
    left: Node | None
    key: int
    right: Node | None


class Tree:
    """A sorted set of ints."""

    def __init__(self) -> None:
        self._root: Node | None = None
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __contains__(self, key: int) -> bool:
        node = self._root
        while node is not None:
            if key == node.key:
                return True
            node = node.left if key < node.key else node.right
        return False

    def __iter__(self) -> Iterator[int]:
        stack: list[Node] = []
        node = self._root
        while stack or node is not None:
            while node is not None:
                stack.append(node)
                node = node.left
            node = stack.pop()
            yield node.key
            node = node.right

    def insert(self, key: int) -> bool:
        """False when it was there already."""
        if key in self:
            return False
        grown = _insert(self._root, key)
        self._root = Node(False, grown.left, grown.key, grown.right)
        self._size += 1
        return True

    def height(self) -> int:
        return _height(self._root)


def _height(node: Node | None) -> int:
    return 0 if node is None else 1 + max(_height(node.left), _height(node.right))


def _insert(node: Node | None, key: int) -> Node:
    if node is None:
        return Node(True, None, key, None)
    if key < node.key:
        return _balance(node.red, _insert(node.left, key), node.key, node.right)
    return _balance(node.red, node.left, node.key, _insert(node.right, key))


def _balance(red: bool, left: Node | None, key: int, right: Node | None) -> Node:
    if not red:
        if left is not None and left.red:
            inner = left.left
            if inner is not None and inner.red:
                return _split(inner.left, inner.key, inner.right, left.key, left.right, key, right)
            inner = left.right
            if inner is not None and inner.red:
                return _split(left.left, left.key, inner.left, inner.key, inner.right, key, right)
        if right is not None and right.red:
            inner = right.left
            if inner is not None and inner.red:
                return _split(left, key, inner.left, inner.key, inner.right, right.key, right.right)
            inner = right.right
            if inner is not None and inner.red:
                return _split(left, key, right.left, right.key, inner.left, inner.key, inner.right)
    return Node(red, left, key, right)


def _split(a: Node | None, x: int, b: Node | None, y: int, c: Node | None, z: int, d: Node | None) -> Node:
    return Node(True, Node(False, a, x, b), y, Node(False, c, z, d))
