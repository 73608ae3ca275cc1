"""untrod learns how to explore software and hands over what it finds as tests."""

__version__ = "0.1.0"
