"""What an `inputs` campaign counts, for programs that read it."""

from __future__ import annotations

from typing import Any, TypedDict


class InputsCounts(TypedDict, total=False):
    states: int
    convicted: list[dict[str, Any]]
    """The options that make inputs invalid, as far as the learner can tell."""
    rejections: dict[str, list[Any]]
    """Hypothesis tests: why examples were rejected, by test."""
