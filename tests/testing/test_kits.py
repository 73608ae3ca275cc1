"""The kits for third parties tell who breaks a promise. Ours are put through them in their own tests."""

from __future__ import annotations

import subprocess
import sys

import pytest

from untrod.learn.uniform import Uniform
from untrod.testing import check_policy


class Stubborn(Uniform):
    """Always the first option."""

    def decide(self, choice):
        return 0


class Forgetful(Uniform):
    """Takes any state, and none of it."""

    def load(self, state):
        pass


def complaint(make, **options) -> str:
    with pytest.raises(AssertionError) as raised:
        check_policy(make, **options)
    return str(raised.value)


def test_plain_chance_keeps_what_need_not_learn():
    assert check_policy(Uniform, learns=False) == ("NeedsContext",)
    assert "plain chance has 50" in complaint(Uniform)


def test_an_option_that_dies_out():
    assert "an option was tried 0 times" in complaint(Stubborn, learns=False)


def test_a_state_that_is_not_taken_up():
    assert "does not continue where the other one was" in complaint(Forgetful, learns=False)


def test_each_kit_loads_what_it_needs_and_no_more():
    code = "import sys; from untrod.testing import check_driver; print('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
