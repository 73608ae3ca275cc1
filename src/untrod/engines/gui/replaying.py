"""Takes the steps of a trace again, and describes what they show: an explanation, a formula, pictures."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field

from untrod.core.vocabulary import Json
from untrod.drivers.actions import SCREENSHOTS
from untrod.drivers.labels import action_labels, screen_labels
from untrod.drivers.protocol import NOT_TAKEN, Action, Driver, Pictured, Step, StepOutcome
from untrod.engines.gui.agent import RESET
from untrod.engines.gui.specs import Spec
from untrod.ltl import TRUE, Atom, Formula, Judgement, Letter, Monitor, Verdict, explain
from untrod.ltl.nodes import And, Next, Not

MOST_PICTURES, LONGEST_PICTURE = 1_000, 4_000_000
ALL_PICTURES = 40_000_000
"""That a replay hands over: so many, of so many characters each, and of so many together."""


@dataclass(slots=True)
class Rerun:
    """`taken` are the actions as they were found on the screens of today. `lost`: one was not to be found."""

    letters: list[Letter] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    taken: list[Action] = field(default_factory=list)
    lost: bool = False
    judgement: Judgement | None = None
    activity: str = ""  # after the reset
    pictures: dict[int, bytes] = field(default_factory=dict)  # as PNG, by the number of the step

    @property
    def shows(self) -> bool:
        return not self.lost and self.judgement is not None and self.judgement.verdict is Verdict.SATISFIED


def rerun(driver: Driver, spec: Spec, actions: Sequence[Action]) -> Rerun:
    """From a soft reset. Stops where an action cannot be taken. After `SCREENSHOTS` there are pictures."""
    run, monitor = Rerun(), Monitor(spec.goal)
    camera = False
    screen = driver.reset()
    run.activity = next(iter(screen.attrs.get("activity", ())), "")
    run.letters.append(Letter.of({**screen_labels(screen), **action_labels(RESET)}))
    monitor.read(run.letters[-1])
    for action in actions:
        if action.type == SCREENSHOTS:
            camera = True
            _picture(driver, run)
            continue
        driver.actions(screen)
        present = driver.resolve(action)
        step = driver.step(present) if present is not None else None
        if step is None or step.outcome in NOT_TAKEN:
            run.lost = True
            break
        screen = step.screen
        run.taken.append(step.action)
        run.steps.append(step)
        labels = {**screen_labels(screen), **action_labels(step.action)}
        run.letters.append(Letter.of(labels, elapsed=step.ms))
        monitor.read(run.letters[-1])
        if camera:
            _picture(driver, run)
        if step.outcome is StepOutcome.CRASHED:
            break
    run.judgement = monitor.judgement if spec.violate else monitor.end()
    return run


def described(run: Rerun, spec: Spec) -> Json:
    """What a test and a person want to know of it."""
    explanation = explain(spec.formula, run.letters)
    reasons = []
    for reason in explain(spec.goal, run.letters).reasons:
        atom = reason.formula.of if isinstance(reason.formula, Not) else reason.formula
        if isinstance(atom, Atom):
            holds = reason.truth is not isinstance(reason.formula, Not)
            reasons.append([reason.step, atom.name, atom.operator, atom.value, holds])
    return {
        "explanation": str(explanation),
        "formula": str(level_c(run.taken, reasons)),
        "reasons": reasons,
        "activity": run.activity,
        "steps": [
            {
                "action": str(step.action),
                "screen": step.screen.id,
                "activity": next(iter(step.screen.attrs.get("activity", ())), ""),
                "url": next(iter(step.screen.attrs.get("url", ())), ""),
                "events": [[event.kind, event.text] for event in step.screen.events],
            }
            for step in run.steps
        ],
    }


def _picture(driver: Driver, run: Rerun) -> None:
    """For drivers that can."""
    if isinstance(driver, Pictured) and (png := driver.screenshot()):
        run.pictures[len(run.steps)] = png


def encoded(pictures: dict[int, bytes]) -> list[Json]:
    """The pictures as JSON, each with the number of its step; those that are too large are left out."""
    found: list[Json] = []
    left = ALL_PICTURES
    for number, png in list(pictures.items())[:MOST_PICTURES]:
        text = base64.b64encode(png).decode()
        if len(text) <= min(left, LONGEST_PICTURE):
            left -= len(text)
            found.append([number, text])
    return found


def level_c(actions: Sequence[Action], reasons: Sequence[Json]) -> Formula:
    """A test as a formula of the paper's level c: these actions in this order, and what holds with them.

    `reasons` are [step, name, operator, value, holds], the first action being step 1. A campaign for this
    formula takes just these steps: prediction leaves it no choice."""
    rest: Formula = TRUE
    for number in range(len(actions), 0, -1):
        action = actions[number - 1]
        parts: list[Formula] = [Atom("actionType", "=", action.type)]
        parts += [Atom("actionDetail", "=", action.detail)] if action.detail else []
        parts += [Atom("actionValue", "=", action.value)] if action.value else []
        rest = Next(_all([*parts, *_facts(number, reasons), rest]))
    return _all([*_facts(0, reasons), rest])


def _facts(number: int, reasons: Sequence[Json]) -> list[Formula]:
    found: dict[Formula, None] = {}
    for step, name, operator, value, holds in reasons:
        if step == number and not name.startswith("action"):
            atom = Atom(name, operator, value)
            found[atom if holds else Not(atom)] = None
    return list(found)


def _all(parts: list[Formula]) -> Formula:
    said = tuple(part for part in parts if part is not TRUE)
    return And(said) if len(said) > 1 else said[0] if said else TRUE
