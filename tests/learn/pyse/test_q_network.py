from __future__ import annotations

import hashlib
import json
import sys
from random import Random

import pytest

from untrod.core.errors import MissingExtra
from untrod.learn.pyse.branch_q import LONGEST_RUN, OWN, Sample
from untrod.learn.pyse.q_network import QNetwork

pytest.importorskip("torch")


def alternation(count: int, seed: int) -> list[Sample]:
    """The better side is the other one than last time; older steps do not matter."""
    rng = Random(seed)
    samples = []
    for _ in range(count):
        steps = [rng.randrange(4) for _ in range(6)]
        action = rng.random() < 0.5
        target = 0.0 if action != bool(steps[0] % 2) else -6.0
        samples.append(((0, 0, 0, 0, *steps), action, target, 1))
    return samples


def test_it_generalises_to_states_it_has_not_met() -> None:
    network = QNetwork(1, history=6)
    for seed in range(15):
        network.fit(alternation(500, seed))
    right = 0
    for key, *_ in alternation(200, 99):
        false, true = network.values(key)
        right += (true > false) != bool(key[OWN] % 2)
    assert right >= 195


def test_the_same_seed_gives_the_same_network() -> None:
    networks = [QNetwork(seed, history=6) for seed in (1, 1, 2)]
    for network in networks:
        network.fit(alternation(300, 7))
    one, same, other = (network.values((0, 1, 2, 3, 1, 2, 3)) for network in networks)
    assert one == same
    assert one != other


def test_it_goes_on_bit_for_bit_after_a_restart() -> None:
    network, twin = QNetwork(1, history=6), QNetwork(2, history=6)
    network.fit(alternation(300, 7))
    twin.load(json.loads(json.dumps(network.state())))
    for each in (network, twin):
        each.fit(alternation(300, 8))
    assert twin.state() == network.state()


def test_a_history_shorter_than_the_window_is_a_state_too() -> None:
    false, true = QNetwork(1, history=6).values((200, 0, 0, 0))
    assert false != true


def test_weights_travel() -> None:
    network, other = QNetwork(1, history=6), QNetwork(2, history=6)
    network.fit(alternation(300, 7))
    blob, manifest = network.transfer()
    other.adopt(blob, json.loads(json.dumps(manifest)))
    assert other.values((0, 1, 2, 3, 1)) == network.values((0, 1, 2, 3, 1))


def test_weights_that_do_not_fit_are_refused_and_change_nothing() -> None:
    network = QNetwork(1, history=6)
    before = network.state()
    blob, manifest = QNetwork(2, history=6).transfer()
    wide, wide_manifest = QNetwork(2, history=7).transfer()
    with pytest.raises(ValueError, match="not those that the manifest describes"):
        network.adopt(blob[:-1] + b"\0\0", manifest)
    with pytest.raises(ValueError, match="another shape"):
        network.adopt(wide, wide_manifest)
    with pytest.raises(ValueError, match="manifest"):
        network.adopt(blob, {"format": "something else"})
    with pytest.raises(ValueError, match="cannot be read"):
        network.adopt(b"no weights", manifest | {"sha256": hashlib.sha256(b"no weights").hexdigest()})
    assert network.state() == before


def test_what_was_never_met_adds_no_noise() -> None:
    network = QNetwork(1, history=6)
    values = {network.values((0, 2, 2, run, 77)) for run in (1, 32, 33, 500, LONGEST_RUN)}
    assert values == {network.values((0, 0, 0, 0))}


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"untrod\[neural\]"):
        QNetwork(1, history=6)
