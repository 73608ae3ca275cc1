"""The faults planted in `examples/notes_app.py`, in a real browser: found with every seed?"""

from __future__ import annotations

from bench.gui.apps.notes import notes
from bench.plan import Plan, Study
from bench.report import Bar, Result, Row
from untrod.core.errors import UntrodError
from untrod.drivers.protocol import Action
from untrod.drivers.recording import RecordingDriver
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.engines.gui.replaying import rerun
from untrod.engines.gui.specs import Spec

FAULTS = {
    "exception": "G ![event = exception]",
    "server error": "G ![event = server-error]",
    "client error": "G ![event = client-error]",
    "cancelled note": "G ([actionDetail = Cancel] -> ![text ~ milk])",
}
STEPS, BUDGET = 6, 400
"""Of an episode, and of a whole search."""
REPLAYS = 13
"""Of each finding: 520 for ten seeds and four faults."""
CONTENDERS = ("planner", "farlead", "random")


def run(plan: Plan) -> Result:
    try:
        find_chromium()
    except UntrodError as error:
        return Result(notes=(f"faults: {error}",))
    contenders = [name for name in CONTENDERS if not plan.contenders or name in plan.contenders]
    rows: list[Row] = []
    found = dict.fromkeys(contenders, 0)
    tried = held = replayed = 0
    with notes() as url:
        driver = WebDriver(url)
        try:
            for fault, text in FAULTS.items():
                spec = Spec(text, violate=True)
                for name in contenders if plan.wants(fault) else ():
                    steps: list[float] = []
                    for seed in plan.seeds_or(quick=2, full=10):
                        taken, actions = _search(driver, spec, name, seed)
                        steps.append(float(taken))
                        tried += name == contenders[0]
                        found[name] += actions is not None
                        if actions is not None and name == "planner":
                            replayed += REPLAYS
                            held += sum(rerun(driver, spec, actions).shows for _ in range(REPLAYS))
                    rows.append(Row.of(fault, name, "steps", steps))
                    plan.say(f"{fault}: {name} {steps}")
        finally:
            driver.close()
    bars = []
    if "planner" in found and tried:
        bars.append(Bar.at_least("planted faults found by the planner, share", found["planner"] / tried, 1.0))
    if replayed:
        bars.append(Bar.at_least("replays that hold, share", held / replayed, 0.99))
    return Result(tuple(rows), tuple(bars))


def _search(driver: WebDriver, spec: Spec, name: str, seed: int) -> tuple[int, list[Action] | None]:
    """Steps taken, and the actions of the counterexample; None when the budget ran out first."""
    recording = RecordingDriver(driver)
    chosen, ideas = explorer(name, seed, None, recording.graph)
    agent = Agent(recording, spec.goal, chosen, ideas, steps=STEPS, definite=True)
    taken = 0
    while taken < BUDGET:
        trial = agent.episode()
        taken += max(1, trial.cost)
        if trial.satisfied:
            return taken, trial.actions
    return taken, None


STUDY = Study("planted faults", tuple(FAULTS), run)
