"""From what a person named to the `Subject`, inside a worker: modules, and the arcs that importing takes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from untrod.core.errors import UntrodError
from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json
from untrod.engines.cover.atlas import Atlas
from untrod.engines.cover.subject import Subject
from untrod.engines.cover.targets import survey
from untrod.engines.cover.tracer import Tracer
from untrod.engines.cover.values.matching import match_patterns
from untrod.engines.cover.values.words import Words, words_of
from untrod.runtime.loading import TargetName, load, load_function


def load_subject(spec: Json, beacon: Beacon) -> Subject:
    """Raises UntrodError for whatever a person can mend."""
    project = Path(spec["project"])
    target = TargetName(**spec["target"])
    names = [TargetName(target.module, "", target.root), *(TargetName(**one) for one in spec["also"])]
    modules = {name.module: load(name, project) for name in names}
    files = {name: _source(module) for name, module in modules.items()}
    atlas = Atlas(files)
    found = survey(modules[target.module], target.attribute, load(target, project))
    for name, factory in spec.get("shapes", ()):
        found = found.with_shape(name, load_function(TargetName(**factory), project))
    return Subject(
        name=str(target),
        survey=found,
        atlas=atlas,
        beacon=beacon,
        project=project,
        imported=_import_arcs(atlas),
        seed=spec["seed"],
    )


def load_words(subject: Subject) -> Words:
    """The constants of the target's modules, and texts that their regular expressions match."""
    modules = [sys.modules[name] for name in subject.atlas.files if name in sys.modules]
    words = words_of(modules, map(subject.atlas.source, subject.atlas.files))
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


def _import_arcs(atlas: Atlas) -> int:
    """Importing is done again, in modules that nobody sees: the first time was perhaps before us."""
    tracer = Tracer(atlas.files.values())
    taken = 0
    for name, path in atlas.files.items():
        again = importlib.util.spec_from_file_location(name, path)
        if again is None or again.loader is None:
            continue
        copy = importlib.util.module_from_spec(again)
        copy.__package__ = sys.modules[name].__package__
        try:
            with tracer:
                again.loader.exec_module(copy)
        except Exception:  # not everything can be imported twice: then these arcs are found by calls, or not
            pass
        taken |= atlas.bits(tracer.arcs)
    return taken & atlas.branches  # a module and a function on its first line enter alike
