"""Where Hypothesis keeps the failures of a project's tests, seen from inside a worker.

Hypothesis looks in the folder it was started in, or where `HYPOTHESIS_STORAGE_DIRECTORY` says; a worker is
started in a scratch folder. And its `ci` profile, which Hypothesis loads by itself where the variable `CI` is
set, switches the database off: a campaign looks all the same, since reading a folder that is there can only
help.
"""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
from hypothesis.configuration import storage_directory
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase, ReadOnlyDatabase


def saved_failures(settings: hypothesis.settings, project: Path) -> ExampleDatabase:
    """The database of a test with these settings, to read. A database that is no folder is not used."""
    usual = storage_directory("examples", intent_to_write=False).path
    place = project / os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY", ".hypothesis") / "examples"
    chosen = settings.database
    if isinstance(chosen, DirectoryBasedExampleDatabase) and chosen.path != usual:
        place = project / chosen.path
    return ReadOnlyDatabase(DirectoryBasedExampleDatabase(place))
