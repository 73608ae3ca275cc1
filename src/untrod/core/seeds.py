"""One seed in, independent streams out.

Every random decision of a campaign descends from one integer, so that the same seed and the same episode
budget give the same findings. `derive(seed, "shard", 3)` names a stream; names, not call order, keep the
streams apart, so adding a consumer never shifts the others.
"""

from __future__ import annotations

import hashlib
from random import Random


def derive(seed: int, *names: str | int) -> int:
    """A 63-bit seed for the stream called `names` under `seed`."""
    text = "/".join([str(seed), *map(str, names)])
    return (
        int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        >> 1
    )


def stream(seed: int, *names: str | int) -> Random:
    """A `random.Random` of its own for the stream called `names` under `seed`."""
    return Random(derive(seed, *names))
