"""How a generator, a validity check or a property says "this input does not count"."""

from __future__ import annotations


class Rejected(Exception):
    """The input is not valid. Neither a failure nor a finding."""


def assume(condition: object) -> None:
    """Reject the running input unless `condition` is true."""
    if not condition:
        raise Rejected
