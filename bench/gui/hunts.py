"""How many steps an explorer needs for each of several specifications of one application.

Random, Monkey and QBE do not look at the formula. So one walk of theirs is judged by all formulas at once:
each is charged the steps up to its verdict, or up to the end of the episode, as if the walk had been for it
alone. In a browser that saves hours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from untrod.drivers.labels import action_labels, screen_labels
from untrod.drivers.protocol import NOT_TAKEN, Action, Driver, StepOutcome
from untrod.drivers.recording import RecordingDriver
from untrod.engines.gui.agent import RESET, Agent
from untrod.engines.gui.episode import GuiEpisode
from untrod.engines.gui.explorers.base import Explorer
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.ltl import Formula, Letter, Monitor, Progression, Verdict

BLIND = ("random", "monkey", "qbe")


@dataclass
class Hunt:
    """Steps that were taken, and the actions that showed it; None when it was not found."""

    steps: int = 0
    actions: list[Action] | None = field(default=None)


def hunt(
    driver: Driver, formulas: Mapping[str, Formula], name: str, seed: int, steps: int, episodes: int
) -> dict[str, Hunt]:
    """For each formula its hunt. `steps` are those of an episode."""
    if name in BLIND:
        return _blind(driver, formulas, explorer(name, seed)[0], steps, episodes)
    return {key: _aimed(driver, formula, name, seed, steps, episodes) for key, formula in formulas.items()}


def _aimed(driver: Driver, formula: Formula, name: str, seed: int, steps: int, episodes: int) -> Hunt:
    recording, found = RecordingDriver(driver), Hunt()
    agent = Agent(recording, formula, *explorer(name, seed, None, recording.graph), steps=steps)
    for trial in agent.search(episodes):
        found.steps += max(1, trial.cost)
        if trial.satisfied:
            found.actions = trial.actions
    return found


def _blind(
    driver: Driver, formulas: Mapping[str, Formula], walker: Explorer, steps: int, episodes: int
) -> dict[str, Hunt]:
    hunts = {key: Hunt() for key in formulas}
    progressions = {key: Progression(formula) for key, formula in formulas.items()}
    for _ in range(episodes):
        left = [key for key, each in hunts.items() if each.actions is None]
        if not left:
            break
        _walk(driver, walker, steps, {key: Monitor(progressions[key]) for key in left}, hunts)
    return hunts


def _walk(
    driver: Driver, walker: Explorer, steps: int, monitors: dict[str, Monitor], hunts: dict[str, Hunt]
) -> None:
    """One episode. A monitor leaves when its verdict is there."""
    screen = start = driver.reset()
    walker.begin(screen)
    taken: list[Action] = []
    refused: set[Action] = set()
    tries = 0
    _read(monitors, Letter.of({**screen_labels(screen), **action_labels(RESET)}), taken, tries, hunts)
    while monitors and tries < steps:
        offered = [action for action in driver.actions(screen) if action not in refused]
        if not offered:
            break
        step = driver.step(walker.choose(offered))
        screen = step.screen
        walker.observe(step, 0.0)
        tries += 1
        if step.outcome in NOT_TAKEN:
            refused.add(step.action)
            continue
        refused.clear()
        taken.append(step.action)
        labels = {**screen_labels(screen), **action_labels(step.action)}
        _read(monitors, Letter.of(labels, elapsed=step.ms), taken, tries, hunts)
        if step.outcome is StepOutcome.CRASHED:
            break
    walker.learn(GuiEpisode(start))
    for key, monitor in monitors.items():
        hunts[key].steps += max(1, tries)
        if monitor.end().verdict is Verdict.SATISFIED:
            hunts[key].actions = taken


def _read(
    monitors: dict[str, Monitor], letter: Letter, taken: list[Action], tries: int, hunts: dict[str, Hunt]
) -> None:
    for key, monitor in list(monitors.items()):
        verdict = monitor.read(letter).verdict
        if verdict is Verdict.UNDECIDED:
            continue
        hunts[key].steps += max(1, tries)
        if verdict is Verdict.SATISFIED:
            hunts[key].actions = list(taken)
        del monitors[key]
