"""Rejected inputs that came equally far, a few of them: what `evolve` breeds from.

Whoever is drawn next is the one of least *wear*: used seldom, and short. Short ones come first because a
change to a long input mostly hits a part that does not matter. Among niches length counts more than inside
one, so that a few niches of long inputs do not take up all the tries.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from untrod.core.vocabulary import Json
from untrod.learn.genome import Level

MEMBERS = 8
"""Enough for parts to be exchanged; more would only be older and longer ones."""


@dataclass(slots=True)
class Member:
    genome: Level
    size: int
    uses: int = 0

    @property
    def wear(self) -> float:
        return float((1.0 + self.uses) * self.size**1.5)


@dataclass(slots=True)
class Niche:
    uses: int = 0
    members: list[Member] = field(default_factory=list)

    @property
    def wear(self) -> float:
        return float((1.0 + self.uses) * min(member.size for member in self.members) ** 2.0)

    def add(self, genome: Level, size: int) -> None:
        """In a full niche the most worn one gives way, so that a niche drifts and does not wear out."""
        self.members.append(Member(genome, size))
        if len(self.members) > MEMBERS:
            worn = max(range(len(self.members)), key=lambda at: self.members[at].wear)
            del self.members[worn]

    def dump(self) -> Json:
        return [self.uses, [[member.uses, member.genome.dump()] for member in self.members]]

    @classmethod
    def load(cls, body: Json) -> Niche:
        uses, members = body
        niche = cls(int(uses))
        for used, dumped in members:
            genome = Level.load(dumped)
            niche.members.append(Member(genome, sum(1 for _ in genome.answers()), int(used)))
        return niche
