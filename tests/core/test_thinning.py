from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from untrod.core.thinning import thinned


@given(st.integers(0, 300), st.integers(2, 50))
def test_at_most_so_many_in_order_with_both_ends(length: int, most: int) -> None:
    kept = thinned(range(length), most)

    assert len(kept) == min(length, most)
    assert kept == sorted(set(kept))
    assert not length or (kept[0], kept[-1]) == (0, length - 1)
