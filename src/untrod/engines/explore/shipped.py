"""Weights that come with the package: zero-shot use needs no training.

`trained/TASK` has what `untrod train TASK` made, with the command in the manifest. Finding them takes no
torch; reading them does (`weights.py`).
"""

from __future__ import annotations

from pathlib import Path

TRAINED = Path(__file__).parent / "trained"
FOR_RECORDED = "directed-app"
"""Real apps have links that lead one way, and screens without a way out."""


def shipped(task: str) -> Path | None:
    """The folder of the weights for this task; None where the package has none."""
    folder = TRAINED / (FOR_RECORDED if task == "app-graph" else task)
    return folder if (folder / "manifest.json").is_file() else None
