"""One shard of a `cover` campaign, inside a worker."""

from __future__ import annotations

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json
from untrod.engines.cover.search import CoverSearch
from untrod.runtime.job import SearchJob


class CoverJob(SearchJob):
    """Built from the JSON that `engine.CoverEngine.spec` makes."""

    search: CoverSearch

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        super().__init__(CoverSearch(spec, beacon), beacon)
