"""The job of an `explore` campaign: the search that fits what is explored, imported when it is needed."""

from __future__ import annotations

from untrod.core.protocols import Beacon, Search
from untrod.core.vocabulary import Json
from untrod.runtime.job import SearchJob


def explore_job(spec: Json, beacon: Beacon) -> SearchJob:
    return SearchJob(_search(spec, beacon), beacon)


def _search(spec: Json, beacon: Beacon) -> Search:
    if spec["kind"] == "screens":
        from untrod.engines.explore.live.search import ScreenSearch

        return ScreenSearch(spec, beacon)
    if spec["kind"] in ("maze", "app-graph"):
        from untrod.engines.explore.walk_search import WalkSearch

        return WalkSearch(spec, beacon)
    from untrod.engines.explore.programs.search import ProgramSearch

    return ProgramSearch(spec, beacon)
