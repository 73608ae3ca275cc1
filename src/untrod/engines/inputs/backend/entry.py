"""What Hypothesis loads when it is imported: one assignment, nothing heavy."""

from __future__ import annotations


def register() -> None:
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS["untrod"] = "untrod.engines.inputs.backend.provider.UntrodProvider"
