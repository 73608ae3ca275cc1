"""Temporal logic over what a user interface shows and does. Pure: no driver, no learner, no clock.

    from untrod.ltl import F, X, Letter, Monitor, action, explain, parse, text

    spec = parse("F ([text ~ Saved] & X [actionType = back])")
    spec is F(text("Saved") & X(action("back")))
    monitor = Monitor(spec)
    step = monitor.read(Letter.of({"text": ["Draft", "Saved"], "actionType": "click"}))
    step.rest, step.reward, monitor.end(), explain(spec, letters)

Read `nodes.py` for what a formula is, `labels.py` for what a letter is, `progression.py` for the algorithm
and `monitor.py` for verdicts. The language is described in docs/ltl.md.
"""

from untrod.ltl.build import F, G, N, R, U, W, X, action, activity, contains, equals, text
from untrod.ltl.english import sentence
from untrod.ltl.explain import Explanation, Reason, explain
from untrod.ltl.gherkin import Scenario, read_gherkin
from untrod.ltl.labels import Letter
from untrod.ltl.mistakes import FormulaError
from untrod.ltl.monitor import Judgement, Monitor, Progressed, Progression, Verdict, judge
from untrod.ltl.nodes import FALSE, TRUE, UNKNOWN, Atom, Bound, Formula, atoms
from untrod.ltl.parsing import parse
from untrod.ltl.progression import advance, conclude, expand, progress, restrict
from untrod.ltl.reward import count, reward
from untrod.ltl.satisfiable import Satisfiability, depth, require_steps, satisfiable
from untrod.ltl.simplify import negation, simplify

__all__ = [
    "FALSE",
    "TRUE",
    "UNKNOWN",
    "Atom",
    "Bound",
    "Explanation",
    "F",
    "Formula",
    "FormulaError",
    "G",
    "Judgement",
    "Letter",
    "Monitor",
    "N",
    "Progressed",
    "Progression",
    "R",
    "Reason",
    "Satisfiability",
    "Scenario",
    "U",
    "Verdict",
    "W",
    "X",
    "action",
    "activity",
    "advance",
    "atoms",
    "conclude",
    "contains",
    "count",
    "depth",
    "equals",
    "expand",
    "explain",
    "judge",
    "negation",
    "parse",
    "progress",
    "read_gherkin",
    "require_steps",
    "restrict",
    "reward",
    "satisfiable",
    "sentence",
    "simplify",
    "text",
]
