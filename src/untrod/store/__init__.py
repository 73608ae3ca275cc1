"""Campaigns, corpora, findings and learned tables on disk: the `.untrod` folder of a project.

`Store.open(folder)` is the door. Behind it:

- `database`, `schema`: the SQLite file, its format version and its migrations;
- `sheets`: tables of numbered rows that carry a checksum, so that damage is noticed and named;
- `campaigns`, `results`, `recorder`, `checkpoints`: what a campaign writes, and reading it back;
- `blobs`, `tables`, `locks`, `quarantine`: files: atomic, verified, owned, set aside;
- `failures`: what SQLite and the file system say, as one line a person can act on.
"""

from untrod.store.campaigns import CampaignRow
from untrod.store.recorder import Recorder
from untrod.store.results import WrittenTest
from untrod.store.store import Store

__all__ = ["CampaignRow", "Recorder", "Store", "WrittenTest"]
