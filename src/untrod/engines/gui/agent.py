"""Plays episodes on a driver, against a formula (Algorithm 1 of FARLEAD, and its reward prediction).

An episode is a reset and at most `steps` actions. It ends as soon as the formula is satisfied or violated
for good, when the application crashes or offers nothing more to do, or at a dead end: when every action that
is offered falsifies the formula. What stands at the end is then judged as a trace that has ended.

The agent reads the formula and pays; an `Explorer` chooses and learns. For the loop of `core/loop.py` the
agent is the target (a session with the application, for one formula), and the explorer is the learner. So the
paper's learner and its baselines run in the same frame, and the ideas that need the formula (shaping,
prediction) can be switched on for each of them.

Rewards are the paper's: 1 and -1 for a verdict, otherwise the shaped one, or 0. One is added: when the last
step that an episode may have leaves a trace that satisfies the formula because it ends there (G), that step
is paid 1. The paper's formulas have no G, so nothing changes for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from untrod.core.loop import explore
from untrod.drivers.labels import action_labels, screen_labels
from untrod.drivers.protocol import NOT_TAKEN, Action, Driver, ResetLevel, Screen, StepOutcome
from untrod.engines.gui.episode import GuiEpisode
from untrod.engines.gui.explorers.base import Aiming, Explorer
from untrod.engines.gui.ideas import Ideas
from untrod.ltl import (
    FALSE,
    TRUE,
    Formula,
    Letter,
    Monitor,
    Progressed,
    Progression,
    Verdict,
    require_steps,
)

RESET = Action("reinitialize")
"""The paper's first action of every trace."""


class Agent:
    def __init__(
        self,
        driver: Driver,
        formula: Formula,
        explorer: Explorer,
        ideas: Ideas,
        *,
        steps: int = 6,
        reset: ResetLevel = "soft",
        definite: bool = False,
    ) -> None:
        """`definite`: a formula that is satisfied only because the trace ends there is not satisfied."""
        require_steps(formula, steps)
        self.driver = driver
        self.explorer = explorer
        self.ideas = ideas
        self.steps = steps
        self.reset: ResetLevel = reset
        self.definite = definite
        self._progression = Progression(formula)
        self._letters: dict[Action, Letter] = {}
        self._aiming = explorer if isinstance(explorer, Aiming) else None
        if self._aiming:
            self._aiming.aim(self._progression, definite)

    def search(self, episodes: int) -> Iterator[GuiEpisode]:
        """Up to so many episodes. The last one is the first that satisfies the formula, if any does."""
        for trial in islice(explore(self, self.explorer, self.judge), episodes):
            yield trial
            if trial.satisfied:
                return

    def episode(self, number: int = 0) -> GuiEpisode:
        return next(explore(self, self.explorer, self.judge, number))

    def run(self, number: int, policy: Explorer) -> GuiEpisode:
        """One episode, not judged yet. `policy` is the agent's own explorer, which knows the formula."""
        screen, monitor = self.driver.reset(self.reset), Monitor(self._progression)
        trial = GuiEpisode(screen, monitor)
        policy.begin(screen)
        read = self._read(trial, monitor, RESET, screen)
        refused: set[Action] = set()
        while read.verdict is Verdict.UNDECIDED and trial.cost < self.steps:
            offered = [action for action in self.driver.actions(screen) if action not in refused]
            if not offered:
                break
            allowed, winning = self._predict(monitor.rest, offered)
            if not allowed:
                trial.dead_end = True
                policy.dead_end()
                break
            if self._aiming:
                self._aiming.outlook(monitor.rest, self.steps - trial.cost)
            step = self.driver.step(winning or policy.choose(allowed))
            screen = step.screen
            if step.outcome in NOT_TAKEN:
                trial.refused += 1
                refused.add(step.action)
                policy.observe(step, 0.0)
                continue
            refused.clear()
            read = self._read(trial, monitor, step.action, screen, step.ms)
            trial.steps.append(step)
            trial.rewards.append(self._reward(read, last=trial.cost >= self.steps))
            policy.observe(step, trial.rewards[-1])
            if step.outcome is StepOutcome.CRASHED:
                break
        return trial

    def judge(self, episode: GuiEpisode) -> None:
        """What stands at the end of the trace."""
        monitor = episode.monitor
        assert monitor is not None
        episode.judgement = monitor.judgement if self.definite else monitor.end()

    def _predict(self, rest: Formula, offered: Sequence[Action]) -> tuple[Sequence[Action], Action | None]:
        """The actions that do not falsify the formula, and the first that makes it true by itself."""
        if not self.ideas.prediction:
            return offered, None
        allowed: list[Action] = []
        for action in offered:
            outlook = self._progression.predict(rest, self._letter(action))
            if outlook is TRUE:
                return offered, action
            if outlook is not FALSE:
                allowed.append(action)
        return allowed, None

    def _letter(self, action: Action) -> Letter:
        """What is known before it is taken. Kept: the same few actions are offered again and again."""
        letter = self._letters.get(action)
        if letter is None:
            letter = self._letters[action] = Letter.of(action_labels(action), known="action")
        return letter

    def _reward(self, read: Progressed, *, last: bool) -> float:
        by_its_end = last and not self.definite and read.if_ended is Verdict.SATISFIED
        if read.verdict is Verdict.SATISFIED or by_its_end:
            return 1.0
        if read.verdict is Verdict.VIOLATED:
            return -1.0
        return read.reward if self.ideas.shaping else 0.0

    def _read(
        self, trial: GuiEpisode, monitor: Monitor, action: Action, screen: Screen, ms: int | None = None
    ) -> Progressed:
        letter = Letter.of({**screen_labels(screen), **action_labels(action)}, elapsed=ms)
        trial.letters.append(letter)
        return monitor.read(letter)
