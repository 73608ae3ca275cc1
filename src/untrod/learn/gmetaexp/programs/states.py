"""States of programs in one flat batch: graphs with words, which goals are covered, and what was tried.

An *episode* is one program to which inputs are given, one at each *moment*. A *state* is a program before an
input: which of its goals are covered by then. The nodes of all states lie one after the other, as in
`scenes.py`; edges are sorted by kind, so that each kind takes one multiplication of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

from untrod.learn.gmetaexp.scenes import Floats, Ints

MARKS = 3
"""On each node: a goal that counts, one that is covered, one that the last input has covered."""
ECHO = 3
"""Of each state: the share that is covered, what the last input has added, and whether there was one."""


@dataclass(frozen=True, slots=True)
class States:
    count: int
    words: Ints
    """Nodes by words, padded by 0."""
    marks: Floats
    state_of: Ints
    """Whose each node is."""
    place: Ints
    """The place of each node in its program, from 0."""
    sources: Ints
    targets: Ints
    kinds: tuple[int, ...]
    """How many edges of each kind there are: those of kind 0 come first."""
    echo: Floats
    episode: Ints
    moment: Ints

    @property
    def widest(self) -> int:
        """Nodes of the largest program."""
        return int(self.place.max()) + 1
