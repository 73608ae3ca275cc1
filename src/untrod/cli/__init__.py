"""The command line: one thin module per verb. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """The `untrod` command."""
    try:
        from untrod.cli.app import run

        run()
    except KeyboardInterrupt:  # before there was anything to report, or after
        print("untrod: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
