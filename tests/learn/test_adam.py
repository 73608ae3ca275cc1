"""Adam moves by the paper's equations, as torch's own does, and does not load torch's compiler."""

from __future__ import annotations

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch", reason="needs the extra neural")

from untrod.learn.adam import Adam  # noqa: E402


def network() -> torch.nn.Module:
    torch.manual_seed(7)
    return torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1))


def test_it_moves_by_the_equations_of_the_paper():
    ours, theirs = network(), network()
    mine = Adam(ours.parameters(), 0.01)
    # torch's optimiser loads its compiler, which a package called triton can break: so only its equations.
    reference = {p: (torch.zeros_like(p), torch.zeros_like(p)) for p in theirs.parameters()}
    inputs = torch.randn(20, 8, 3)
    for time, batch in enumerate(inputs, start=1):
        for model in (ours, theirs):
            model.zero_grad()
            model(batch).square().mean().backward()
        mine.step()
        with torch.no_grad():
            for p, (m, v) in reference.items():
                m.copy_(0.9 * m + 0.1 * p.grad)
                v.copy_(0.999 * v + 0.001 * p.grad**2)
                p -= 0.01 * (m / (1 - 0.9**time)) / ((v / (1 - 0.999**time)).sqrt() + 1e-8)
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(p, q, rtol=1e-5, atol=1e-7)


def test_what_it_remembers_goes_on_in_another():
    one, other = network(), network()
    first = Adam(one.parameters(), 0.01)
    batch = torch.randn(8, 3)

    def move(model: torch.nn.Module, optimiser: Adam) -> None:
        optimiser.zero_grad()
        model(batch).square().mean().backward()
        optimiser.step()

    move(one, first)
    other.load_state_dict(one.state_dict())
    second = Adam(other.parameters(), 0.01)
    for p, q in zip(one.parameters(), other.parameters(), strict=True):
        second.state[q] = {name: value.clone() for name, value in first.state[p].items()}
    move(one, first)
    move(other, second)
    for p, q in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(p, q)


def test_a_parameter_without_gradient_stays():
    parameter = torch.nn.Parameter(torch.ones(2))
    optimiser = Adam([parameter], 0.1)
    optimiser.step()
    assert torch.equal(parameter, torch.ones(2))
    assert not optimiser.state


def test_training_does_not_load_torchs_compiler():
    code = (
        "import sys, torch\n"
        "from untrod.learn.gmetaexp.gradient_learner import GradientLearner\n"
        "from types import SimpleNamespace\n"
        "learner = GradientLearner(torch.nn.Linear(2, 1), 1, SimpleNamespace(rate=0.1, clip=1.0))\n"
        "learner.descend(learner.policy(torch.ones(3, 2)).sum(), 0.0)\n"
        "sys.exit('torch._dynamo' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
