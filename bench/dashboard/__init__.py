"""The dashboard on a large store: how fast it opens, and how soon it tells what is new.

- `full_store`: a store of campaigns with as many events as asked for;
- `served`: the command itself, and a browser's view of it;
- `opening`: the study.
"""

from __future__ import annotations

from bench.dashboard import opening
from bench.plan import Study

STUDIES: tuple[Study, ...] = (opening.STUDY,)
