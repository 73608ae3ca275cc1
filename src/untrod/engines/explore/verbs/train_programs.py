"""`untrod train robustfill` and `untrod train karel`: a policy that proposes inputs for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from untrod.engines.explore.verbs.train_course import Terms, take
from untrod.output.terminal import say

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.programs.plan import ProgramPlan

TASKS = ("robustfill", "karel")


def train_programs(plan: ProgramPlan, terms: Terms) -> int:
    from untrod.engines.explore.programs.course import ProgramCourse
    from untrod.engines.explore.programs.measure import scores

    family = plan.family()
    course = ProgramCourse(plan, terms.folder(family.name))
    about: dict[str, Json] = {"task": family.name, "definition": family.definition}
    return take(course, terms, about, lambda: scores(course.policy, family, terms.worlds), _report)


def _report(found: dict[str, Json]) -> None:
    inputs = "".join(f"{number:>8}" for number in found["inputs"])
    say(f"coverage of {found['worlds']:,} held-out programs with so many inputs:")
    say(f"  {'':<14}{inputs}")
    for name in ("learned", "untrained", "random", "hill-climbing"):
        row = found[name]
        means = row["coverage"] if isinstance(row, dict) else row
        say(f"  {name:<14}" + "".join(f"{mean:>8.3f}" for mean in means))
    row = found["hill-climbing"]
    pairs = zip(row["gain"], row["within"], strict=True)
    say("gain over hill-climbing: " + ", ".join(f"{gain:+.3f} ± {within:.3f}" for gain, within in pairs))
