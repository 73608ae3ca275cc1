"""A program that uses untrod: `mypy --strict` passes it, and tests/docs/test_api.py runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import untrod


def uncovered(module: str, budget: str | untrod.Budget, project: Path) -> int:
    """How many branches of a module nobody took."""
    run = untrod.cover(module, budget=budget, project=project)
    for event in run:
        if isinstance(event, untrod.Progress):
            print(f"{event.episodes} runs, {event.findings} findings")
        elif isinstance(event, untrod.FindingFound):
            finding: untrod.Finding = event.finding
            print(finding.title)
    result = run.result()
    for found in result.findings:
        print(found.id, found.text, found.replay().held)
    left: list[list[object]] = result.counted["untaken"]
    tests: tuple[Path, ...] = result.tests
    print(f"{result.counted['covered']} of {result.counted['branches']} branches, {len(tests)} test files")
    return len(left)


def main() -> int:
    project, module = Path(sys.argv[1]), sys.argv[2]
    try:
        return min(100, uncovered(module, untrod.Budget(episodes=200), project))
    except untrod.UntrodError as error:
        print(error, file=sys.stderr)
        return 101


if __name__ == "__main__":
    sys.exit(main())
