"""Texts that a cleaning function does not leave alone the second time."""
