"""`untrod train robustfill` and `untrod train karel`: a policy that proposes inputs for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.cli.train_crew import with_crew

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.programs.plan import ProgramPlan
    from untrod.engines.explore.schooling import Look

TASKS = ("robustfill", "karel")


def train_programs(
    plan: ProgramPlan,
    out: Path | None,
    stop: int | None,
    worlds: int,
    as_json: bool,
    tell: Callable[[Look], None],
    on: str,
) -> int:
    from untrod.engines.explore.programs.course import ProgramCourse
    from untrod.engines.explore.programs.measure import scores
    from untrod.engines.explore.weights import save_weights

    family = plan.family()
    folder = out or Path("weights") / family.name
    course = ProgramCourse(plan, folder)
    if course.resumed and not as_json:
        print(f"going on from update {course.update} in {folder}")
    with with_crew(course, plan, on):
        why = course.run(tell, stop)
    found = scores(course.policy, family, worlds)
    about: dict[str, Json] = {
        "task": family.name,
        "definition": family.definition,
        "seed": plan.seed,
        "command": "untrod " + " ".join(sys.argv[1:]),
        "updates": course.update,
        "scores": found,
    }
    save_weights(folder, course.policy, about)
    if as_json:
        print(json.dumps({"event": "trained", "why": why, "folder": str(folder), **about}))
    else:
        _report(why, folder, found)
    return 0


def _report(why: str, folder: Path, found: dict[str, Json]) -> None:
    inputs = "".join(f"{number:>8}" for number in found["inputs"])
    print(f"{why}; coverage of {found['worlds']:,} held-out programs with so many inputs:")
    print(f"  {'':<14}{inputs}")
    for name in ("learned", "untrained", "random", "hill-climbing"):
        row = found[name]
        means = row["coverage"] if isinstance(row, dict) else row
        print(f"  {name:<14}" + "".join(f"{mean:>8.3f}" for mean in means))
    row = found["hill-climbing"]
    pairs = zip(row["gain"], row["within"], strict=True)
    print("gain over hill-climbing: " + ", ".join(f"{gain:+.3f} ± {within:.3f}" for gain, within in pairs))
    print(f"weights: {folder}")
