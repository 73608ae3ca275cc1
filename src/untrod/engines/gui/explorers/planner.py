"""Look-ahead on what is known, learning for the rest: the default.

What is known is a screen graph, recorded while the application is used and kept from run to run. Together
with the formula it is a second graph, their *product*: a state of it is a screen and what is left of the
formula there. The planner looks at that product breadth first, as far as the episode has steps left:

1. A way to where the formula is satisfied: go it.
2. The same, with guesses: an action that was never taken on this very screen does what it did last on another
   one of the same abstract identity.
3. The most promising action that nobody has tried, on this screen or on one that can be reached, by guesses
   too: else a detour that once led to a screen would be the only way there. What counts is how much of the
   formula is left there, and of that, how much the screen does not show already; how promising the action
   looks (`novelty.py`); how often it was tried on such screens and elsewhere; and how far it is.
4. Nothing is left to try: the learner decides. It also decides now and then without being asked for, since
   the graph of an application with hidden state is not the whole truth.

The learner is FARLEAD's, and observes every step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from random import Random

from untrod.core.vocabulary import Json
from untrod.drivers.graph import Edge, ScreenGraph
from untrod.drivers.labels import action_labels, screen_labels
from untrod.drivers.protocol import Action, Event, Screen, Step, StepOutcome
from untrod.engines.gui.episode import GuiEpisode
from untrod.engines.gui.explorers.base import ActionKey, key, labelling
from untrod.engines.gui.explorers.farlead import Farlead
from untrod.engines.gui.explorers.novelty import NoveltyEstimate
from untrod.engines.gui.ideas import Ideas
from untrod.learn.serialise import dump_random, load_random
from untrod.ltl import FALSE, TRUE, Atom, Formula, Letter, Progressed, Progression, Verdict
from untrod.ltl.effort import effort
from untrod.ltl.nodes import atoms

TAKEN = (StepOutcome.OK, StepOutcome.TIMEOUT, StepOutcome.CRASHED)
EPSILON = 0.05
"""Epsilon-greedy: how often the learner decides although there is a plan."""
NEARER, TRIED = 4, 3
"""What one atom less to be shown is worth, and what it costs to have been tried on such a screen before: in
the steps of `novelty.py`."""
MOST_STATES = 4000
"""States of the product that one plan looks at."""
MOST_READS = 1 << 16


@dataclass(frozen=True, slots=True)
class ProductState:
    """A state of the product: a concrete screen and what is left of the formula; and how to get there."""

    screen: str
    rest: Formula
    first: Action | None
    depth: int


class Planner:
    """`graph` is one that a `RecordingDriver` keeps up to date; the planner only reads it."""

    name = "planner"

    def __init__(self, seed: int, ideas: Ideas, graph: ScreenGraph) -> None:
        self.learner = Farlead(seed, ideas)
        self.graph = graph
        self._random = Random(seed)
        self._progression: Progression | None = None
        self._novelty = NoveltyEstimate(TRUE)
        self._definite = False
        self._rest: Formula = TRUE
        self._left = 0
        self._here = Screen("", "")
        self._guesses: dict[tuple[str, ActionKey], Edge] = {}
        self._tried: Counter[tuple[str, ...]] = Counter()
        self._letters: dict[tuple[Action, str, tuple[object, ...]], Letter] = {}
        self._reads: dict[tuple[Formula, Action, str, tuple[Event, ...]], Progressed] = {}
        self._action_letters: dict[Action, Letter] = {}
        self._on_screen: dict[str, frozenset[Atom]] = {}
        for origin, actions in graph.edges.items():  # a graph from an earlier run
            for action, edges in actions.items():
                for edge in edges:
                    self._remember(graph.screens[origin].id, action, edge)

    def aim(self, progression: Progression, definite: bool) -> None:
        self._progression, self._definite = progression, definite
        self._novelty = NoveltyEstimate(progression.start)

    def outlook(self, rest: Formula, left: int) -> None:
        self._rest, self._left = rest, left

    def begin(self, screen: Screen) -> None:
        self._here = screen
        self.learner.begin(screen)

    def choose(self, actions: Sequence[Action]) -> Action:
        if self._random.random() < EPSILON:
            return self.learner.choose(actions)
        allowed = set(actions)
        return (
            self._shortest(allowed, guess=False)
            or self._shortest(allowed, guess=True)
            or self._frontier(allowed)
            or self.learner.choose(actions)
        )

    def observe(self, step: Step, reward: float) -> None:
        edge = Edge(step.screen.concrete_id, step.outcome, step.screen.events, step.ms)
        self._remember(self._here.id, step.action, edge)
        if step.outcome in TAKEN:
            self._here = step.screen
        self.learner.observe(step, reward)

    def dead_end(self) -> None:
        self.learner.dead_end()

    def learn(self, episode: GuiEpisode) -> None:
        self.learner.learn(episode)

    def state(self) -> Json:
        return {"random": dump_random(self._random), "learner": self.learner.state()}

    def load(self, state: Json) -> None:
        random = Random()
        load_random(random, state["random"])
        self.learner.load(state["learner"])
        self._random = random

    # ---- the product ----

    def _shortest(self, allowed: set[Action], *, guess: bool) -> Action | None:
        """The first step of a shortest way to satisfaction."""
        for state in self._states(allowed, guess=guess):
            for action, edge in self._edges(state, allowed, guess=guess):
                read = self._read(state.rest, action, edge)
                last = state.depth + 1 == self._left and not self._definite
                ended = last and read.if_ended is Verdict.SATISFIED
                if read.verdict is Verdict.SATISFIED or ended:
                    return state.first or action
        return None

    def _frontier(self, allowed: set[Action]) -> Action | None:
        """The first step towards the most promising action that nobody has tried."""
        best: tuple[float, Action] | None = None
        for state in self._states(allowed, guess=True):
            screen = self.graph.screens[state.screen]
            offered = self.graph.edges[state.screen]
            shown = self._shown(screen)
            for action, edges in offered.items():
                if edges or (state.depth == 0 and action not in allowed):
                    continue
                outlook = self._progress.predict(state.rest, self._action_letter(action))
                if outlook is FALSE:
                    continue
                score = (
                    NEARER * min(effort(outlook, shown), effort(state.rest, shown))
                    + self._novelty.of(screen, offered, action)
                    + self._familiar(screen.id, action)
                    + state.depth / 2
                    + self._random.random()
                )
                if best is None or score < best[0]:
                    best = score, state.first or action
        return best[1] if best else None

    def _shown(self, screen: Screen) -> frozenset[Atom]:
        """What the formula speaks of that this screen shows already."""
        known = self._on_screen.get(screen.concrete_id)
        if known is None:
            letter = Letter.of(screen_labels(screen), known="screen")
            known = frozenset(atom for atom in atoms(self._progress.start) if letter.truth(atom))
            self._on_screen[screen.concrete_id] = known
        return known

    def _familiar(self, abstract: str, action: Action) -> float:
        """Tried on a screen like this one, it has shown what it does; elsewhere, a little, and more
        with every doubling."""
        of = key(action)
        elsewhere = self._tried[labelling(of)]
        return TRIED * self._tried[(abstract, *of)] + log2(elsewhere + 1)

    def _states(self, allowed: set[Action], *, guess: bool) -> Iterator[ProductState]:
        """Breadth first, each state once, those that violate the formula left out."""
        start = ProductState(self._here.concrete_id, self._rest, None, 0)
        seen = {(start.screen, start.rest)}
        level = [start] if start.screen in self.graph.edges else []
        while level:
            yield from level
            following: list[ProductState] = []
            for state in level:
                if state.depth + 1 >= self._left:
                    return
                for action, edge in self._edges(state, allowed, guess=guess):
                    read = self._read(state.rest, action, edge)
                    at = (edge.to, read.rest)
                    if read.verdict is Verdict.UNDECIDED and at not in seen and edge.to in self.graph.edges:
                        seen.add(at)
                        following.append(ProductState(*at, state.first or action, state.depth + 1))
                if len(seen) > MOST_STATES:
                    return
            level = following

    def _edges(
        self, state: ProductState, allowed: set[Action], *, guess: bool
    ) -> Iterator[tuple[Action, Edge]]:
        """What each action is expected to do: what it did most often, or else what is guessed."""
        abstract = self.graph.screens[state.screen].id
        for action, edges in self.graph.edges[state.screen].items():
            if state.depth == 0 and action not in allowed:
                continue
            edge = edges[0] if len(edges) == 1 else max(edges, key=_times, default=None)
            if edge is None and guess:
                edge = self._guesses.get((abstract, key(action)))
            if edge is not None and edge.outcome in TAKEN:
                yield action, edge

    def _read(self, rest: Formula, action: Action, edge: Edge) -> Progressed:
        """Kept, since every plan reads the same edges again, and letters with many texts compare slowly."""
        state = (rest, action, edge.to, edge.events)
        read = self._reads.get(state)
        if read is None:
            if len(self._reads) >= MOST_READS:
                self._reads.clear()
            read = self._reads[state] = self._progress.step(rest, self._letter(action, edge))
        return read

    @property
    def _progress(self) -> Progression:
        assert self._progression is not None, "the agent says what to aim at"
        return self._progression

    def _letter(self, action: Action, edge: Edge) -> Letter:
        known = self._letters.get((action, edge.to, edge.events))
        if known is None:
            screen = self.graph.screens[edge.to]
            shown = Screen(screen.id, edge.to, screen.attrs, screen.widgets, edge.events)
            labels = {**screen_labels(shown), **action_labels(action)}
            known = self._letters[action, edge.to, edge.events] = Letter.of(labels, elapsed=edge.ms)
        return known

    def _action_letter(self, action: Action) -> Letter:
        letter = self._action_letters.get(action)
        if letter is None:
            letter = self._action_letters[action] = Letter.of(action_labels(action), known="action")
        return letter

    def _remember(self, abstract: str, action: Action, edge: Edge) -> None:
        of = key(action)
        self._guesses[abstract, of] = edge
        self._tried[(abstract, *of)] += edge.times
        self._tried[labelling(of)] += edge.times


def _times(edge: Edge) -> int:
    return edge.times
