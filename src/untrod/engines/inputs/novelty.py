"""The judge of the `inputs` engine: is this valid input one nobody has seen?"""

from __future__ import annotations

from collections.abc import Hashable

from untrod.core.vocabulary import Episode, Json, Outcome
from untrod.engines.inputs.characteristic import stable_digest


class Novelty:
    """Remembers the characteristics seen so far.

    Within a process they are compared as they are; across processes, by digest, so a restored memory
    costs a digest only for inputs that look new.
    """

    def __init__(self) -> None:
        self._seen: set[Hashable] = set()
        self._digests: set[str] = set()
        self.newest = ""  # the digest of the last new characteristic

    def __len__(self) -> int:
        return len(self._digests)

    def __call__(self, episode: Episode) -> None:
        """Set `episode.new`."""
        key = episode.key
        if episode.outcome is Outcome.INVALID or key is None or key in self._seen:
            return
        self._seen.add(key)
        digest = stable_digest(key)
        if digest not in self._digests:
            self._digests.add(digest)
            self.newest = digest
            episode.new = True

    def state(self) -> Json:
        return sorted(self._digests)

    def load(self, state: Json) -> None:
        self._seen.clear()
        self._digests = set(state)
