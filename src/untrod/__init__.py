"""untrod learns how to explore software and hands over what it finds as tests.

    import untrod

    run = untrod.cover("shop/prices.py", budget="20s")    # inputs, worst, cover, gui, explore, hunt
    for event in run:                                     # while it runs; Ctrl-C and `run.stop()` end it
        print(event)
    result = run.result()
    result.findings[0].replay()

The verbs are those of the command line, with the same words and the same defaults; those of engines that
other packages add are here, too. Everything is imported when it is first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; to import `typing` takes ten times as long
if TYPE_CHECKING:
    from typing import Any

    from untrod.core.budget import Budget as Budget
    from untrod.core.errors import UntrodError as UntrodError
    from untrod.core.events import CampaignFinished as CampaignFinished
    from untrod.core.events import CampaignStarted as CampaignStarted
    from untrod.core.events import CorpusGrown as CorpusGrown
    from untrod.core.events import Event as Event
    from untrod.core.events import FindingFound as FindingFound
    from untrod.core.events import Notice as Notice
    from untrod.core.events import Progress as Progress
    from untrod.core.events import TestWritten as TestWritten
    from untrod.core.validity import assume as assume
    from untrod.core.vocabulary import Finding as Finding
    from untrod.engines.cover.verb import cover as cover
    from untrod.engines.explore.verb import explore as explore
    from untrod.engines.gui.verb import gui as gui
    from untrod.engines.inputs.verb import inputs as inputs
    from untrod.engines.worst.verb import worst as worst
    from untrod.hunting.run import HuntRun as HuntRun
    from untrod.hunting.run import TurnEvent as TurnEvent
    from untrod.hunting.verb import hunt as hunt
    from untrod.hunting.verdict import Verdict as Verdict
    from untrod.session.result import Result as Result
    from untrod.session.run import Run as Run
    from untrod.symbolic import shapes as shapes

__version__ = "0.1.0"

_PLACES = {
    "Budget": "untrod.core.budget",
    "UntrodError": "untrod.core.errors",
    "CampaignFinished": "untrod.core.events",
    "CampaignStarted": "untrod.core.events",
    "CorpusGrown": "untrod.core.events",
    "Event": "untrod.core.events",
    "FindingFound": "untrod.core.events",
    "Notice": "untrod.core.events",
    "Progress": "untrod.core.events",
    "TestWritten": "untrod.core.events",
    "assume": "untrod.core.validity",
    "Finding": "untrod.core.vocabulary",
    "hunt": "untrod.hunting.verb",
    "HuntRun": "untrod.hunting.run",
    "TurnEvent": "untrod.hunting.run",
    "Verdict": "untrod.hunting.verdict",
    "Result": "untrod.session.result",
    "Run": "untrod.session.run",
    "shapes": "",
}
_VERBS = ("inputs", "worst", "cover", "gui", "explore")

__all__ = ["__version__", *_PLACES, *_VERBS]  # all of them are texts


def __getattr__(name: str) -> Any:
    """A name is imported when it is first asked for."""
    found = _found(name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


def _found(name: str) -> Any:
    import importlib

    if name == "shapes":
        return importlib.import_module("untrod.symbolic.shapes")
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    if name.startswith("_"):
        raise AttributeError(f"module 'untrod' has no attribute {name!r}")
    from untrod.core.catalogue import load
    from untrod.plugins import every_engine

    place = next((engine.verbs[name] for engine in every_engine() if name in engine.verbs), None)
    found = None if place is None else load(place)
    if not callable(found):
        raise AttributeError(f"module 'untrod' has no attribute {name!r}")
    return found
