"""A check that what a neural verb needs is installed, before it imports anything that needs it."""

from __future__ import annotations

from importlib.util import find_spec

from untrod.core.errors import MissingExtra

NEEDS = ("torch", "safetensors", "numpy")


def require(*packages: str) -> None:
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtra(package, "neural")
