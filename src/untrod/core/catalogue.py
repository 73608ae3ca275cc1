"""What can be asked for by name: that which comes with untrod, and that which other packages add.

    LEARNERS: Catalogue[LearnerFactory] = Catalogue("learner", {"random": Uniform, ...}, "untrod.learners")
    LEARNERS.find("random")
    LEARNERS.find("rnadom")  # UntrodError: there is no learner 'rnadom' (did you mean random?)

A value may be a text, "package.module:attribute": it is imported when it is first asked for. Another package
adds a name by an entry point in the catalogue's group; names that come with untrod cannot be taken over.
Entry points are looked up when a name is not ours, or when all names are wanted: reading them takes time.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from untrod.core.errors import UntrodError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Catalogue(Generic[T]):
    def __init__(self, kind: str, ours: Mapping[str, T | str], group: str = "") -> None:
        """`kind` is what a person calls one of them; `group` that of the entry points, empty for none."""
        self.kind = kind
        self.group = group
        self._ours: dict[str, T | str] = dict(ours)
        self._theirs: dict[str, EntryPoint] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All of them: ours in their order, then those of other packages."""
        return (*self._ours, *sorted(self._added()))

    def find(self, name: str) -> T:
        """Raises UntrodError, with the nearest name, for what does not exist or cannot be imported."""
        found = self._ours.get(name)
        if isinstance(found, str):
            found = self._ours[name] = cast(T, load(found))
        if found is not None:
            return found
        added = self._added()
        if name not in added:
            raise UntrodError(f"there is no {self.kind} {name!r}", nearest(name, self.names))
        return self._loaded(added[name])

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._added()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def _added(self) -> dict[str, EntryPoint]:
        if self._theirs is None:
            self._theirs = {}
            if self.group and _is_mentioned(self.group):
                from importlib.metadata import entry_points

                for point in entry_points(group=self.group):
                    if point.name not in self._ours:
                        self._theirs.setdefault(point.name, point)
        return self._theirs

    def _loaded(self, point: EntryPoint) -> T:
        package = point.dist.name if point.dist is not None else point.value
        try:
            return cast(T, point.load())
        except Exception as error:  # whatever importing somebody's module raises
            cause = f"{type(error).__name__}: {error}"
            raise UntrodError(
                f"the {self.kind} {point.name!r} of {package} cannot be imported: {cause}",
                f"mend or remove {package}",
            ) from error


@cache
def _entry_points_of_all() -> bytes:
    """The text of every installed package's entry points: importing what parses them takes fifty times as
    long as looking whether there is anything to parse."""
    texts = []
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or ".") as entries:
                infos = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for info in infos:
            try:
                with open(os.path.join(info, "entry_points.txt"), "rb") as file:
                    texts.append(file.read(1 << 16))
            except OSError:
                pass
    return b"\n".join(texts)


def _is_mentioned(group: str) -> bool:
    return f"[{group}]".encode() in _entry_points_of_all()


def nearest(name: str, known: Iterable[str]) -> str:
    """What to do instead, for somebody who has asked for a `name` that is not `known`."""
    names = list(known)
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"choose from {', '.join(names) or 'none'}"


def load(place: str) -> Any:
    """What "package.module:attribute" names."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
