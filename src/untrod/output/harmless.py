"""A written test cannot hurt: whoever runs it has no guard, and no wall.

What a case does was seen when its traces were replayed. If they touched files by relative names, the test
works in a folder of its own; if they were refused something, or left something that outlives them, there is
none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from untrod.core.vocabulary import Finding, Trace
from untrod.output.cases import TestCase
from untrod.runtime.messages import Touched

Seen = Mapping[Trace, tuple[tuple[str, ...], Touched]]


def harmless(
    cases: Iterable[TestCase], findings: Sequence[Finding], seen: Seen
) -> tuple[list[TestCase], list[str]]:
    """The cases that may be written, and why others may not, a line for each."""
    traces = {finding.id: finding.trace for finding in findings}
    kept, notes = [], []
    for case in cases:
        looks = [seen[trace] for trace in _repeated(case, traces) if trace in seen]
        reason = next(filter(None, map(_reason, looks)), "")
        if reason and not _only_written_down(case):
            notes.append(f"no test for `{case.name_hint}`: {reason}")
        else:
            kept.append(_at_home(case, [touched for _, touched in looks]))
    return kept, notes


def _repeated(case: TestCase, traces: Mapping[str, Trace]) -> Iterable[Trace]:
    if case.trace is not None:
        yield case.trace
    elif case.finding in traces:
        yield traces[case.finding]
    yield from case.repeats


def _reason(look: tuple[tuple[str, ...], Touched]) -> str:
    refused, touched = look
    if refused:
        return f"where nobody refuses it, it would do harm: {refused[0]}"
    return f"it leaves behind {touched.outlives[0]}" if touched.outlives else ""


def _only_written_down(case: TestCase) -> bool:
    return case.known_failure is not None and not case.known_failure.run


def _at_home(case: TestCase, touched: Sequence[Touched]) -> TestCase:
    return replace(
        case,
        own_folder=case.own_folder or any(each.here for each in touched),
        own_temporary=case.own_temporary or any(each.temporary for each in touched),
        weaker=None if case.weaker is None else _at_home(case.weaker, touched),
    )
