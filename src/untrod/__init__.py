"""untrod learns how to explore software and hands over what it finds as tests."""

from untrod.core.validity import assume

__version__ = "0.1.0"
__all__ = ["__version__", "assume"]
