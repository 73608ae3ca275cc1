"""The network in NumPy gives what the network in torch gives."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from untrod.learn.gmetaexp import inference  # noqa: E402
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape  # noqa: E402
from untrod.learn.gmetaexp.inference import NumpyPolicy, decider  # noqa: E402
from untrod.learn.gmetaexp.scenes import Scene  # noqa: E402


def scenes(count: int) -> list[Scene]:
    """Graphs that grow, as those of a walk do."""
    rng, found = np.random.default_rng(1), []
    for nodes in range(5, 5 + count):
        sources, targets = rng.integers(0, nodes, (2, 2 * nodes))
        found.append(
            Scene(
                graphs=1,
                features=rng.random((nodes, 4), np.float32),
                graph_of=np.zeros(nodes, np.int64),
                sources=sources,
                targets=targets,
                here=rng.integers(0, nodes, 1),
                options=rng.choice(nodes, 3, replace=False),
                costs=rng.integers(1, 5, 3).astype(np.float32),
                alive=np.array([True]),
                names=rng.permutation(20)[:nodes],
            )
        )
    return found


def policy(**shape: object) -> GraphPolicy:
    made = GraphPolicy(Shape(4, hidden=8, **shape), 3)  # type: ignore[arg-type]
    torch.nn.init.normal_(made.point[2].weight, generator=torch.Generator().manual_seed(1))
    return made


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("most_dense", [600, 0])
@pytest.mark.parametrize("settled", [True, False])
def test_the_same_chances_all_along_a_walk(
    history: bool, most_dense: int, settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "MOST_DENSE", most_dense)
    slow = policy(history=history)
    if settled:
        slow.settle(20)
        torch.nn.init.normal_(slow.habits, generator=torch.Generator().manual_seed(2))
    numpy_policy = NumpyPolicy(slow)
    state, swift_state = slow.begin(1), numpy_policy.begin()
    for scene in scenes(6):
        with torch.no_grad():
            chances, _, state = slow(scene, state)
        scores, swift_state = numpy_policy.scores(scene, swift_state)
        assert scores - np.log(np.exp(scores).sum()) == pytest.approx(chances[0].numpy(), abs=1e-4)


@pytest.mark.parametrize("memory", ["graph", "pool", "node"])
def test_one_by_one_decides_as_the_network_does_and_forgets_at_the_beginning(memory: str) -> None:
    slow = policy(memory=memory)
    decide, walk = decider(slow), scenes(6)
    first = [decide(scene) for scene in walk]
    state, expected = slow.begin(1), []
    for scene in walk:
        with torch.no_grad():
            chances, _, state = slow(scene, state)
        expected.append(int(chances[0].argmax()))
    assert first == expected
    decide.begin()
    assert [decide(scene) for scene in walk] == first


def test_ablations_are_refused() -> None:
    with pytest.raises(ValueError, match="whole graph"):
        NumpyPolicy(policy(memory="pool"))
