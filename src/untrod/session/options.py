"""The options that several verbs share, spelled and explained once, for Python and for the command line.

A verb is one typed function. `untrod.cover("shop.py", budget="20s")` calls it; `untrod cover shop.py --budget
20s` does too, after Typer has read its annotations (`cli.verbs`). Of `A | B`, the command line takes A.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from untrod.core.budget import Budget
from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json

SHORTEST, LONGEST = 0.05, 86_400.0
MOST = 10**9
"""Of whatever is counted in steps, updates or inputs."""


def _at_least_a_moment(text: str) -> float:
    from untrod.core.budget import parse_seconds

    try:
        seconds = parse_seconds(str(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if seconds < SHORTEST:
        raise typer.BadParameter(f"{text} is too short: at least {SHORTEST:g} s")
    if seconds > LONGEST:
        raise typer.BadParameter(f"{text} is too long: at most {LONGEST:g} s")
    return seconds


BudgetText: TypeAlias = Annotated[
    str | Budget,
    typer.Option(
        "--budget", metavar="B", help="60s, 5m, '30s cpu', 10000 (episodes), or several: 60s,10000."
    ),
]
Seed: TypeAlias = Annotated[
    int,
    typer.Option(
        "--seed",
        min=-(2**63),
        max=2**63 - 1,
        metavar="N",
        help="The same seed and episode budget find the same.",
    ),
]
Workers: TypeAlias = Annotated[int, typer.Option("--workers", min=1, max=256, help="Worker processes.")]
Memory: TypeAlias = Annotated[
    int, typer.Option("--memory", min=64, max=1 << 26, metavar="MB", help="Memory limit of a worker.")
]
Timeout: TypeAlias = Annotated[
    float,
    typer.Option(
        "--timeout",
        parser=_at_least_a_moment,
        metavar="S",
        help="Wall and CPU time that an episode may take: 3, 3s, 500ms.",
    ),
]
Allow: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="WHAT", help="Let the target: write, processes, network. Repeatable."),
]
Trust: TypeAlias = Annotated[
    bool,
    typer.Option("--trust", help="Run it although somebody else may have started it: see docs/store.md."),
]
On: TypeAlias = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Where workers run: here, ray (RAY_ADDRESS, or Ray started for this), ray://HOST:PORT.",
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object per line instead of text.")]
StoreFolder: TypeAlias = Annotated[
    Path, typer.Option("--store", metavar="DIR", help="Where campaigns are kept.", show_default=True)
]
TestsFolder: TypeAlias = Annotated[
    Path, typer.Option("--tests", metavar="DIR", help="Where tests are written.", show_default=True)
]


class PythonOnly:
    """A parameter that the command line does not have."""


Project: TypeAlias = Annotated[Path | str | None, PythonOnly()]
"""The folder that names are looked up in, and where the store is; None: the current one."""

STORE = Path(".untrod")
TESTS = Path("tests/untrod")


def pairs(texts: list[str] | None, flag: str) -> dict[str, Json]:
    """`key=value` texts as a dictionary."""
    found: dict[str, Json] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UntrodError(f"{flag} {text!r} is not key=value", f"for instance {flag} epsilon=0.1")
        found[key.replace("-", "_")] = value
    return found
