"""Weights of policies for programs, in the same folders as those for walks (`explore/weights.py`)."""

from __future__ import annotations

from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.shapes import flag, one_of, record, whole
from untrod.core.vocabulary import Json
from untrod.engines.explore.programs.trainer import ProgramPlan
from untrod.engines.explore.weights import (
    AGAIN,
    MANIFEST,
    MOST_ROUNDS,
    WEIGHTS,
    WIDEST,
    adopt,
    read_weights,
    unpack,
)
from untrod.learn.gmetaexp.programs.encoders import ENCODERS
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy, Shape

_SIZE = whole(0, WIDEST)
_SHAPE = record(
    {"words": _SIZE, "symbols": _SIZE},
    {
        "side": _SIZE,
        "kinds": _SIZE,
        "hidden": whole(1, WIDEST),
        "rounds": whole(0, MOST_ROUNDS),
        "encoder": one_of(ENCODERS),
        "history": flag,
        "runtime": flag,
    },
)


def load_program_weights(folder: Path, kind: str) -> tuple[ProgramPolicy, dict[str, Json]]:
    """`kind` of programs. Raises UntrodError, in one line, for anything but whole weights for them, of this
    version, of their own shape and of our vocabulary."""
    manifest, blob = read_weights(folder)
    path = folder / MANIFEST
    if manifest.get("task") != kind:
        raise UntrodError(f"{path} is for {manifest.get('task')}, not for {kind} programs", AGAIN)
    try:
        _SHAPE(manifest["shape"], "shape")
        shape = Shape(**manifest["shape"])
        ours = ProgramPlan(kind).shape()
        policy = ProgramPolicy(shape, 0)
    except (TypeError, ValueError, RuntimeError):
        raise UntrodError(f"{path} has no network's shape", AGAIN) from None
    if (shape.words, shape.symbols, shape.side) != (ours.words, ours.symbols, ours.side):
        raise UntrodError(f"{path}: the network knows other words, or writes other inputs", AGAIN)
    adopt(policy, unpack(blob, folder / WEIGHTS), folder / WEIGHTS)
    return policy, manifest
