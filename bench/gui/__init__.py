"""The `gui` engine: FARLEAD's specifications, its baselines and the planner.

- `simulations`: every explorer on the paper's specifications, on screen graphs written from its descriptions;
- `faults`: the faults planted in `examples/notes_app.py`, in a real browser;
- `pace`: steps a second of the model driver, and of the web driver against plain Playwright.

Not there yet: Django admin, Datasette, Flask-Admin and TiddlyWiki, and models recorded from them.
"""

from __future__ import annotations

from bench.gui import faults, pace, simulations
from bench.plan import Study

STUDIES: tuple[Study, ...] = (pace.STUDY, simulations.STUDY, faults.STUDY)
