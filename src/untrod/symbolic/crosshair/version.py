"""Is CrossHair there, and is it the version whose internals we know?"""

from __future__ import annotations

from importlib import metadata

from untrod.core.errors import MissingExtra, UntrodError

PACKAGE = "crosshair-tool"
KNOWN = (
    "0.0.112"  # as pinned in pyproject.toml; move both, then run tests/symbolic/test_crosshair_contract.py
)


def require() -> None:
    """Raises UntrodError when CrossHair is missing or of another version than the one that is driven here."""
    try:
        found = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        raise MissingExtra(PACKAGE, "symbolic") from None
    if found != KNOWN:
        raise UntrodError(
            f"{PACKAGE} {found} is installed, but only {KNOWN} is known to work",
            "run: pip install 'untrod[symbolic]'",
        )
