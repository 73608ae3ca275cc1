"""The command line of the benches: `python -m bench --help`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

import bench
from bench import machine
from bench.plan import Plan, Study
from bench.report import Report, Result

_FRAMEWORK = {"__main__", "plan", "report", "machine", "journal"}


def main(arguments: Sequence[str] | None = None) -> int:
    """0: done (with `--check`: and every bar holds); 1: a bar does not hold; 2: a mistake in the command."""
    options = _parser().parse_args(arguments)
    if options.engine not in engines():
        return _mistake(f"no bench called {options.engine!r}: there is {', '.join(engines())}")
    if options.seeds is not None and options.seeds < 1:
        return _mistake("--seeds needs a number of at least 1")
    if options.json is not None and not options.json.absolute().parent.is_dir():
        return _mistake(f"cannot write {options.json}: its folder does not exist")
    studies: tuple[Study, ...] = importlib.import_module(f"bench.{options.engine}").STUDIES
    plan = Plan(
        quick=not options.full,
        seeds=options.seeds,
        only=options.only,
        study=options.study,
        contenders=tuple(filter(None, (options.contenders or "").split(","))),
        minutes=options.minutes,
        cpu=options.cpu,
        journal=options.journal,
    )
    of_name = [study for study in studies if plan.wants_study(study.name)]
    if not of_name:
        return _mistake(f"no study called {plan.study!r}: there is {'; '.join(s.name for s in studies)}")
    chosen = [study for study in of_name if any(plan.wants(subject) for subject in study.subjects)]
    if not chosen:
        known = dict.fromkeys(subject for study in studies for subject in study.subjects)
        return _mistake(f"no subject called {plan.only!r}: there is {', '.join(known)}")
    report = Report(f"{options.engine} --{plan.scale}", machine.describe(), _run(chosen, plan))
    report.show(Console(width=None if sys.stdout.isatty() else 150))
    if options.json is not None:
        report.write(options.json)
    return 1 if options.check and not report.result.holds else 0


def engines() -> list[str]:
    """The names that `python -m bench` takes: every module of this package but its framework."""
    return sorted(info.name for info in pkgutil.iter_modules(bench.__path__) if info.name not in _FRAMEWORK)


def _run(studies: Sequence[Study], plan: Plan) -> Result:
    results = []
    for study in studies:
        plan.say(f"study: {study.name}")
        results.append(study.run(plan))
    return Result.joined(results)


def _mistake(line: str) -> int:
    print(f"bench: {line}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Runs one engine's benchmark.")
    parser.add_argument("engine", help=f"one of: {', '.join(engines())}")
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true", help="at most 5 minutes on two cores (the default)")
    scale.add_argument("--full", action="store_true", help="at most 2 hours on two cores")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there")
    parser.add_argument("--check", action="store_true", help="exit 1 when a bar does not hold")
    parser.add_argument("--seeds", type=int, metavar="N", help="run the seeds 1 to N")
    parser.add_argument("--study", metavar="WORD", help="only the studies with this word in their names")
    parser.add_argument(
        "--contenders", metavar="A,B", help="only these contenders, where a study has a choice"
    )
    parser.add_argument("--minutes", type=float, metavar="N", help="time for all trials together")
    parser.add_argument("--cpu", type=float, metavar="S", help="CPU seconds for one trial at most")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="keep each trial there, and do not repeat those in it"
    )
    parser.add_argument("--only", metavar="A,B", help="run these subjects alone")
    return parser


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what a study has started is ended
    sys.exit(main())
