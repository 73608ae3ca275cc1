"""Django admin, Datasette, Flask-Admin and TiddlyWiki in a real browser: `python -m bench gui` in small."""

import sys
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.recording import RecordingDriver
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.engines.gui.replaying import rerun
from untrod.engines.gui.specs import Spec

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:  # the benches are not installed with the package
    sys.path.insert(0, ROOT)

from bench.gui.apps import APPS  # noqa: E402

apps = pytest.mark.parametrize("app", APPS, ids=lambda app: app.site)


def solve(driver, app, name, episodes):
    """The actions that show a specification, looked for by the planner: in episodes, not in seconds."""
    recording = RecordingDriver(driver)
    spec = Spec(app.specs[name])
    agent = Agent(recording, spec.goal, *explorer("planner", 1, None, recording.graph), steps=app.steps)
    trials = list(agent.search(episodes))
    return spec, trials[-1]


@apps
def test_every_specification_can_be_asked_for(app):
    assert len(app.specs) == 3 * len(app.tasks) >= 15
    for text in app.specs.values():
        Spec(text).check(app.steps)


@apps
@pytest.mark.timeout(600)
def test_what_is_asked_step_by_step_is_shown_and_shows_again(app):
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    if app.missing():
        pytest.skip(app.missing())
    with app.running() as (url, setup):
        driver = WebDriver(url, setup=setup, hang_seconds=120.0)
        try:
            for name in ("Bc", "Dc"):
                spec, trial = solve(driver, app, name, episodes=8)
                assert trial.satisfied, f"{name}: {[str(action) for action in trial.actions]}"
                assert rerun(driver, spec, trial.actions).shows  # so the data were put back as well
        finally:
            driver.close()
