"""Which function a line belongs to: searchers think in lines of functions, a tracer in lines of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import CodeType

from untrod.engines.cover.atlas import Atlas
from untrod.engines.cover.case import Arc
from untrod.engines.cover.tracer import LineArc
from untrod.symbolic.searchers.knowledge import Distances, Line


class Lines:
    def __init__(self, atlas: Atlas) -> None:
        codes = [
            compile(atlas.source(module), path, "exec", dont_inherit=True)
            for module, path in atlas.files.items()
        ]
        self.distances = Distances(codes)
        self._files = atlas.files
        self._units: dict[str, dict[int, str]] = {path: {} for path in atlas.files.values()}
        todo = list(codes)
        while todo:  # inner functions come later, and have the last word on their lines
            code = todo.pop(0)
            for _, _, line in code.co_lines():
                if line:
                    self._units[code.co_filename][line] = code.co_qualname
            todo += [constant for constant in code.co_consts if isinstance(constant, CodeType)]

    def of(self, taken: Mapping[str, Iterable[LineArc]]) -> set[Line]:
        """The lines that a run has reached."""
        found = set()
        for path, arcs in taken.items():
            units = self._units.get(path, {})
            found |= {(units[line], line) for _, line in arcs if line in units}
        return found

    def starting(self, arcs: Iterable[Arc]) -> set[Line]:
        """The lines that these arcs start from."""
        places = ((self._units[self._files[arc.module]], arc.start) for arc in arcs)
        return {(units[line], line) for units, line in places if line in units}
