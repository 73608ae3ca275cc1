"""The network for programs: what its encoders can see, and that its decoders are distributions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from untrod.learn.gmetaexp.programs.decoders import (  # noqa: E402
    GridDecoder,
    TextDecoder,
    _views,
)
from untrod.learn.gmetaexp.programs.encoders import EncoderName, Encoding  # noqa: E402
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy, Shape  # noqa: E402
from untrod.learn.gmetaexp.programs.states import States  # noqa: E402

SHAPE = Shape(words=6, symbols=3, kinds=2, hidden=8, rounds=2)


def states(words: list[list[int]], covered: float = 0.0) -> States:
    """Programs whose nodes have a word each, and hang in a row."""
    sizes = [len(program) for program in words]
    offsets = np.cumsum(sizes) - sizes
    forward = [
        (offset + at, offset + at + 1)
        for offset, size in zip(offsets, sizes, strict=True)
        for at in range(size - 1)
    ]
    edges = np.array([*forward, *((to, source) for source, to in forward)], np.int64).reshape(-1, 2)
    nodes = sum(sizes)
    return States(
        count=len(words),
        words=np.array([[word, 0] for program in words for word in program], np.int64),
        marks=np.tile(np.array([1, covered, covered], np.float32), (nodes, 1)),
        state_of=np.repeat(np.arange(len(words)), sizes),
        place=np.concatenate([np.arange(size) for size in sizes]),
        sources=np.ascontiguousarray(edges[:, 0]),
        targets=np.ascontiguousarray(edges[:, 1]),
        kinds=(len(forward), len(forward)),
        echo=np.full((len(words), 3), covered, np.float32),
        episode=np.arange(len(words)),
        moment=np.zeros(len(words), np.int64),
    )


def whole(name: EncoderName, given: States) -> torch.Tensor:
    return ProgramPolicy(replace(SHAPE, encoder=name), 1).encode(given).whole.detach()


@pytest.mark.parametrize("name", get_args(EncoderName))
def test_a_program_looks_the_same_in_any_company(name: EncoderName) -> None:
    alone, together = whole(name, states([[1, 2, 3]])), whole(name, states([[4, 5, 1, 2, 3], [1, 2, 3]]))
    assert torch.allclose(alone[0], together[1], atol=1e-6)


def told_apart(name: EncoderName, one: States, other: States) -> bool:
    return not torch.allclose(whole(name, one), whole(name, other), atol=1e-6)


def test_what_encoders_can_tell_apart_grows_from_one_to_the_next() -> None:
    plain = states([[1, 2, 3]])
    covered, words, order = states([[1, 2, 3]], 0.5), states([[1, 2, 4]]), states([[1, 3, 2]])
    seen = {
        name: (
            told_apart(name, plain, covered),
            told_apart(name, plain, words),
            told_apart(name, plain, order),
        )
        for name in get_args(EncoderName)
    }
    assert seen == {
        "uncond": (False, False, False),
        "envcond": (True, False, False),
        "bow": (True, True, False),
        "bilstm": (True, True, True),
        "gnn": (True, True, True),
    }


def test_without_runtime_what_is_covered_stays_hidden() -> None:
    policy = ProgramPolicy(replace(SHAPE, runtime=False), 1)
    before, after = policy.encode(states([[1, 2]])).whole, policy.encode(states([[1, 2]], 1.0)).whole
    assert torch.equal(before, after)


def test_history_remembers_what_was_tried_and_no_history_does_not() -> None:
    given = states([[1, 2], [1, 2]])
    tried = np.array([[[1, 1], [0, 0]], [[2, 0], [0, 0]]], np.int64)
    given = replace(given, moment=np.array([1, 1]))
    for history in (True, False):
        policy = ProgramPolicy(replace(SHAPE, history=history), 1)
        pasts = policy.pasts(given, policy.encode(given), tried)
        assert torch.allclose(pasts[0], pasts[1]) is not history


def encoding(rows: int, hidden: int) -> Encoding:
    generator = torch.Generator().manual_seed(0)
    nodes = torch.randn(1, 3, hidden, generator=generator).expand(rows, -1, -1)
    return Encoding(nodes, torch.tensor([[False, False, True]]).expand(rows, -1), nodes[:, 0])


def test_the_chances_of_all_texts_add_up_to_one() -> None:
    texts = sorted({row if row[0] else (0, 0) for row in product(range(3), repeat=2)})
    decoder, rows = TextDecoder(3, 8), torch.tensor(texts)
    likely, _ = decoder.score(torch.zeros(len(rows), 8), encoding(len(rows), 8), rows)
    assert float(likely.exp().sum()) == pytest.approx(1.0, abs=1e-5)


def test_the_chances_of_all_boards_add_up_to_one() -> None:
    boards = [(hero, facing, *cells) for hero, facing, *cells in product(range(4), range(4), *[range(2)] * 4)]
    decoder, rows = GridDecoder(2, 2, 8), torch.tensor(boards)
    likely, _ = decoder.score(torch.zeros(len(rows), 8), encoding(len(rows), 8), rows)
    assert float(likely.exp().sum()) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("decoder", [TextDecoder(4, 8), GridDecoder(3, 4, 8)])
def test_cold_rows_are_the_same_each_time_and_warm_ones_are_drawn(
    decoder: TextDecoder | GridDecoder,
) -> None:
    generator = torch.Generator().manual_seed(3)
    past, seen = torch.zeros(20, 8), encoding(20, 8)
    cold = decoder.write(past, seen, torch.zeros(20), generator, 11)
    warm = decoder.write(past, seen, torch.ones(20), generator, 11)
    assert cold.shape == warm.shape == (20, 11)
    assert len(torch.unique(cold, dim=0)) == 1
    assert len(torch.unique(warm, dim=0)) > 5


def test_nothing_comes_behind_the_end_of_a_text() -> None:
    rows = TextDecoder(4, 8).write(
        torch.zeros(50, 8), encoding(50, 8), torch.ones(50), torch.Generator().manual_seed(0), 12
    )
    ended = (rows == 0).cummax(1).values
    assert bool((rows[ended] == 0).all())
    assert bool(ended.any())


def test_the_cell_ahead_is_ahead_whichever_way_the_hero_looks() -> None:
    views = _views(8)
    hero = 3 * 8 + 4
    ahead = {int(views[hero, facing, hero + step]) for facing, step in enumerate((-8, 1, 8, -1))}
    right = {int(views[hero, facing, hero + step]) for facing, step in enumerate((1, 8, -1, -8))}
    assert len(ahead) == len(right) == 1
    assert ahead != right
