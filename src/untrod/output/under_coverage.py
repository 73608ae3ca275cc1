"""pytest while coverage.py watches: `python -m untrod.output.under_coverage DATA ORDER FILES ARGUMENTS...`.

ORDER is `backwards` to begin with the last test. FILES is a JSON list of source files: they are named, or
coverage.py leaves out what is installed.
"""

from __future__ import annotations

import json
import sys


class _Backwards:
    def pytest_collection_modifyitems(self, items: list[object]) -> None:
        items.reverse()


def main(data: str, order: str, files: str, arguments: list[str]) -> int:
    import coverage
    import pytest

    watch = coverage.Coverage(data_file=data, branch=True, config_file=False, include=json.loads(files))
    watch.start()
    status = pytest.main(arguments, [_Backwards()] if order == "backwards" else [])
    watch.stop()
    watch.save()
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
