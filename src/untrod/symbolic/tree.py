"""The tree of observed paths.

A node is a branch reached by one sequence of decisions. Each of its two sides leads to another node, or is

    UNSEEN      no path took it
    INFEASIBLE  no input goes there
    UNKNOWN     the solver gave up: neither explored nor infeasible, and not worth a second try
    CUT         the searcher has decided never to go there
    FORGOTTEN   everything there was seen once, and dropped to save memory

A node is *done* when nothing below it is UNSEEN. A searcher that only ever leaves the tree through an UNSEEN
side brings home a new path each time (PySE's Unique Path Finder), and has been everywhere when the root is
done. `best` of a node is the highest cost of any path through it: the value of a side, read off the tree.

Paths have thousands of branches and there are thousands of paths, so nodes are rows of arrays, about 30 bytes
each, and nothing here is recursive. A row's parent always has a smaller number. Conditions belong to one
executor in one process: they are kept beside the rows, and a tree that was loaded has none.
"""

from __future__ import annotations

import base64
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from untrod.core.vocabulary import Json
from untrod.symbolic.protocol import Branch, Condition, Feasibility, State
from untrod.symbolic.sites import Sites

UNSEEN, INFEASIBLE, UNKNOWN, CUT, FORGOTTEN = -1, -2, -3, -4, -5
_TO_EXECUTOR: dict[int, Feasibility] = {UNSEEN: "unchecked", INFEASIBLE: "unsat", UNKNOWN: "unknown"}
_FROM_EXECUTOR: dict[Feasibility, int] = {"unsat": INFEASIBLE, "unknown": UNKNOWN}
_LEAF = -1  # the site of a node that is no branch: where a path ended, or a row not filled yet
_COLUMNS = ("sites", "falses", "trues", "parents", "bests")


class Diverged(ValueError):
    """The same decisions led to another branch than before."""


