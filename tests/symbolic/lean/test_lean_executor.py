"""The lean engine keeps the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import executor_conformance as conformance
import pytest

from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.shapes import Arguments


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_the_engine_keeps_the_protocol(check: Callable[[conformance.Make], None]) -> None:
    check(LeanExecutor)


def test_unknown_is_kept_apart() -> None:
    def starved(function: Callable[..., Any], arguments: Arguments) -> LeanExecutor:
        return LeanExecutor(function, arguments, rlimit=1)

    conformance.unknown_is_kept_apart(starved)
