"""Which input sizes to hunt at, as a person writes them: `30`, `4..64`, `4,8,16`."""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.engines.worst.growth import ENOUGH

DEFAULT = "4..32"
LARGEST = 1_000_000
MOST = 64
_HINT = "write --size 30, --sizes 4..64 (doubling) or --sizes 4,8,16"


def parse_sizes(size: int | None, sizes: str | None) -> tuple[int, ...]:
    """In ascending order, each once. Raises UntrodError."""
    if size is not None and sizes is not None:
        raise UntrodError("--size and --sizes exclude each other", _HINT)
    if size is not None:
        return (_checked(size),)
    text = sizes or DEFAULT
    first, dots, last = text.partition("..")
    if dots:
        found = _doubling(_number(first, text), _number(last, text), text)
    else:
        found = sorted({_number(part, text) for part in text.split(",")})
    if len(found) > MOST:
        raise UntrodError(f"{len(found)} sizes are too many", f"at most {MOST}")
    return tuple(found)


def _doubling(first: int, last: int, text: str) -> list[int]:
    """`4..48` is 4, 8, 16, 32 and, as it was asked for, 48. `4..16` is 4, 8, 12, 16: growth needs four."""
    if last < first:
        raise UntrodError(f"the sizes {text!r} go down", f"write {last}..{first}")
    found = [first]
    while found[-1] * 2 <= last:
        found.append(found[-1] * 2)
    found = found if found[-1] == last else [*found, last]
    if 1 < len(found) < ENOUGH:
        steps = min(ENOUGH - 1, last - first)
        found = [first + round(step * (last - first) / steps) for step in range(steps + 1)]
    return found


def _number(part: str, text: str) -> int:
    try:
        return _checked(int(part))
    except ValueError:
        raise UntrodError(f"cannot read the sizes {text!r}", _HINT) from None


def _checked(size: int) -> int:
    if size < 1:
        raise UntrodError(f"a size of {size} leaves nothing to choose", "sizes are 1 or more")
    if size > LARGEST:
        raise UntrodError(f"a size of {size:,} is too large", f"sizes are at most {LARGEST:,}")
    return size
