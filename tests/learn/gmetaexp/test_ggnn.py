"""The graph network: what its choices depend on, and what they do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape  # noqa: E402
from untrod.learn.gmetaexp.scenes import Scene  # noqa: E402

FEATURES = 3


def scene(
    features: list[list[float]],
    edges: list[tuple[int, int]],
    here: int,
    options: list[int],
    costs: list[float],
) -> Scene:
    sources, targets = (np.array(side, np.int64) for side in zip(*edges, strict=True))
    return Scene(
        graphs=1,
        features=np.array(features, np.float32),
        graph_of=np.zeros(len(features), np.int64),
        sources=sources,
        targets=targets,
        here=np.array([here]),
        options=np.array(options),
        costs=np.array(costs, np.float32),
        alive=np.array([True]),
    )


def joined(one: Scene, other: Scene) -> Scene:
    shift = len(one.features)
    return Scene(
        graphs=2,
        features=np.concatenate([one.features, other.features]),
        graph_of=np.concatenate([one.graph_of, other.graph_of + 1]),
        sources=np.concatenate([one.sources, other.sources + shift]),
        targets=np.concatenate([one.targets, other.targets + shift]),
        here=np.concatenate([one.here, other.here + shift]),
        options=np.concatenate([one.options, other.options + shift]),
        costs=np.concatenate([one.costs, other.costs]),
        alive=np.concatenate([one.alive, other.alive]),
    )


STAR = scene(
    [[1, 0.1, 0], [0, 0.5, 1], [0, 0.2, 1], [0, 0.9, 1]], [(0, 1), (0, 2), (0, 3)], 0, [1, 2, 3], [1, 1, 1]
)
CHAIN = scene([[1, 0, 0], [1, 0.3, 0], [0, 0.7, 1]], [(0, 1), (1, 0), (1, 2)], 0, [2], [2])


def policy(**shape: object) -> GraphPolicy:
    """With a pointer that points: an untrained one leaves all to the prior."""
    made = GraphPolicy(Shape(FEATURES, hidden=8, **shape), 1)  # type: ignore[arg-type]
    torch.nn.init.normal_(made.point[2].weight, generator=torch.Generator().manual_seed(2))
    return made


def chances(made: GraphPolicy, seen: Scene) -> np.ndarray:
    with torch.no_grad():
        return made(seen, made.begin(seen.graphs))[0].numpy()


def test_each_graph_has_chances_of_its_own_that_add_up_to_one() -> None:
    table = np.exp(chances(policy(), joined(STAR, CHAIN)))
    assert table.shape == (2, 3)
    assert table.sum(1) == pytest.approx([1, 1])
    assert list(table[1]) == [1, 0, 0]


def test_a_graph_in_a_batch_is_as_it_is_alone() -> None:
    made = policy()
    both = chances(made, joined(STAR, CHAIN))
    assert both[0] == pytest.approx(chances(made, STAR)[0], abs=1e-5)
    _, alone, _ = made(STAR, made.begin(1))
    _, values, _ = made(joined(CHAIN, STAR), made.begin(2))
    assert values[1].item() == pytest.approx(alone[0].item(), abs=1e-5)


def test_numbers_of_nodes_mean_nothing() -> None:
    order = [2, 0, 3, 1]  # old node -> new node
    back = np.argsort(order)
    other = replace(
        STAR,
        features=STAR.features[back],
        sources=np.array(order)[STAR.sources],
        targets=np.array(order)[STAR.targets],
        here=np.array(order)[STAR.here],
        options=np.array(order)[STAR.options],
    )
    made = policy()
    assert chances(made, other) == pytest.approx(chances(made, STAR), abs=1e-5)


def test_untrained_it_prefers_what_is_near_and_nothing_else() -> None:
    table = chances(GraphPolicy(Shape(FEATURES), 0), replace(STAR, costs=np.array([2, 1, 2], np.float32)))
    assert table[0].argmax() == 1
    assert table[0][0] == pytest.approx(table[0][2], abs=1e-6)


def test_the_direction_of_a_link_matters() -> None:
    made = policy()
    turned = replace(STAR, sources=STAR.targets, targets=STAR.sources)
    assert chances(made, turned) != pytest.approx(chances(made, STAR), abs=1e-4)


CUT = replace(STAR, sources=STAR.sources[:1], targets=STAR.targets[:1])
VISITED = replace(STAR, features=STAR.features + np.float32([[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]))


@pytest.mark.parametrize(
    ("memory", "sees_links", "sees_coverage"),
    [("node", False, False), ("pool", False, True), ("graph", True, True)],
)
def test_an_ablation_sees_what_it_may(memory: str, sees_links: bool, sees_coverage: bool) -> None:
    made = policy(memory=memory)

    def same(other: Scene) -> bool:
        pairs = zip(made(STAR, made.begin(1))[:2], made(other, made.begin(1))[:2], strict=True)
        return all(torch.allclose(one, two, atol=1e-6) for one, two in pairs)

    assert same(CUT) != sees_links
    assert same(VISITED) != sees_coverage


@pytest.mark.parametrize("history", [True, False])
def test_history_is_what_the_second_look_remembers_of_the_first(history: bool) -> None:
    made = policy(history=history)
    _, _, after = made(CHAIN, made.begin(1))
    fresh, again = made(STAR, made.begin(1))[0], made(STAR, after)[0]
    assert torch.allclose(fresh, again, atol=1e-6) != history


def test_every_weight_has_a_part_in_what_is_learned() -> None:
    for history in (True, False):
        made = policy(history=history)
        seen = replace(joined(STAR, STAR), costs=np.array([1, 2, 3, 1, 2, 3], np.float32))
        table, values, state = made(seen, made.begin(2))
        table, more, _ = made(seen, state)
        (table[:, 0].sum() + values.sum() + more.sum()).backward()
        idle = {
            name for name, each in made.named_parameters() if each.grad is None or not each.grad.abs().sum()
        }
        unused = (
            {"forget.weight", "forget.bias"}
            if history
            else {n for n, _ in made.named_parameters() if "remember" in n}
        )
        assert (
            idle - {"attend.bias", "point.2.bias"} == unused
        )  # a softmax does not notice what all scores share


def test_the_seed_decides_the_weights_and_leaves_the_global_randomness_alone() -> None:
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    one, other = (GraphPolicy(Shape(FEATURES), 3).state_dict() for _ in range(2))
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert torch.equal(before, torch.random.get_rng_state())
