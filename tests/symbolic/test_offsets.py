"""A branch under a call does not move when the interpreter specialises the call."""

from __future__ import annotations

import sys
from typing import Any

from untrod.symbolic.offsets import stable_offset


class Spy:
    """Notes where its caller stands when it is compared."""

    def __init__(self, seen: set[int]) -> None:
        self.seen = seen

    def __lt__(self, other: Any) -> bool:
        caller = sys._getframe(1)
        self.seen.add(stable_offset(caller.f_code, caller.f_lasti))
        return False


def test_a_warm_call_stands_where_a_cold_one_stood() -> None:
    seen: set[int] = set()
    spies = [Spy(seen), Spy(seen)]

    def sorts() -> None:
        sorted(spies)

    for _ in range(300):
        sorts()
    assert len(seen) == 1
