"""The `gui` engine: FARLEAD's specifications, its baselines and the planner.

- `pace`: steps a second of the model driver, and of the web driver against plain Playwright;
- `simulations`: every explorer on the paper's specifications, on screen graphs written from its descriptions;
- `faults`: the faults planted in `examples/notes_app.py`, in a real browser;
- `applications`: Django admin, Datasette, Flask-Admin and TiddlyWiki (`apps`), in a real browser;
- `models`: the same on models recorded from these (`record.py`), for many seeds.
"""

from __future__ import annotations

from bench.gui import applications, faults, models, pace, simulations
from bench.plan import Study

STUDIES: tuple[Study, ...] = (pace.STUDY, simulations.STUDY, faults.STUDY, models.STUDY, applications.STUDY)
