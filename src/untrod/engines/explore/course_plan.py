"""What the plans of all courses share: everything that decides how a course goes, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from untrod.core.vocabulary import Json


@dataclass(frozen=True, slots=True)
class CoursePlan:
    """`updates` or `minutes` (of CPU time) end it, whichever is given; with `updates` it is the same every
    time."""

    task: str
    seed: int = 0
    updates: int | None = None
    minutes: float | None = None
    batch: int = 64
    imitation: float = 0.0
    """The share of the course that is spent on imitating the teacher, before reinforcement."""
    rate: float = 3e-3
    entropy: float = 0.01
    hidden: int = 32
    rounds: int = 3
    history: bool = True
    evaluate: int = 25
    """Updates from one look at validation worlds to the next."""
    validation: int = 200
    patience: int = 40
    """So many looks without a new best end the course."""
    workers: int = 1
    """So many parts an update has, each with its share of the worlds. Who plays them decides nothing."""

    def to_json(self) -> dict[str, Json]:
        return asdict(self)
