"""From what a person named to the `Subject`, inside a worker: modules, and the arcs that importing takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json
from untrod.engines.cover.branch_map import BranchMap, Tracer
from untrod.engines.cover.subject import Subject
from untrod.engines.cover.targets import survey
from untrod.engines.cover.values.matching import match_patterns
from untrod.engines.cover.values.words import Words, words_of
from untrod.runtime.loading import TargetName, find_source, load, load_function


def load_subject(spec: Json, beacon: Beacon) -> Subject:
    """Raises UntrodError for whatever a person can mend."""
    project = Path(spec["project"])
    target = TargetName(**spec["target"])
    names = [TargetName(target.module, "", target.root), *(TargetName(**one) for one in spec["also"])]
    modules, tracer = _import(names, project)
    files = {name: _source(module) for name, module in modules.items()}
    branch_map = BranchMap(files)
    found = survey(modules[target.module], target.attribute, load(target, project))
    for name, factory in spec.get("shapes", ()):
        found = found.with_shape(name, load_function(TargetName(**factory), project))
    return Subject(
        name=str(target),
        survey=found,
        branch_map=branch_map,
        beacon=beacon,
        project=project,
        # Without entrances: a module enters as a function on its first line would.
        imported=branch_map.bits(tracer.arcs) & branch_map.branches,
        seed=spec["seed"],
    )


def load_words(subject: Subject) -> Words:
    """The constants of the target's modules, and texts that their regular expressions match."""
    modules = [sys.modules[name] for name in subject.branch_map.files if name in sys.modules]
    words = words_of(modules, map(subject.branch_map.source, subject.branch_map.files))
    match_patterns(words)
    return words


def _source(module: ModuleType) -> str:
    path = getattr(module, "__file__", None)
    if not path or not path.endswith(".py"):
        raise UntrodError(
            f"{module.__name__} is not written in Python: its branches cannot be seen",
            "name a module with a .py file",
        )
    return str(path)


def _import(names: Sequence[TargetName], project: Path) -> tuple[dict[str, ModuleType], Tracer]:
    """The modules by name, and what importing them took. They are imported once, under the tracer: many
    modules cannot bear a second time, since they register what they define. What was imported before us
    takes nothing, for coverage.py no more than here."""
    tracer = Tracer(filter(None, [find_source(name, project) for name in names]))
    with tracer:
        modules = {name.module: load(name, project) for name in names}
    return modules, tracer
