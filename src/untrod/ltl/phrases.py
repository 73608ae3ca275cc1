"""What people write behind Given, When and Then, as formulas.

Either a formula, recognised by its brackets, or one of these, where the quotes are part of the phrase:

    "Saved" is shown                 I see "Saved"                 [text ~ Saved] "Saved" is not shown
    I do not see "Saved"          ![text ~ Saved] I am on "Main"
    [activity ~ Main] the checked is "true"            the title is not "Home"       [checked = true] the
    url contains "done"          the url does not contain ...  [url ~ done] I click "About"
    the user clicks on "About"    [actionType = click] & [actionDetail ~ About] I type "Ann" into "Name"
    ... & [actionValue = Ann] I press "Enter"                                                [actionType =
    key] & [actionValue = Enter] I go back                        the user waits, reloads       [actionType
    = back] I swipe "List"                   any other verb, as a type     [actionType = swipe] &
    [actionDetail ~ List]
"""

from __future__ import annotations

import re
from collections.abc import Callable

from untrod.core.errors import UntrodError
from untrod.ltl.build import action, activity, contains, equals, text
from untrod.ltl.nodes import Formula, Not
from untrod.ltl.parsing import parse

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
