"""The engines by name: the one place that says which there are.

    ENGINES.find("cover")           # the engine's `PLUGIN`, imported when it is first asked for
    ENGINES.find("cober")           # UntrodError: there is no engine 'cober' (did you mean cover?)

An engine is one folder. Its `plugin.py` has a subclass of `EnginePlugin` that answers all that the rest of
untrod asks; whatever is not overridden has a sensible answer. Another package adds one by an entry point:

    [project.entry-points."untrod.engines"]
    dice = "untrod_dice.plugin:PLUGIN"

Nothing but this file and the Python API (`untrod/__init__.py`) names an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from untrod.core.catalogue import Catalogue
from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json

if TYPE_CHECKING:  # types only: a plugin is imported by rooms that are below those it serves
    import ast

    from untrod.core.protocols import Tables
    from untrod.output.deliver import Recipe
    from untrod.output.html.panel import Panel
    from untrod.output.html.story import Story
    from untrod.runtime.campaign import Engine


_NOT_MODULES = {"setup.py", "conftest.py", "__main__.py", "noxfile.py", "tasks.py"}


@dataclass(frozen=True, slots=True)
class Making:
    """What an engine is made from: a campaign as it stands in the store, and where it runs."""

    config: Json
    seed: int
    project: Path
    workers: int
    store: Path
    tables: Tables


@dataclass(frozen=True, slots=True)
class Task:
    """One engine on one target: what a hunt hands out turns to. A command line without its budget."""

    verb: str
    target: str
    why: str  # for a person: what makes this worth a try
    file: str = ""  # relative to the project; empty for what is no file
    lines: tuple[int, int] | None = None  # first and last; None: the whole file
    promise: float = field(default=0.0, compare=False)  # how much there may be to find; a hunt sets it

    @property
    def name(self) -> str:
        return f"{self.verb} {self.target}"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A Python file of a project, parsed and never imported, for engines to discover tasks in."""

    name: str  # relative to the project
    tree: ast.Module
    is_test: bool
    is_product: bool = True  # what the project installs, or a person has named

    @property
    def is_module(self) -> bool:
        """Of the product: not tests, and not what only builds or configures it."""
        return self.is_product and not self.is_test and Path(self.name).name not in _NOT_MODULES


class EnginePlugin:
    """What untrod asks of an engine. Override what differs."""

    name: ClassVar[str]
    """Under which campaigns stand in the store."""

    verbs: ClassVar[Mapping[str, str]] = {}
    """Verb to "module:function" of the typed function behind it (see `session.options`): the same function is
    `untrod.VERB(...)` in Python and, by its annotations, `untrod VERB ...` on the command line. Instead of a
    function there may be a verb with verbs of its own: `session.verbs.VerbGroup`."""

    listed_at: ClassVar[int] = 100
    """Where its verbs stand in `untrod --help`."""

    makes_suite: ClassVar[bool] = False
    """The result is a suite: it is written after a Ctrl-C too."""

    shows_samples: ClassVar[bool] = False
    """Entries of the corpus are worth a look by themselves."""

    tryout_plugin: ClassVar[str] = ""
    """A module: the pytest plugin that is there while its tests are tried out."""

    turn_order: ClassVar[int] = 100
    """In a hunt, first turns are given in this order."""

    hunted: ClassVar[tuple[str, ...]] = ()
    """The verbs of the tasks that `discover` and `discover_app` make."""

    in_workers: ClassVar[bool] = True
    """A hunt's --memory, --allow and --on are for it too."""

    counts_coverage: ClassVar[bool] = False
    """The files of its tasks are those whose coverage a hunt measures."""

    def make(self, making: Making) -> tuple[Engine, Recipe]:
        """A campaign's engine, and how its results become tests.

        Raises LookupError, TypeError, ValueError or AttributeError for settings that cannot be read.
        """
        raise NotImplementedError

    def panel(self, story: Story) -> Panel:
        """Its part of a campaign's page. `story` may lack anything: from another version, or damaged."""
        from untrod.output.html.panel import Panel

        return Panel(f"{story.row.unique:,} unique")

    def permissions(self, target: str) -> frozenset[str]:
        """What the tests that it wrote for `target` cannot do without."""
        return frozenset()

    def places(self, config: Mapping[str, Json]) -> Iterable[str]:
        """Files that its settings name, besides every `root`: a foreign campaign must not reach elsewhere."""
        return ()

    # ---- in a hunt ----

    def discover(self, source: SourceFile) -> Iterable[Task]:
        """What in this file could be worth a campaign."""
        return ()

    def discover_app(self, url: str) -> Iterable[Task]:
        """What to do with an application that is served there."""
        return ()

    def shown(self, finished: Mapping[str, Json]) -> float:
        """What a campaign has to show, in the engine's own coin, from its last event."""
        return float(finished.get("unique", 0))

    def left(self, finished: Mapping[str, Json]) -> float | None:
        """What it could still show, where that is known."""
        return None


ENGINES: Catalogue[EnginePlugin] = Catalogue(
    "engine",
    {
        "inputs": "untrod.engines.inputs.plugin:PLUGIN",
        "hypothesis": "untrod.engines.inputs.backend.plugin:PLUGIN",
        "cover": "untrod.engines.cover.plugin:PLUGIN",
        "native": "untrod.engines.cover.native.plugin:PLUGIN",
        "explore": "untrod.engines.explore.plugin:PLUGIN",
        "gui": "untrod.engines.gui.plugin:PLUGIN",
        "worst": "untrod.engines.worst.plugin:PLUGIN",
    },
    "untrod.engines",
)


def engine_of_verb(verb: str) -> EnginePlugin | None:
    """The engine that a hunt means by a verb."""
    if verb in ENGINES:
        return ENGINES.find(verb)
    return next((plugin for plugin in map(ENGINES.find, ENGINES) if verb in plugin.verbs), None)


def every_engine(broken: Callable[[UntrodError], None] = lambda error: None) -> Iterator[EnginePlugin]:
    """Ours, then those of other packages. One that cannot be imported is told to `broken`, and left out."""
    for name in ENGINES.names:
        try:
            yield ENGINES.find(name)
        except UntrodError as error:
            broken(error)
