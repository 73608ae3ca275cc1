"""Given, When, Then: scenarios as formulas.

    Scenario: About and back
      Given I am on "Main"
      When I click "About"
      Then I am on "About"
      When I go back
      Then I am on "Main"

One step of a trace is an action and the screen that it leads to, so a When and the Thens behind it speak
about the same step, and the next When speaks about the next one:

    F ([activity ~ Main] & X ([actionType = click] & [actionDetail ~ About] & [activity ~ About] & X (...)))

That is something to be *shown*: there is a way to do it. With the tag `@always` above it, a scenario is a
*rule*: whenever the Given holds and the Whens happen, the Thens hold. Such a formula is to be broken, if it
can be.

    G ([activity ~ Main] -> N ([actionType = click] & ... -> [activity ~ About] & N (...)))

A Then may begin with `eventually`, `always`, `never`, `within 3 steps` or `within 2 seconds`; what comes
after an eventual Then starts from the step where it holds.

What is written behind Given, When and Then is a formula, recognised by its brackets, or one of these phrases,
where the quotes are part of the phrase:

    "Saved" is shown; I see "Saved"               [text ~ Saved]
    "Saved" is not shown; I do not see "Saved"    ![text ~ Saved]
    I am on "Main"                                [activity ~ Main]
    the checked is "true"                         [checked = true]
    the title is not "Home"                       ![title = Home]
    the url contains "done"                       [url ~ done]
    the url does not contain "done"               ![url ~ done]
    I click "About"; the user clicks on "About"   [actionType = click] & [actionDetail ~ About]
    I type "Ann" into "Name"                      [actionType = text] & [actionDetail ~ Name] & ...
    I press "Enter"                               [actionType = key] & [actionValue = Enter]
    I go back; the user waits; the user reloads   [actionType = back], idle, reload
    I swipe "List": any other verb, as a type     [actionType = swipe] & [actionDetail ~ List]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from untrod.core.errors import UntrodError
from untrod.ltl.build import action, activity, contains, equals, text
from untrod.ltl.nodes import TRUE, Always, And, Bound, Eventually, Formula, Implies, Next, Not, WeakNext
from untrod.ltl.parsing import parse

SECTION = re.compile(
    r"(Feature|Rule|Background|Scenario|Example|Scenario Outline|Scenario Template|Examples):\s*(.*)"
)
STEP = re.compile(r"(Given|When|Then|And|But|\*)\s+(.+)")
WHEN = re.compile(
    r"(?:(?P<eventually>eventually)|(?P<always>always)|(?P<never>never)"
    r"|within (?P<limit>\d+(?:\.\d+)?) (?P<unit>steps?|seconds?|s|milliseconds?|ms))\s+(?P<rest>.+)",
    re.IGNORECASE,
)


WHO = r"(?:(?:I|we|they|he|she|you|the user|a user|someone) )?"
WHAT = r'"(?P<what>[^"]+)"'
NAME = r"(?P<name>[^\W\d][\w.-]*)"
IS = r"(?:is |are )"
VALUE = r'"(?P<value>[^"]*)"'
WIDGET = r"(?: button| link| item| checkbox| field)?"
Maker = Callable[["re.Match[str]"], Formula]

PLAIN_VERBS = {"go back": "back", "goes back": "back", "wait": "idle", "waits": "idle", "reload": "reload"}
PLAIN_VERBS |= {"reloads": "reload", "pause and resume": "pauseresume", "pauses and resumes": "pauseresume"}
THE = r"(?:the |a |an )?"

PHRASES: tuple[tuple[str, Maker], ...] = (
    (rf"{THE}(?:text )?{WHAT} {IS}(?:shown|visible|displayed)", lambda m: text(m["what"])),
    (rf"{THE}(?:text )?{WHAT} {IS}not (?:shown|visible|displayed)", lambda m: Not(text(m["what"]))),
    (rf"{WHO}sees? {WHAT}", lambda m: text(m["what"])),
    (rf"{WHO}(?:do not|does not|don't|doesn't) see {WHAT}", lambda m: Not(text(m["what"]))),
    (rf"{WHO}(?:am|is|are) (?:on|at) {THE}{WHAT}(?: screen| page)?", lambda m: activity(m["what"])),
    (rf"{THE}{NAME} is {WHAT}", lambda m: equals(m["name"], m["what"])),
    (rf"{THE}{NAME} is not {WHAT}", lambda m: Not(equals(m["name"], m["what"]))),
    (rf"{THE}{NAME} contains {WHAT}", lambda m: contains(m["name"], m["what"])),
    (rf"{THE}{NAME} does not contain {WHAT}", lambda m: Not(contains(m["name"], m["what"]))),
    (rf"{WHO}(?:type|enter)s? {VALUE} in(?:to)? {THE}{WHAT}{WIDGET}",
     lambda m: action("text", m["what"], m["value"])),
    (rf"{WHO}press(?:es)? {WHAT}", lambda m: action("key", value=m["what"])),
    (rf"{WHO}(?P<verb>{'|'.join(PLAIN_VERBS)})", lambda m: action(PLAIN_VERBS[m["verb"].lower()])),
    (rf"{WHO}(?P<verb>[a-z]+?)s? (?:on )?{THE}{WHAT}{WIDGET}",
     lambda m: action(m["verb"].lower(), m["what"])),
)  # fmt: skip
"""Tried in this order; the verbs that are not known come last and are types of actions."""

EXAMPLES = '"Saved" is shown, I click "About", I am on "Main", I type "Ann" into "Name", or a formula'


@dataclass(slots=True)
class Moment:
    """One step of a scenario: an action, what holds with it, and what holds from there on."""

    facts: list[Formula] = field(default_factory=list)
    checks: list[Formula] = field(default_factory=list)
    later: list[tuple[Formula, Bound | None]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.facts or self.checks or self.later)


@dataclass(slots=True)
class Scenario:
    name: str
    line: int
    is_rule: bool = False
    given: Moment = field(default_factory=Moment)
    moments: list[Moment] = field(default_factory=list)

    def formula(self) -> Formula:
        if self.is_rule:
            return Always(_rule([self.given, *self.moments] if self.given else self.moments), None)
        return Eventually(_shown([self.given, *self.moments] if self.given else self.moments), None)


def read_gherkin(source: str) -> list[Scenario]:
    """The scenarios of a feature file. Raises UntrodError naming the line."""
    return _Reader().read(source)


class _Reader:
    def __init__(self) -> None:
        self.scenarios: list[Scenario] = []
        self.background: list[Formula] = []
        self.tags: set[str] = set()
        self.section = ""
        self.kind = ""

    def read(self, source: str) -> list[Scenario]:
        for number, line in enumerate(source.splitlines(), 1):
            words = line.strip()
            if words and not words.startswith("#"):
                self._line(number, words)
        if not self.scenarios:
            raise UntrodError("there is no scenario", "write Scenario: and below it Given, When and Then")
        for scenario in self.scenarios:
            if not scenario.moments and not scenario.given.checks and not scenario.given.later:
                raise UntrodError(f"line {scenario.line}: the scenario shows nothing", "add a When or a Then")
        return self.scenarios

    def _line(self, number: int, words: str) -> None:
        section, step = SECTION.fullmatch(words), STEP.fullmatch(words)
        if words.startswith("@"):
            self.tags |= set(words.split())
        elif section:
            self._section(number, section[1], section[2])
        elif step and self.section in ("Background", "Scenario"):
            self._step(number, step[1], step[2])
        elif self.section in ("Background", "Scenario") and self.kind:
            raise UntrodError(f"line {number}: {words}", "a step begins with Given, When, Then, And or But")

    def _section(self, number: int, name: str, title: str) -> None:
        if name in ("Scenario Outline", "Scenario Template", "Examples"):
            hint = "write each scenario out"
            raise UntrodError(f"line {number}: outlines and tables are not understood", hint)
        self.section, self.kind = "Scenario" if name == "Example" else name, ""
        if self.section == "Scenario":
            scenario = Scenario(title, number, "@always" in self.tags)
            scenario.given.facts += self.background
            self.scenarios.append(scenario)
            self.tags = set()

    def _step(self, number: int, word: str, words: str) -> None:
        if word not in ("And", "But", "*"):
            self.kind = word
        try:
            if self.section == "Background":
                self.background.append(self._given(words))
            else:
                self._add(self.scenarios[-1], words)
        except UntrodError as error:
            raise UntrodError(f"line {number}: {error.message}", error.hint) from None

    def _given(self, words: str) -> Formula:
        if self.kind != "Given":
            raise UntrodError("a background has only Given", "move this step into the scenarios")
        return read_phrase(words)

    def _add(self, scenario: Scenario, words: str) -> None:
        match self.kind:
            case "":
                raise UntrodError(f"And what? {words}", "begin with Given, When or Then")
            case "Given" if scenario.moments:
                raise UntrodError("a Given comes before the first When", "write When, or another scenario")
            case "Given":
                scenario.given.facts.append(read_phrase(words))
            case "When":
                scenario.moments.append(Moment([read_phrase(words)]))
            case _:
                _then(scenario.moments[-1] if scenario.moments else scenario.given, words)


def _then(moment: Moment, words: str) -> None:
    found = WHEN.fullmatch(words)
    if not found:
        moment.checks.append(read_phrase(words))
    elif found["always"]:
        moment.checks.append(Always(read_phrase(found["rest"]), None))
    elif found["never"]:
        moment.checks.append(Always(Not(read_phrase(found["rest"])), None))
    else:
        moment.later.append((read_phrase(found["rest"]), _bound(found)))


def _bound(found: re.Match[str]) -> Bound | None:
    if found["limit"] is None:
        return None
    if found["unit"].startswith("step"):
        return Bound(int(float(found["limit"])))
    factor = 1 if found["unit"].startswith("m") else 1000
    return Bound(round(float(found["limit"]) * factor), "ms")


def _shown(moments: list[Moment]) -> Formula:
    """All of it happens, one step after the other."""
    first, rest = moments[0], moments[1:]
    following: list[Formula] = [Next(_shown(rest))] if rest else []
    return _both([*first.facts, *first.checks, *_later(first, following)])


def _rule(moments: list[Moment]) -> Formula:
    """Whenever the first one happens, its checks hold, and then the same for the rest."""
    first, rest = moments[0], moments[1:]
    following: list[Formula] = [WeakNext(_rule(rest))] if rest else []
    when = _both(first.facts)
    then = _both([*first.checks, *_later(first, following)])
    return then if when is TRUE else Implies(when, then)


def _later(moment: Moment, following: list[Formula]) -> list[Formula]:
    for formula, bound in reversed(moment.later):
        following = [Eventually(_both([formula, *following]), bound)]
    return following


def _both(parts: list[Formula]) -> Formula:
    flat = [piece for part in parts for piece in (part.parts if isinstance(part, And) else (part,))]
    return TRUE if not flat else flat[0] if len(flat) == 1 else And(tuple(flat))


def read_phrase(words: str) -> Formula:
    """Raises UntrodError with some phrases that are understood."""
    words = words.strip().rstrip(".")
    if "[" in re.sub(r'"[^"]*"', "", words):
        return parse(words)
    for pattern, make in PHRASES:
        found = re.fullmatch(pattern, words, re.IGNORECASE)
        if found:
            return make(found)
    raise UntrodError(f"cannot make sense of: {words}", f"understood are {EXAMPLES}")
