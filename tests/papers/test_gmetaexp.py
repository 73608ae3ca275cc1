"""GMetaExp (Dai, Li, Wang, Singh, Huang, Kohli, NeurIPS 2019): its equations on graphs small enough for paper
and pencil, what an observation is in its two settings, and the numbers of its set-ups.

Shipped weights against the paper's tables: `python -m bench explore`.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, tanh
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from untrod.engines.explore.programs.batches import ProgramTrial  # noqa: E402
from untrod.engines.explore.programs.karel.grids import CELLS, Grid  # noqa: E402
from untrod.engines.explore.programs.karel.parsing import parse  # noqa: E402
from untrod.engines.explore.programs.karel.world import KarelWorld  # noqa: E402
from untrod.engines.explore.vector_env import VectorEnv  # noqa: E402
from untrod.engines.explore.worlds.graph import Graph  # noqa: E402
from untrod.engines.explore.worlds.tasks import task  # noqa: E402
from untrod.learn.gmetaexp.actor_critic import ActorCritic, Settings  # noqa: E402
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Shape  # noqa: E402
from untrod.learn.gmetaexp.links import Links  # noqa: E402
from untrod.learn.gmetaexp.scenes import Scene  # noqa: E402

# Three nodes in a row, 0 -> 1 -> 2. Node 0 is visited and the walker stands on it; 1 was seen from there.
ROW = Scene(
    graphs=1,
    features=np.array([[1.0, 0.5], [0.0, -0.3], [0.0, 0.2]], np.float32),
    graph_of=np.zeros(3, np.int64),
    sources=np.array([0, 1]),
    targets=np.array([1, 2]),
    here=np.array([0]),
    options=np.array([1]),
    costs=np.ones(1, np.float32),
    alive=np.array([True]),
)

HIDDEN = 8


def policy(rounds: int = 1, hidden: int = HIDDEN, **shape: object) -> GraphPolicy:
    return GraphPolicy(Shape(2, hidden=hidden, rounds=rounds, **shape), 1)  # type: ignore[arg-type]


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def layer(made: GraphPolicy, name: str, row: np.ndarray, part: str = "") -> np.ndarray:
    weights = made.state_dict()
    return weights[f"{name}.weight{part}"].numpy() @ row + weights[f"{name}.bias{part}"].numpy()


def gru(made: GraphPolicy, message: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Equation 6, as Li et al. (2016) define it, number by number."""
    of_message, of_node = layer(made, "gate", message, "_ih"), layer(made, "gate", node, "_hh")
    hidden = len(node)
    found = []
    for at in range(hidden):
        reset = sigmoid(of_message[at] + of_node[at])
        keep = sigmoid(of_message[hidden + at] + of_node[hidden + at])
        new = tanh(of_message[2 * hidden + at] + reset * of_node[2 * hidden + at])
        found.append((1 - keep) * new + keep * node[at])
    return np.array(found)


# -- the graph network (section 3, appendix B.1) ----------------------------------------------------------


def test_a_message_of_equation_5_is_the_sum_of_what_the_neighbours_send_by_hand() -> None:
    """Along a link a node sends itself, against it nothing. Weights that can be followed in the head: what
    enters is kept, and the gate is open, so that a node becomes the tanh of its message."""
    made, big = policy(hidden=2), 50.0
    with torch.no_grad():
        for each in made.parameters():
            each.zero_()
        made.enter.weight.copy_(torch.eye(2))
        made.along.weight.copy_(torch.eye(2))
        made.gate.weight_ih[4:].copy_(torch.eye(2))  # new = tanh(message)
        made.gate.bias_ih[2:4] = -big  # keep nothing of the node
        nodes = made._embed(ROW, torch.from_numpy(ROW.features)).numpy()
    first = np.tanh(ROW.features)  # mu(0), with the coverage bit in the first column
    assert nodes[0] == pytest.approx([0, 0], abs=1e-6)  # nothing leads there
    assert nodes[1] == pytest.approx([tanh(first[0][0]), tanh(first[0][1])], abs=1e-6)
    assert nodes[2] == pytest.approx([tanh(first[1][0]), 0], abs=1e-6)  # relu: a negative message is none


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_equations_4_to_6_message_passing_and_gru_by_hand(rounds: int) -> None:
    """`rounds` is the paper's L: after two of them node 0 has heard of node 2."""
    made = policy(rounds)
    nodes = [np.tanh(layer(made, "enter", row)) for row in ROW.features]
    for _ in range(rounds):
        sent = [[np.maximum(layer(made, way, node), 0) for node in nodes] for way in ("along", "against")]
        messages = [np.zeros(HIDDEN) for _ in nodes]
        for source, target in zip(ROW.sources, ROW.targets, strict=True):
            messages[target] = messages[target] + sent[0][source]
            messages[source] = messages[source] + sent[1][target]
        nodes = [gru(made, message, node) for message, node in zip(messages, nodes, strict=True)]
    nodes = [
        node + np.maximum(layer(made, "skip", row), 0)  # ours: the plain features are not lost on the way
        for node, row in zip(nodes, ROW.features, strict=True)
    ]
    with torch.no_grad():
        found = made._embed(ROW, torch.from_numpy(ROW.features)).numpy()
    assert found == pytest.approx(np.array(nodes), abs=1e-5)


