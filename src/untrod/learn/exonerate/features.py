"""What a decision may depend on, as many small features instead of one state.

One abstract state per decision must choose between too little and too much context. Here every decision is
described by a handful of *features*, from the bare site to the whole path, and the learner finds out which
of them matter. A feature is a hashable key; its first element is its kind, an index into `KINDS`.

Tokens: a level of nesting is summed up by how it was entered and by a window of its own answers. What a
completed inner level answered first (its *head*) stands for it among its siblings.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from untrod.core.vocabulary import Choice, Context

Feature: TypeAlias = tuple[Any, ...]

SITE, NEAR, FAR, PAIR, PATH, RECENT, SIBLING = range(7)
KINDS = ("site", "inside", "under", "under two", "path", "after", "beside")

_MAX_LEVELS = 6
_PAIRED_LEVELS = 4
_MAX_SIBLINGS = 6


def features(choice: Choice) -> list[Feature]:
    """The features of one decision, the most general first. The keys hold no reference to the context."""
    base = (choice.site, choice.options)
    context = choice.context
    if context.given is not None:
        return _of_given(base, tuple(context.given))
    found: list[Feature] = [(SITE, base)]
    levels = _levels(context)
    if levels:
        near = levels[0]
        found.append((NEAR, base, near))
        for far in levels[1:]:
            found.append((FAR, base, far))
        for outer in range(1, min(len(levels), _PAIRED_LEVELS)):
            for inner in range(outer):
                found.append((PAIR, base, levels[inner], levels[outer]))
        if len(levels) > 2:
            found.append((PATH, base, *levels))
    _add_recent(found, base, context)
    return found


def context_key(choice: Choice) -> Hashable:
    """A key of the decision that determines `features(choice)`, at a fraction of the cost."""
    context = choice.context
    if context.given is not None:
        return (choice.site, choice.options, tuple(context.given))
    key: list[Hashable] = [choice.site, choice.options]
    way: Hashable = None
    told = levels = 0
    for frame in reversed(context.frames):
        answers = frame.answers
        heads: Sequence[Any] = getattr(frame, "heads", ())
        if not told and (answers or heads):
            told = 1
            # Where `_add_recent` looks, all that it sees counts, not only the window.
            key.append((*heads[-_MAX_SIBLINGS:],))
            if len(answers) > _MAX_SIBLINGS + 1:
                answers = [answers[0], *answers[-_MAX_SIBLINGS - 1 :]]
            key.append((way, *answers))
            levels += bool(answers)
        elif answers:
            key.append((way, *_window(answers)))
            levels += 1
        if levels == _MAX_LEVELS:
            break
        way = frame.entered_from
    return tuple(key)


def _levels(context: Context) -> list[tuple[Hashable, ...]]:
    """The tokens of the enclosing levels that have answered something, innermost first."""
    tokens: list[tuple[Hashable, ...]] = []
    way: Hashable = None  # how the level below was entered from this one
    for frame in reversed(context.frames):
        answers = frame.answers
        if answers:
            tokens.append((way, *_window(answers)))
            if len(tokens) == _MAX_LEVELS:
                break
        way = frame.entered_from
    return tokens


def _window(answers: Sequence[Any]) -> Sequence[Any]:
    return answers if len(answers) <= 5 else (answers[0], *answers[-3:])


def _add_recent(found: list[Feature], base: Feature, context: Context) -> None:
    """Neighbours in time and among siblings: order, repetition and balance show up here."""
    for frame in reversed(context.frames):
        answers: Sequence[Any] = frame.answers
        heads: Sequence[Any] = getattr(frame, "heads", ())
        if answers or heads:
            break
    else:
        return
    if len(answers) > 1:
        found.append((RECENT, base, answers[-1]))
        found.append((RECENT, base, answers[-2], answers[-1]))
    siblings = heads if heads else answers[:-1]
    if siblings:
        for sibling in dict.fromkeys(siblings[-_MAX_SIBLINGS:]):
            found.append((SIBLING, base, sibling))


def _of_given(base: Feature, given: tuple[Hashable, ...]) -> list[Feature]:
    """The target said what counts: every suffix of it, and every two neighbours in it."""
    found: list[Feature] = [(SITE, base)]
    for length in range(1, len(given) + 1):
        found.append((NEAR if length < len(given) else PATH, base, *given[-length:]))
    for start in range(len(given) - 2):
        found.append((FAR, base, given[start], given[start + 1]))
    return found
