"""The subjects by name, each in a module of its own that offers `SUBJECT` (or several, in `SUBJECTS`).

Modules are imported on demand: one that needs a missing package does not take the others with it.
"""

from __future__ import annotations

import importlib

from bench.inputs.subjects.base import Subject

LEARNABLE = (
    "bst",
    "bst-recursive",
    "sorted-list",
    "parens",
    "six-ints",
    "sql",
    "pom",
    "json",
    "lambda",
    "js",
)
CONTROLS = ("no-assume", "hash")
NAMES = LEARNABLE + CONTROLS

_HOMES = {
    "bst": "bst",
    "bst-recursive": "bst_recursive",
    "sorted-list": "sorted_list",
    "parens": "parens",
    "six-ints": "six_ints",
    "sql": "sql",
    "pom": "pom",
    "json": "documents",
    "lambda": "lambdas",
    "js": "javascript",
    "no-assume": "no_assume",
    "hash": "hashed",
}


def load(name: str) -> Subject:
    """Raises KeyError for an unknown name and ImportError when the subject needs a missing package."""
    subject: Subject = importlib.import_module(f"bench.inputs.subjects.{_HOMES[name]}").SUBJECT
    return subject
