"""`untrod worst`: the input of a given size that makes a function slowest, and how its cost grows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.core.errors import UntrodError
from untrod.session.options import (
    STORE,
    TESTS,
    Allow,
    BudgetText,
    Memory,
    On,
    Project,
    Seed,
    StoreFolder,
    TestsFolder,
    Timeout,
    Workers,
)

if TYPE_CHECKING:
    from untrod.engines.worst.counts import WorstCounts
    from untrod.runtime.loading import TargetName
    from untrod.session.run import Run

DEFAULT = "4..32"
LARGEST = 1_000_000
MOST = 64
_HINT = "write --size 30, --sizes 4..64 (doubling) or --sizes 4,8,16"


def worst(
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A function: file.py:name or module:name.")],
    size: Annotated[
        int | None, typer.Option("--size", metavar="N", help="Search at this one size.", show_default=False)
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option("--sizes", metavar="A..B", help="A sweep: 4..64 (doubling) or 4,8,16. Default: 4..32."),
    ] = None,
    cost: Annotated[
        str,
        typer.Option(
            "--cost", metavar="COST", help="steps, calls, allocations, branches, or your FILE.py:COUNTER."
        ),
    ] = "steps",
    shape: Annotated[
        str | None,
        typer.Option("--shape", metavar="NAME", help="A function that gives the shape of the arguments."),
    ] = None,
    policy: Annotated[str, typer.Option("--policy", help="How to search: see docs/worst.md.")] = "auto",
    invalid: Annotated[
        list[str] | None,
        typer.Option("--invalid", metavar="EXCEPTION", help="An exception that is no finding. Repeatable."),
    ] = None,
    cold: Annotated[
        bool, typer.Option("--cold", help="Start without what earlier campaigns on this function learned.")
    ] = False,
    budget: BudgetText = "60s",
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = "here",
    memory: Memory = 2048,
    timeout: Timeout = 10.0,
    allow: Allow = None,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[WorstCounts]:
    """Find the costliest input of each size, fit how its cost grows, and compare with average inputs.

    Arguments are made from the function's annotations (`list[int]`, `str`, `dict[str, int]`, ...), or by the
    factory that --shape names. A name without a module is looked up in the target's own. Exits with 1 when
    the worst input grows by a higher class than the average one, or raises.
    """
    from untrod.engines.worst.costs import NAMES
    from untrod.engines.worst.engine import WorstConfig
    from untrod.engines.worst.policies.catalogue import POLICIES
    from untrod.runtime.limits import Limits, permissions
    from untrod.runtime.loading import TargetName, exception_name
    from untrod.runtime.workers import place
    from untrod.session.run import Run, RunOptions

    root = Path(project or Path.cwd())
    function = TargetName.parse(target, root)
    if policy not in POLICIES:
        POLICIES.find(policy)  # complains: now, not from inside a worker

    def named(text: str) -> TargetName:
        if ":" in text or text.endswith(".py"):
            return TargetName.parse(text, root)
        return function.sibling(text)

    config = WorstConfig(
        target=function,
        sizes=parse_sizes(size, sizes),
        cost=cost if cost in NAMES else _counter(cost, root),
        shape=named(shape) if shape else None,
        policy=policy,
        invalid=tuple(exception_name(text) or named(text) for text in invalid or ()),
        timeout=timeout,
        cold=cold,
    )
    running = RunOptions(
        project=root,
        store=Path(store),
        tests=Path(tests),
        limits=Limits(memory_mb=memory, episode_wall=timeout, episode_cpu=timeout),
        allow=permissions(allow or ()),
        workers=workers,
        on=place(on),
    )
    return Run.new("worst", target, config.to_json(), seed, budget, running)


def _counter(text: str, project: Path) -> TargetName:
    from untrod.core.catalogue import nearest
    from untrod.engines.worst.costs import NAMES
    from untrod.runtime.loading import TargetName

    if ":" not in text:
        raise UntrodError(f"there is no cost {text!r}", nearest(text, (*NAMES, "FILE.py:COUNTER")))
    return TargetName.parse(text, project)


def parse_sizes(size: int | None, sizes: str | None) -> tuple[int, ...]:
    """`30`, `4..64`, `4,8,16`: in ascending order, each once. Raises UntrodError."""
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
    from untrod.engines.worst.growth import ENOUGH

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
