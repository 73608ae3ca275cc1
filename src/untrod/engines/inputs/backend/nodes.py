"""The names of tests, as pytest gives them: `tests/test_cart.py::TestCart::test_total[1]`."""

from __future__ import annotations

from pathlib import Path

from untrod.core.reading import is_regular


def split_node(node: str, project: Path) -> tuple[str, str]:
    """The path, and what stands behind it with its colons. Folders may have colons in their names, too."""
    cut = node.find("::")
    while cut >= 0:
        if node[:cut].endswith(".py") and is_regular(project / node[:cut]):
            return node[:cut], node[cut:]
        cut = node.find("::", cut + 1)
    return node, ""
