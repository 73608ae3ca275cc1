"""How a person names sizes."""

from __future__ import annotations

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.worst.verb import parse_sizes


@pytest.mark.parametrize(
    ("size", "sizes", "expected"),
    [
        (30, None, (30,)),
        (None, "4..64", (4, 8, 16, 32, 64)),
        (None, "4..48", (4, 8, 16, 32, 48)),
        (None, "5..5", (5,)),
        (None, "4..16", (4, 8, 12, 16)),
        (None, "8..16", (8, 11, 13, 16)),
        (None, "4..6", (4, 5, 6)),
        (None, "16, 4,8,4", (4, 8, 16)),
        (None, "7", (7,)),
        (None, None, (4, 8, 16, 32)),
    ],
)
def test_sizes_as_they_are_written(size, sizes, expected):
    assert parse_sizes(size, sizes) == expected


@pytest.mark.parametrize(
    ("size", "sizes", "complaint"),
    [
        (0, None, "a size of 0 leaves nothing to choose"),
        (-3, None, "a size of -3 leaves nothing to choose"),
        (None, "0..8", "a size of 0"),
        (None, "8..4", "go down"),
        (None, "four", "cannot read the sizes 'four'"),
        (None, "4..", "cannot read"),
        (30, "4..8", "exclude each other"),
        (10**9, None, "too large"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(size, sizes, complaint):
    with pytest.raises(UntrodError, match=complaint):
        parse_sizes(size, sizes)
