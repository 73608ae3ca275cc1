"""Checkpoints of training: everything that the next update depends on, so that a resumed run is the same,
bit for bit.

The tensors go into a file with a number, then `checkpoint.json` is replaced, which names it and its hash,
then the file before is removed. Whenever the process is killed, `checkpoint.json` names a whole file.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from safetensors.torch import save
from torch import Tensor

from untrod.core.errors import UntrodError
from untrod.core.reading import LARGE, load_json, read_bytes
from untrod.core.shapes import Malformed, anything, number, record, text, whole
from untrod.core.vocabulary import Json
from untrod.engines.explore.weights import unpack
from untrod.learn.gmetaexp.gradient_learner import GradientLearner
from untrod.store.blobs import sha256, write_atomic

FORMAT = "untrod-course/1"
POINTER = "checkpoint.json"
HINT = "give another folder with --out, or remove this one"
_FILE = re.compile(r"checkpoint-\d+\.safetensors", re.ASCII)
_POINTER = record(
    {
        "file": text(),
        "sha256": text(),
        "notes": record(
            {
                "plan": anything,
                "update": whole(),
                "spent": number(0),
                "best": number(-1e300, 1e300),
                "stale": whole(),
            }
        ),
    }
)


def write_checkpoint(
    folder: Path, learner: GradientLearner[Any], best: dict[str, Tensor], notes: dict[str, Json]
) -> None:
    tensors = {f"now/{name}": tensor for name, tensor in learner.policy.state_dict().items()}
    tensors |= {f"best/{name}": tensor for name, tensor in best.items()}
    for name, parameter in learner.policy.named_parameters():
        for moment, value in learner.optimiser.state.get(parameter, {}).items():
            tensors[f"adam/{name}/{moment}"] = value
    tensors["random"] = learner.generator.get_state()
    blob = save({name: tensor.detach().contiguous() for name, tensor in tensors.items()})
    name = f"checkpoint-{notes['update']}.safetensors"
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / name, blob)
    pointer = {"format": FORMAT, "file": name, "sha256": sha256(blob), "notes": notes}
    write_atomic(folder / POINTER, (json.dumps(pointer) + "\n").encode())
    for other in folder.glob("checkpoint-*.safetensors"):
        if other.name != name:
            other.unlink(missing_ok=True)


def read_notes(folder: Path) -> dict[str, Json] | None:
    """What was noted with the checkpoint; None: there is none."""
    pointer = _pointer(folder)
    return None if pointer is None else pointer["notes"]


def read_checkpoint(folder: Path, learner: GradientLearner[Any]) -> dict[str, Tensor]:
    """Puts the learner back to where it was. Returns the best weights so far."""
    pointer = _pointer(folder)
    if pointer is None:
        raise UntrodError(f"there is no checkpoint in {folder}", "begin a course: untrod train")
    path = folder / pointer["file"]
    try:
        blob = read_bytes(path, LARGE)
    except OSError as error:
        raise UntrodError(f"cannot read {path}: {error.strerror}", HINT) from None
    if sha256(blob) != pointer["sha256"]:
        raise UntrodError(f"{path} is damaged", HINT)
    try:
        return _put_back(unpack(blob, path), learner)
    except (LookupError, RuntimeError, TypeError, ValueError):  # of another network
        raise UntrodError(f"{path} is no checkpoint of this course", HINT) from None


def _put_back(tensors: dict[str, Tensor], learner: GradientLearner[Any]) -> dict[str, Tensor]:
    parts: dict[str, dict[str, Tensor]] = {"now": {}, "best": {}, "adam": {}}
    for name, tensor in tensors.items():
        kind, _, rest = name.partition("/")
        if kind == "random":
            learner.generator.set_state(tensor)
        else:
            parts[kind][rest] = tensor
    learner.policy.load_state_dict(parts["now"])
    for name, parameter in learner.policy.named_parameters():
        moments = {
            key.rpartition("/")[2]: value
            for key, value in parts["adam"].items()
            if key.rpartition("/")[0] == name
        }
        if moments:
            learner.optimiser.state[parameter] = moments
    return parts["best"]


def _pointer(folder: Path) -> dict[str, Json] | None:
    path = folder / POINTER
    try:
        pointer = load_json(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise UntrodError(f"{path} cannot be read", HINT) from None
    if not isinstance(pointer, dict) or pointer.get("format") != FORMAT:
        raise UntrodError(f"{path} is no checkpoint of {FORMAT}", HINT)
    try:
        _POINTER(pointer, "checkpoint")
    except Malformed as error:
        raise UntrodError(f"{path} is damaged: {error}", HINT) from None
    if not _FILE.fullmatch(pointer["file"]):
        raise UntrodError(f"{path} names a file that is none of its own", HINT)
    return pointer
