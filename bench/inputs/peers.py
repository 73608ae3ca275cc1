"""The peers. They are measured and nothing else: no part of untrod imports them.

HypoFuzz runs the same Hypothesis test. Fandango wants a grammar and constraints of its own, so it only
takes part where the subject can be said that way.
"""

from __future__ import annotations

import importlib
import random as global_random
from typing import Any

from hypothesis.database import InMemoryExampleDatabase

from bench.inputs.contenders import Skipped, hypothesis_test
from bench.inputs.tally import Tally


def hypofuzz(tally: Tally, seed: int) -> None:
    module = _import("hypofuzz.hypofuzz")
    databases = _import("hypofuzz.database")
    target = module.FuzzTarget.from_hypothesis_test(
        hypothesis_test(tally), database=databases.HypofuzzDatabase(InMemoryExampleDatabase())
    )
    target.random.seed(seed)
    target.provider.random.seed(seed)
    target._enter_fixtures()
    while True:
        tally.attempt()
        target.run_one()


GRAMMARS = {
    "six-ints": """
<start> ::= <n> ' ' <n> ' ' <n> ' ' <n> ' ' <n> ' ' <n>
<n> ::= <digit> | <nonzero> <digit>
<digit> ::= '0' | <nonzero>
<nonzero> ::= '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
where list(map(int, str(<start>).split())) == sorted(map(int, str(<start>).split()))
""",
    "parens": """
<start> ::= <item>+
<item> ::= '(' <inner> ')' | '[' <inner> ']'
<inner> ::= '' | '' | <item> | <item> <inner>
where 4 <= len(str(<start>)) <= 16
""",
}
_PARSERS: dict[str, Any] = {"six-ints": lambda text: tuple(map(int, text.split())), "parens": str}


def fandango(tally: Tally, seed: int) -> None:
    """An attempt is a solution that Fandango hands over: what it discards inside is not visible."""
    name = tally.subject.name
    if name not in GRAMMARS:
        raise Skipped("no Fandango grammar is written for this subject")
    solver = _import("fandango").Fandango(GRAMMARS[name])
    global_random.seed(seed)
    while True:
        for tree in solver.fuzz(desired_solutions=100):
            tally.attempt()
            value = _PARSERS[name](str(tree))
            if tally.subject.valid(value):
                tally.accept(value)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise Skipped(f"not installed ({missing}); install the `bench` dependency group") from None
