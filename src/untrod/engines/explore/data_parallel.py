"""Data-parallel training: each worker plays its part of an update, here or on a Ray node, and gives a
gradient.

    weights, random state and part  ->  worker (`GradientJob`)  ->  gradient, random state and reward

The step is taken here (`DataParallelTrainer`), along the mean of the gradients in the order of the parts.
Which worker played a part, on which machine and how often it had to be restarted, leaves no trace in the
numbers: a gradient is a function of what was sent for it. With one worker they are those of training
without workers.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json, Trace
from untrod.engines.explore.trainer import UpdatePart
from untrod.learn.gmetaexp.gradient_learner import GradientLearner
from untrod.runtime.messages import Lost, WorkersGone
from untrod.runtime.workers import Workers

if TYPE_CHECKING:
    from untrod.engines.explore.programs.trainer import ProgramTrainer
    from untrod.engines.explore.walk_trainer import WalkTrainer


MOST_LOSSES = 20
"""Workers that may be lost before somebody has to look at it."""
RANDOM = "random"


class DataParallelTrainer:
    """`workers` have been started, one for each part, with `GradientJob`."""

    def __init__(self, workers: Workers, count: int, seed: int) -> None:
        self._workers, self._count, self._seed = workers, count, seed
        self._losses = 0

    @property
    def cpu(self) -> float:
        return sum(map(self._workers.cpu, range(self._count)))

    def update(self, learner: GradientLearner[Any], part: UpdatePart) -> float:
        heads = []
        for number in range(self._count):
            share = replace(part, part=number, parts=self._count)
            random = learner.generator.get_state() if self._count == 1 else self._random(share)
            heads.append(pack({RANDOM: random}, asdict(share)))
        answers = [unpack(blob) for blob in self._ask(heads, pack(learner.policy.state_dict(), {}))]
        if self._count == 1:
            learner.generator.set_state(answers[0][0].pop(RANDOM))
        learner.optimiser.zero_grad()
        for name, parameter in learner.policy.named_parameters():
            found = [tensors[name] for tensors, _ in answers if name in tensors]
            if found:  # a part in which there was nothing to decide has none
                parameter.grad = torch.stack(found).mean(0)
        if any(parameter.grad is not None for parameter in learner.policy.parameters()):
            learner.step(part.progress)
        return sum(float(told["reward"]) for _, told in answers) / self._count

    def _random(self, part: UpdatePart) -> Tensor:
        seed = derive(self._seed, "part", part.update, *part.name)
        return torch.Generator().manual_seed(seed).get_state()

    def _ask(self, heads: list[bytes], weights: bytes) -> list[bytes]:
        """All workers at once: `restore` sends weights and part, `snapshot` asks for the gradient."""
        answers: dict[int, bytes] = {}
        for number, head in enumerate(heads):
            self._workers.send(number, "restore", blob=joined(head, weights))
        while len(answers) < len(heads):
            for message in self._workers.wait(1.0):
                if isinstance(message, Lost):
                    self._replace(message)
                elif message.error is not None:
                    raise message.error.exception()
                elif message.op == "snapshot":
                    answers[message.shard] = message.blob
                elif message.op == "restore":
                    self._workers.send(message.shard, "snapshot")
                else:
                    self._workers.send(message.shard, "restore", blob=joined(heads[message.shard], weights))
        return [answers[number] for number in range(len(heads))]

    def _replace(self, lost: Lost) -> None:
        """A new worker for the same part: workers hold no state of their own."""
        self._losses += 1
        if self._losses > MOST_LOSSES:
            count = f"{self._losses} workers were lost"
            raise WorkersGone(f"{count}, the last: {lost.cause}", "the course is kept: try again")
        self._workers.restart(lost.shard)


def joined(head: bytes, weights: bytes) -> bytes:
    """What a worker is sent: its part of the update, and the weights, which are packed once for all."""
    return len(head).to_bytes(8, "little") + head + weights


def parted(blob: bytes) -> tuple[bytes, bytes]:
    end = 8 + int.from_bytes(blob[:8], "little")
    return blob[8:end], blob[end:]


def pack(tensors: dict[str, Tensor], told: dict[str, Json]) -> bytes:
    whole = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    return save(whole, {"told": json.dumps(told)})


def unpack(blob: bytes) -> tuple[dict[str, Tensor], dict[str, Json]]:
    """Raises UntrodError for anything else. Nothing is unpickled."""
    try:
        size = int.from_bytes(blob[:8], "little")
        told = json.loads(json.loads(blob[8 : 8 + size])["__metadata__"]["told"])
        return load(blob), told
    except (SafetensorError, LookupError, TypeError, ValueError) as error:
        raise UntrodError(f"a worker answered with nonsense: {error}", "install the same untrod") from None


JOB = "untrod.engines.explore.data_parallel:GradientJob"
_NOWHERE = Path("training")
"""In the worker's scratch folder. Nothing is resumed from there, and nothing is written to it."""


class GradientJob:
    """One part of an update, inside a worker: weights in, gradient out. Built from {programs, plan}: a
    trainer of that plan, which never takes a step of its own."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._trainer = _trainer(spec)
        self._trainer.learner.gradient_only = True
        self._part: UpdatePart | None = None

    def restore(self, blob: bytes) -> Json:
        """Take over the weights, the random state and the part of the update."""
        head, packed = parted(blob)
        own, told = unpack(head)
        weights, _ = unpack(packed)
        learner = self._trainer.learner
        learner.generator.set_state(own[RANDOM])
        learner.policy.load_state_dict(weights)
        learner.optimiser.zero_grad()
        self._part = UpdatePart(**told)
        return {}

    def snapshot(self) -> bytes:
        """Play the part, and pack its gradient."""
        if self._part is None:
            raise UntrodError("a gradient job without weights", "send `restore` first")
        reward = self._trainer.learn(self._part)
        learner = self._trainer.learner
        named = learner.policy.named_parameters()
        tensors = {name: parameter.grad for name, parameter in named if parameter.grad is not None}
        return pack({**tensors, RANDOM: learner.generator.get_state()}, {"reward": reward})

    def run(self, batch: Batch) -> Json:
        raise UntrodError("a gradient job runs no episodes of a campaign")

    def replay(self, trace: Trace) -> Json:
        raise UntrodError("a gradient job has nothing to replay")

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        """There are none."""


def _trainer(spec: Json) -> WalkTrainer | ProgramTrainer:
    if spec["programs"]:
        from untrod.engines.explore.programs.trainer import ProgramPlan, ProgramTrainer

        return ProgramTrainer(ProgramPlan(**spec["plan"]), _NOWHERE)
    from untrod.engines.explore.walk_trainer import WalkPlan, WalkTrainer

    return WalkTrainer(WalkPlan(**spec["plan"]), _NOWHERE)
