"""Something that an application is asked to show, at each of FARLEAD's three levels of detail."""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = "abc"


@dataclass(frozen=True)
class Task:
    """`shown` is a formula over what is to be seen in the end.

    Level a: that alone, at some time. Level b: `points` come first, in this order; they name screens and
    types of actions. Level c: `steps` are all that is done, from the start on, each the type of an action,
    the name of what it is done to, and perhaps the value.
    """

    name: str
    shown: str
    points: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]

    def formula(self, level: str) -> str:
        if level == "c":
            return self._step_by_step()
        formula = f"F ({self.shown})"
        for point in reversed(self.points if level == "b" else ()):
            formula = f"F ({point} & X {formula})"
        return formula

    def _step_by_step(self) -> str:
        formula = self.shown
        for kind, detail, *value in reversed(self.steps):
            said = [f"[actionType = {kind}]"]
            said += [f'[actionDetail ~ "{detail}"]'] if detail else []
            said += [f'[actionValue = "{each}"]' for each in value]
            formula = f"X ({' & '.join([*said, formula])})"
        return formula
