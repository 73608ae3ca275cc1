from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
for folder in (ROOT, ROOT / "tests" / "faults"):  # bench.scale.nodes; hostile
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from bench.scale.nodes import Nodes  # noqa: E402


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Two Ray nodes on this machine. Afterwards none of their processes or files is left."""
    pytest.importorskip("ray")
    with Nodes(2) as started:
        yield started
    assert started.left() == []


@pytest.fixture
def on_nodes(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> Nodes:
    for name, value in nodes.environment.items():
        monkeypatch.setenv(name, value)
    return nodes
