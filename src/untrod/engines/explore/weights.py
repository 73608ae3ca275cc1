"""Weights on disk: a folder with `weights.safetensors` and `manifest.json`.

The manifest says what the weights are for (task, definition, moves), how they were made (command, seed),
what they reach on held-out worlds, the network's shape, and what the file hashes to. A pickle is never
opened: torch's own files are pickles, and a pickle can run anything.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

from safetensors.torch import load, save
from torch import Tensor, nn

from untrod.core.errors import UntrodError
from untrod.core.reading import LARGE, load_json, read_bytes
from untrod.core.shapes import flag, number, one_of, record, whole
from untrod.core.vocabulary import Json
from untrod.engines.explore.vector_env import FEATURES
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape
from untrod.store.blobs import sha256, write_atomic

FORMAT, VERSION = "untrod-explore", 1
WEIGHTS, MANIFEST = "weights.safetensors", "manifest.json"
AGAIN = "train them again: untrod train"
WIDEST, MOST_ROUNDS = 4_096, 100
"""Of a network whose shape others wrote down: it is made before it is compared with its weights."""
_SHAPE = record(
    {"features": whole(1, WIDEST)},
    {
        "hidden": whole(1, WIDEST),
        "rounds": whole(0, MOST_ROUNDS),
        "memory": one_of(("graph", "pool", "node")),
        "history": flag,
        "prior": number(-1e6, 1e6),
        "links": whole(0, WIDEST),
    },
)


class Shaped(Protocol):
    """A network's shape: enough to make it again."""

    def to_json(self) -> Json: ...


class Network(Protocol):
    @property
    def shape(self) -> Shaped: ...

    def state_dict(self) -> dict[str, Tensor]: ...


def save_weights(folder: Path, policy: Network, about: dict[str, Json]) -> dict[str, Json]:
    """The manifest is written last: without one, there are no weights."""
    blob = save({name: tensor.detach().contiguous() for name, tensor in policy.state_dict().items()})
    manifest: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        **about,
        "shape": policy.shape.to_json(),
        "sha256": sha256(blob),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / WEIGHTS, blob)
    write_atomic(folder / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    return manifest


def load_weights(folder: Path) -> tuple[GraphPolicy, dict[str, Json]]:
    """For walks. Raises UntrodError, in one line, for anything but whole weights of this version and of their
    own shape."""
    manifest, blob = read_weights(folder)
    path = folder / WEIGHTS
    if manifest["shape"].get("features") != FEATURES:
        raise UntrodError(f"{folder / MANIFEST}: the network does not see {FEATURES} features a node", AGAIN)
    try:
        _SHAPE(manifest["shape"], "shape")
        policy = GraphPolicy(Shape(**manifest["shape"]), 0)
    except (TypeError, KeyError, ValueError, RuntimeError):
        raise UntrodError(f"{folder / MANIFEST} has no network's shape", AGAIN) from None
    adopt(policy, unpack(blob, path), path)
    return policy, manifest


def read_weights(folder: Path) -> tuple[dict[str, Json], bytes]:
    """The manifest, which has a shape, and the file that it describes."""
    manifest = _manifest(folder / MANIFEST)
    path = folder / WEIGHTS
    try:
        blob = read_bytes(path, LARGE)
    except OSError as error:
        raise UntrodError(f"cannot read {path}: {error.strerror}", AGAIN) from None
    if blob[:2] in (b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        raise UntrodError(f"{path} is a pickle, which is never opened", "give weights in safetensors")
    if sha256(blob) != manifest.get("sha256"):
        raise UntrodError(f"{path} is not the file that its manifest describes", AGAIN)
    return manifest, blob


def unpack(blob: bytes, path: Path) -> dict[str, Tensor]:
    try:
        return load(blob)
    except Exception as error:  # the library has an exception type of its own
        raise UntrodError(f"{path} cannot be read: {error}", AGAIN) from None


def adopt(policy: nn.Module, tensors: dict[str, Tensor], path: Path) -> None:
    wanted = policy.state_dict()
    shapes = {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()}
    if shapes != {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in wanted.items()}:
        raise UntrodError(f"{path} has the weights of a network of another shape", AGAIN)
    policy.load_state_dict(tensors)


def _manifest(path: Path) -> dict[str, Json]:
    try:
        manifest = load_json(path)
    except OSError as error:
        raise UntrodError(
            f"cannot read {path}: {error.strerror}", "give the folder of trained weights"
        ) from None
    except ValueError:
        raise UntrodError(f"{path} is not JSON", AGAIN) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise UntrodError(f"{path} is no manifest of {FORMAT}", "give the folder of trained weights")
    if manifest.get("version") != VERSION:
        raise UntrodError(
            f"{path} is of version {manifest.get('version')}, only {VERSION} is understood", AGAIN
        )
    if not isinstance(manifest.get("shape"), dict):
        raise UntrodError(f"{path} has no network's shape", AGAIN)
    return manifest