class PathTree:
    """See the module's text. `max_nodes` bounds the memory: cheap paths are forgotten first."""

    def __init__(self, max_nodes: int = 1_000_000) -> None:
        self.max_nodes = max_nodes
        self.clear()

    def clear(self) -> None:
        self.sites = array("i", [_LEAF])
        self.falses = array("i", [UNSEEN])
        self.trues = array("i", [UNSEEN])
        self.parents = array("i", [-1])
        self.bests = array("q", [0])
        self.done = bytearray(1)
        self.conditions: list[Condition | None] = [None]
        self.paths = 0
        self.unknown = 0  # sides that the solver could not decide

    def __len__(self) -> int:
        return len(self.sites)

    @property
    def exhausted(self) -> bool:
        """Nothing is left to try. It is all there is only if `unknown` is 0 and nothing was cut."""
        return bool(self.done[0])

    def side(self, node: int, taken: bool) -> int:
        return self.trues[node] if taken else self.falses[node]

    def is_leaf(self, node: int) -> bool:
        """Is this the end of a path, and not a branch?"""
        return self.sites[node] == _LEAF

    def is_live(self, node: int, taken: bool) -> bool:
        """Is there anything new on this side?"""
        child = self.side(node, taken)
        return child == UNSEEN or (child >= 0 and not self.done[child])

    def best(self, node: int, taken: bool) -> int | None:
        """The highest cost seen on this side, None when no path took it."""
        child = self.side(node, taken)
        return self.bests[child] if child >= 0 else None

    # -- growing ----------------------------------------------------------------------------------

    def insert(
        self, sites: Sequence[int], branches: Sequence[Branch], cost: int, *, whole: bool = True
    ) -> int:
        """Add one path; the number of the first branch that was new, or len(branches) if none was.

        `whole` is False for a path that was broken off. What lay behind its end counts as unknown.
        Raises Diverged when the tree has another site at some branch: the function is not deterministic.
        """
        if len(self) + len(branches) + 1 > self.max_nodes:
            self._forget()
        nodes, fresh = self._descend(sites, branches)
        leaf = nodes[-1]
        if self.sites[leaf] == _LEAF and not self.done[leaf]:
            self.done[leaf] = 1
            self.unknown += not whole
        for node in nodes:
            if cost > self.bests[node]:
                self.bests[node] = cost
        self._finish(nodes)
        self.paths += 1
        return fresh

    def _descend(self, sites: Sequence[int], branches: Sequence[Branch]) -> tuple[list[int], int]:
        node, nodes, fresh = 0, [0], len(branches)
        for depth, (site, branch) in enumerate(zip(sites, branches, strict=True)):
            if self.sites[node] == _LEAF:
                self.sites[node] = site
            elif self.sites[node] != site:
                raise Diverged(f"branch {depth} was at site {self.sites[node]}, and is at site {site} now")
            if self.conditions[node] is None:
                self.conditions[node] = branch.condition
            if branch.other in _FROM_EXECUTOR:
                self.close(node, not branch.taken, _FROM_EXECUTOR[branch.other])
            ways = self.trues if branch.taken else self.falses
            child = ways[node]
            if child < 0:
                fresh = min(fresh, depth)
                self.unknown -= child == UNKNOWN
                child = ways[node] = self._new_node(node)
            node = child
            nodes.append(node)
        return nodes, fresh

    def _new_node(self, parent: int) -> int:
        self.sites.append(_LEAF)
        self.falses.append(UNSEEN)
        self.trues.append(UNSEEN)
        self.parents.append(parent)
        self.bests.append(0)
        self.done.append(0)
        self.conditions.append(None)
        return len(self.sites) - 1

    def close(self, node: int, taken: bool, why: int) -> None:
        """Not worth another path: INFEASIBLE, UNKNOWN or CUT. Says nothing about sides that were seen."""
        ways = self.trues if taken else self.falses
        if ways[node] == UNSEEN:
            ways[node] = why
            self.unknown += why == UNKNOWN

    def close_at(self, path: Sequence[bool], why: int) -> None:
        """The last decision of `path` leads nowhere."""
        nodes = list(self.follow(path[:-1]))
        if len(nodes) == len(path):
            self.close(nodes[-1], path[-1], why)
            self._finish(nodes)

    def settle(self, path: Sequence[bool]) -> None:
        """Sides along `path` have been closed: what is done now?"""
        self._finish(list(self.follow(path)))

    def _finish(self, nodes: Sequence[int]) -> None:
        """Mark what is done, from the end of a path upward, as far as it goes."""
        for node in reversed(nodes):
            if not self.done[node]:
                if self.is_live(node, False) or self.is_live(node, True):
                    return
                self.done[node] = 1

    # -- reading ----------------------------------------------------------------------------------

    def follow(self, path: Sequence[bool]) -> Iterator[int]:
        """The nodes from the root along these decisions, as far as they were seen."""
        node = 0
        yield node
        for taken in path:
            node = self.trues[node] if taken else self.falses[node]
            if node < 0:
                return
            yield node

    def path_to(self, node: int) -> list[bool]:
        """The decisions from the root to `node`."""
        path = []
        while node:
            parent = self.parents[node]
            path.append(self.trues[parent] == node)
            node = parent
        path.reverse()
        return path

    def virtual_run(self, decide: Callable[[int, int], bool]) -> list[bool] | None:
        """Unique Path Finder: walk the tree as `decide(node, site)` says until a step leaves it.

        The decisions of that walk, the last of which no path has taken before; None when the root is done.
        `decide` is asked at every branch, so that it can keep track of where it is, and overruled where its
        side leads to nothing new. An executor run is needed only for what comes after. With one fixed answer
        this is depth-first search.
        """
        if self.done[0]:
            return None
        node, path = 0, []
        while self.sites[node] != _LEAF:
            taken = decide(node, self.sites[node])
            if not self.is_live(node, taken):
                taken = not taken
            path.append(taken)
            node = self.trues[node] if taken else self.falses[node]
            if node < 0:
                break
        return path

    def start(self, path: Sequence[bool], sites: Sites) -> State | None:
        """The state behind `path`, for an executor to go on from. All but its last decision was seen before.

        None when a condition on the way is not known in this process.
        """
        trail = []
        for node, taken in zip(self.follow(path[:-1]), path, strict=True):
            condition = self.conditions[node]
            if condition is None:
                return None
            other = _TO_EXECUTOR.get(self.side(node, not taken), "sat")
            location = sites.locations[self.sites[node]]
            trail.append(Branch(location, condition, taken, taken, other))
        if trail:  # the trail is that of the sibling, whose last decision was the other one
            trail[-1] = replace(trail[-1], taken=not path[-1], other="unchecked")
        return State(-1, None, tuple(trail), len(trail))

    # -- bounded memory, persistence --------------------------------------------------------------

    def _forget(self) -> None:
        """Drop what lies below finished nodes, then, if that is not enough, all but the costliest paths.

        What was finished is remembered as FORGOTTEN; other sides are UNSEEN again, and may be found again.
        """
        keep = [node == 0 or not self.done[self.parents[node]] for node in range(len(self))]
        if sum(keep) > self.max_nodes // 2:
            floor = sorted(self.bests, reverse=True)[len(self) // 4]
            keep = [node == 0 or (keep[node] and best > floor) for node, best in enumerate(self.bests)]
        kept = [node for node, kept in enumerate(keep) if kept]
        numbers = dict(zip(kept, range(len(kept)), strict=True))

        def renumbered(child: int) -> int:
            if child < 0:
                return child
            return numbers.get(child, FORGOTTEN if self.done[child] else UNSEEN)

        self.falses = array("i", [renumbered(self.falses[node]) for node in kept])
        self.trues = array("i", [renumbered(self.trues[node]) for node in kept])
        self.parents = array("i", [numbers.get(self.parents[node], -1) for node in kept])
        self.sites = array("i", [self.sites[node] for node in kept])
        self.bests = array("q", [self.bests[node] for node in kept])
        self.done = bytearray(self.done[node] for node in kept)
        self.conditions = [self.conditions[node] for node in kept]

    def state(self) -> Json:
        columns = {name: _packed(getattr(self, name).tobytes()) for name in _COLUMNS}
        return {**columns, "done": _packed(bytes(self.done)), "counts": [self.paths, self.unknown]}

    def load(self, state: Json) -> None:
        tree = PathTree(self.max_nodes)
        tree.done = bytearray(_unpacked(state["done"]))
        size = len(tree.done)
        for name in _COLUMNS:
            column: array[int] = getattr(tree, name)
            del column[:]
            column.frombytes(_unpacked(state[name]))
            if len(column) != size:
                raise ValueError("a tree whose columns differ in length")
        for ways in (tree.falses, tree.trues):
            if not size or not all(
                FORGOTTEN <= way < 0 or node < way < size for node, way in enumerate(ways)
            ):
                raise ValueError("a tree with sides that lead nowhere")
        if not all(-1 <= parent < node for node, parent in enumerate(tree.parents)):
            raise ValueError("a tree with a node above itself")
        tree.conditions = [None] * size
        tree.paths, tree.unknown = (int(count) for count in state["counts"])
        self.__dict__.update(tree.__dict__)


def _packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 1)).decode()


def _unpacked(text: str) -> bytes:
    try:
        return zlib.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError(f"a damaged tree: {error}") from None
