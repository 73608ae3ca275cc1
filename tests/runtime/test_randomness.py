"""Each script runs in a process of its own: `install` changes the module `random` for good."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAD = "import random\nfrom untrod.runtime import randomness\nrandomness.install()\n"


def run(body: str) -> None:
    done = subprocess.run([sys.executable, "-c", HEAD + body], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_episode_sees_what_its_seed_promises():
    run("""
plain = random.Random(7)
expected = [plain.random(), plain.randint(0, 99), plain.choice("abc")]
for _ in range(2):
    randomness.reseed(7)
    assert [random.random(), random.randint(0, 99), random.choice("abc")] == expected
""")


def test_functions_imported_by_name_are_seeded_too():
    run("""
from random import getrandbits
randomness.reseed(7)
assert getrandbits(32) == random.Random(7).getrandbits(32)
""")


def test_a_seed_that_nobody_draws_from_is_not_paid_for():
    run("""
random.seed(1)
state = random.getstate()
randomness.reseed(7)
assert vars(random)["_inst"].getstate() == state
""")


@pytest.mark.parametrize(
    "spoil",
    [
        "random.seed(0)",
        "random.setstate(random.Random(3).getstate())",
        "random.random = lambda: 4",
        "del random.random",
        "random.random = None; random.Random.random = None",
    ],
)
def test_what_one_episode_does_to_random_the_next_does_not_see(spoil):
    run(f"""
randomness.reseed(1)
{spoil}
randomness.reseed(7)
assert random.random() == random.Random(7).random()
""")


def test_installing_twice_is_installing_once():
    run("""
function = random.random
randomness.install()
assert random.random is function
""")


def test_numpy_is_seeded_when_the_target_uses_it():
    run("""
import numpy.random as n
expected = n.RandomState(7).rand(3).tolist()
for spoil in (lambda: None, lambda: n.rand(), lambda: n.seed(1), lambda: n.rand(312), lambda: n.normal()):
    randomness.reseed(7)
    assert n.rand(3).tolist() == expected
    randomness.reseed(7)
    spoil()
randomness.reseed(8)
assert n.rand(3).tolist() == n.RandomState(8).rand(3).tolist()
n.set_bit_generator(n.PCG64(1))
randomness.reseed(7)
assert n.rand(3).tolist() == expected
""")