@pytest.mark.parametrize(("rounds", "heard"), [(1, False), (2, True)])
def test_the_receptive_field_is_so_many_hops_wide(rounds: int, heard: bool) -> None:
    made = policy(rounds)
    other = replace(ROW, features=ROW.features + np.float32([[0, 0], [0, 0], [0, 1]]))
    with torch.no_grad():
        one, two = (made._embed(each, torch.from_numpy(each.features))[0].numpy() for each in (ROW, other))
    assert (np.abs(one - two).max() > 1e-6) == heard


def test_equations_7_and_8_the_read_out_is_the_mean_of_the_nodes_by_attention() -> None:
    made = policy()
    nodes = np.array([[0.1, -0.4], [0.9, 0.3], [-0.2, 0.6]], np.float32).repeat(HIDDEN // 2, 1)
    scores = [exp(layer(made, "attend", node)[0]) for node in nodes]
    expected = sum(
        score / sum(scores) * layer(made, "read", node) for score, node in zip(scores, nodes, strict=True)
    )
    with torch.no_grad():
        found = made._read(torch.from_numpy(nodes), torch.zeros(3, dtype=torch.long), 1)[0].numpy()
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_history_is_an_lstm_over_what_was_done_and_what_it_showed() -> None:
    """F_t = LSTM(F_{t-1}, [g_x(x), g(G, c)]), which begins with nothing; x is told by the node it led to."""
    made = policy()
    with torch.no_grad():
        nodes = made._embed(ROW, torch.from_numpy(ROW.features))
        pair = torch.cat([made._read(nodes, torch.zeros(3, dtype=torch.long), 1), nodes[:1]], 1)
        first = made.remember(pair, made.begin(1))
        second = made.remember(pair, first)
        _, _, state = made(ROW, made.begin(1))
        assert torch.allclose(state[0], first[0], atol=1e-6)
        _, _, state = made(ROW, state)
        assert torch.allclose(state[0], second[0], atol=1e-6)
    assert all(not each.any() for each in made.begin(1))


def test_the_coverage_bit_is_seen_by_the_graph_memory_and_by_no_other_way_to_look_at_a_node() -> None:
    covered = replace(ROW, features=ROW.features + np.float32([[0, 0], [0, 0], [1, 0]]))
    for memory, sees in (("graph", True), ("node", False)):
        made = policy(rounds=2, memory=memory)
        with torch.no_grad():
            one, two = (made(each, made.begin(1))[1].item() for each in (ROW, covered))
        assert (abs(one - two) > 1e-6) == sees


# -- the observation and the reward (section 2) -----------------------------------------------------------

CROSS = Graph(((1, 2, 3), (0,), (0, 4), (0,), (2,)), 0, 5)


def test_setting_1_the_graph_grows_as_it_is_visited_and_the_mask_with_it() -> None:
    """What is seen from a visited node is shown with the bit 0, as the 1-hop vision of section 4.1 has it."""
    env = VectorEnv([CROSS], 4, "steps")
    assert list(env.scene().features[:, 0]) == [1, 0, 0, 0]  # the start, and its three neighbours
    env.go(np.array([2]))
    assert list(env.scene().features[:, 0]) == [1, 0, 1, 0, 0]  # node 4 has appeared


def test_equation_2_the_reward_is_the_newly_covered_share_of_the_graph_and_adds_up_to_equation_1() -> None:
    env = VectorEnv([CROSS], 5, "steps")
    paid = [float(env.go(np.array([node]))[0]) for node in (2, 4, 2, 0, 1)]
    assert paid == pytest.approx([1 / 5, 1 / 5, 0, 0, 1 / 5])  # a node pays once
    assert float(env.coverage[0]) == pytest.approx(1 / 5 + sum(paid))  # the start was there before step 1


PROGRAM = "def run() { while (frontIsClear()) { move(); } if (markersPresent()) { pickMarker(); } }"


def test_setting_2_the_graph_of_a_program_stays_and_an_action_is_a_whole_input() -> None:
    world = KarelWorld(parse(PROGRAM))
    goals = world.counted.bit_count()
    trial = ProgramTrial([world], 2)
    nodes = len(trial.states().marks)
    assert not trial.states().marks[:, 1].any()  # c_0 is 0 everywhere
    row = world.inputs.encode(Grid(bytes(CELLS), 0, 1))
    (gained,) = trial.act(np.array([[row]], np.int64))[0]
    reached = (world.run(Grid(bytes(CELLS), 0, 1)) & world.counted).bit_count()
    assert gained == pytest.approx(reached / goals)
    after = trial.states()
    assert len(after.marks) == nodes  # G is constant, the mask is not
    assert after.marks[:, 1].sum() == reached
    assert trial.act(np.array([[row]], np.int64))[0] == pytest.approx([0])  # tried before: nothing new
    assert float(trial.coverage[0]) == pytest.approx(reached / goals)


# -- learning (section 3, "Learning") ---------------------------------------------------------------------


def learner(**settings: float) -> ActorCritic:
    return ActorCritic(policy(), 1, Settings(**settings))


def test_the_advantage_is_what_came_less_what_the_critic_expected() -> None:
    """With lambda = 1, A_t = r_t + r_{t+1} + ... - V_t: the n-step advantage of A2C over a whole episode."""
    rewards, values = [0.2, 0.0, 0.4], [0.5, 0.3, 0.1]
    column = [torch.tensor([[each] for each in row]) for row in (values, rewards)]
    _, returns = learner(trace=1.0)._advantages(*column, torch.ones(3, 1))
    assert returns[:, 0].tolist() == pytest.approx([0.6, 0.4, 0.4])
    assert (returns[:, 0] - column[0][:, 0]).tolist() == pytest.approx([0.1, 0.1, 0.3])


def test_with_lambda_0_the_advantage_is_the_error_of_one_step() -> None:
    rewards, values = [0.2, 0.0, 0.4], [0.5, 0.3, 0.1]
    column = [torch.tensor([[each] for each in row]) for row in (values, rewards)]
    _, returns = learner(trace=0.0)._advantages(*column, torch.ones(3, 1))
    delta = [0.2 + 0.3 - 0.5, 0.0 + 0.1 - 0.3, 0.4 - 0.1]
    assert (returns[:, 0] - column[0][:, 0]).tolist() == pytest.approx(delta, abs=1e-6)


# -- features of plain graphs (appendix B.6) --------------------------------------------------------------


def features_by_links(rounds: int = 2) -> Links:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        return Links(HIDDEN, rounds)


def test_equation_9_the_loss_is_the_squared_error_of_the_adjacency_taken_apart() -> None:
    links = features_by_links()
    with torch.no_grad():
        nodes, bond = links(ROW).numpy(), links.bond.numpy()
        loss = float(links.loss(ROW))
    adjacency = np.zeros((3, 3))
    adjacency[ROW.sources, ROW.targets] = 1
    error = sum((adjacency[i, j] - nodes[i] @ bond @ nodes[j]) ** 2 for i in range(3) for j in range(3))
    assert loss == pytest.approx(error / 9, abs=1e-6)


def test_equation_10_every_node_begins_alike_and_its_links_tell_it_apart() -> None:
    none, one = features_by_links(0), features_by_links(1)
    with torch.no_grad():
        assert (none(ROW) == none(ROW)[0]).all()
        first, middle, last = one(ROW).numpy()
    assert np.abs(first - middle).max() > 1e-6
    assert np.abs(middle - last).max() > 1e-6


# -- the set-ups (section 4) ------------------------------------------------------------------------------


def test_mazes_are_six_by_six_with_36_steps_and_apps_have_15_to_20_screens_with_15_steps() -> None:
    maze, app = task("maze"), task("app")
    assert (maze.steps, app.steps) == (36, 15)
    assert {maze.world(1, "held-out", number).nodes for number in range(10)} == {36}
    sizes = [app.world(1, "held-out", number).nodes for number in range(100)]
    assert (min(sizes), max(sizes)) == (15, 20)


def test_two_of_the_screens_of_an_app_are_linked_with_probability_a_tenth() -> None:
    """Before the pieces are joined, which the paper does not mention: afterwards they are a little more."""
    rng, linked, pairs = Random(1), 0, 0
    for _ in range(300):
        graph = task("app").make(rng)
        linked += sum(map(len, graph.links))
        pairs += graph.nodes * (graph.nodes - 1)
    assert 0.10 < linked / pairs < 0.15


def test_at_each_step_there_are_at_most_four_actions_in_a_maze() -> None:
    for number in range(10):
        assert max(map(len, task("maze").world(2, "train", number).links)) <= 4
