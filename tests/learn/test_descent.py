"""What all learners of weights share."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")

from torch.utils._triton import has_triton_package  # noqa: E402

from untrod.learn.descent import hide_foreign_triton  # noqa: E402


def test_a_library_that_is_also_called_triton_is_not_taken_for_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    foreign = ModuleType("triton")
    monkeypatch.setitem(sys.modules, "triton", foreign)
    has_triton_package.cache_clear()
    try:
        hide_foreign_triton()
        assert not has_triton_package()
        assert sys.modules["triton"] is foreign  # whoever uses it keeps it
    finally:
        has_triton_package.cache_clear()
