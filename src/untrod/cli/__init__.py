"""The command line: one thin module per verb. Nothing heavy is imported before it is needed."""

from __future__ import annotations


def main() -> None:
    """The `untrod` command."""
    from untrod.session.interrupts import ends_soon

    with ends_soon():
        from untrod.cli.app import run

        run()
