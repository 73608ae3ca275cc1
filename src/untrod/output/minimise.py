"""The smallest trace that still shows a finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from untrod.core.vocabulary import Answer, Trace

Answers = tuple[Answer, ...]

_SHORT = 12
_LONGEST_PAIRED_DELETION = 8  # answers one element of a collection usually takes; longer ones go by chunks


@dataclass(frozen=True, slots=True)
class Minimised:
    """`trace` was confirmed by the last check that succeeded, unless `reproduced` is False: then the original
    trace never failed when it was checked and comes back as it was.

    `complete` says that no pass can improve the trace; it is False when checks ran out or a stop was asked.
    """

    trace: Trace
    checks: int
    complete: bool
    reproduced: bool = True


def minimise(
    trace: Trace,
    still_fails: Callable[[Trace], bool],
    *,
    max_checks: int,
    stop: Callable[[], bool] = lambda: False,
) -> Minimised:
    """Reduce `trace` as long as `still_fails` agrees.

    Traces are compared shortlex: fewer answers first, then smaller ones, 0 being the simplest. An answer may
    change what the later ones mean, so nothing is assumed about a candidate: each is checked, none twice, in
    an order that depends on the trace alone. `stop` is asked before each check.

        repeat until nothing changes:
            cut the tail, delete chunks, zero chunks, lower single answers
            only then: lower one answer and delete a few others with it    (a count and what it counts)
    """
    search = _Search(trace.answers, still_fails, max_checks, stop)
    try:
        if not search.check(trace.answers):
            return Minimised(trace, search.checks, complete=False, reproduced=False)
        search.confirmed = True
        _reduce(search)
    except _OutOfChecks:
        return Minimised(Trace(search.best), search.checks, complete=False, reproduced=search.confirmed)
    return Minimised(Trace(search.best), search.checks, complete=True)


class _OutOfChecks(Exception):
    """Ends the search wherever it is: the best trace so far is already confirmed."""


class _Search:
    def __init__(
        self,
        answers: Answers,
        still_fails: Callable[[Trace], bool],
        max_checks: int,
        stop: Callable[[], bool],
    ) -> None:
        self.best = answers
        self.checks = 0
        self.confirmed = False
        self._still_fails = still_fails
        self._max_checks = max_checks
        self._stop = stop
        # Keyed by repr, since 0 == False == 0.0 and a target may tell them apart.
        self._known: dict[str, bool] = {}

    def check(self, answers: Answers) -> bool:
        key = repr(answers)
        if key not in self._known:
            if self.checks >= self._max_checks or self._stop():
                raise _OutOfChecks
            self.checks += 1
            self._known[key] = bool(self._still_fails(Trace(answers)))
        return self._known[key]

    def adopt(self, candidate: Answers) -> bool:
        """Make `candidate` the best trace if it is simpler and still fails."""
        if not _simpler(candidate, self.best) or not self.check(candidate):
            return False
        self.best = candidate
        return True


def _reduce(search: _Search) -> None:
    while True:
        before = search.best
        for improve in (_cut_tail, _delete_chunks, _zero_chunks, _lower_each):
            improve(search)
        if search.best == before and not _delete_and_lower(search):
            return


def _cut_tail(search: _Search) -> None:
    for size in _halvings(len(search.best)):
        while size <= len(search.best) and search.adopt(search.best[: len(search.best) - size]):
            pass


def _delete_chunks(search: _Search) -> None:
    """Delete chunks: of a short trace in every size, since a detour often is two steps there and back."""
    length = len(search.best)
    for size in range(length, 0, -1) if length <= _SHORT else _halvings(length):
        # From the end: what was drawn last has the fewest others depending on it.
        start = len(search.best) - size
        while start >= 0:
            search.adopt(search.best[:start] + search.best[start + size :])
            start = min(start - 1, len(search.best) - size)


def _zero_chunks(search: _Search) -> None:
    for size in _halvings(len(search.best)):
        for start in range(0, len(search.best), size):
            chunk = search.best[start : start + size]
            zeros = tuple(_simplest(answer) for answer in chunk)
            search.adopt(search.best[:start] + zeros + search.best[start + size :])


def _lower_each(search: _Search) -> None:
    for place in range(len(search.best)):
        answer = search.best[place]
        if _lowerable(answer) and not search.adopt(_with(search.best, place, _simplest(answer))):
            _descend(search, place)


def _descend(search: _Search, place: int) -> None:
    """Halve the gap between an answer that is too low and the one that fails, then go on by ones."""
    too_low = 0
    while True:
        failing = search.best[place]
        if isinstance(failing, bool) or not isinstance(failing, int) or failing - too_low <= 1:
            break
        middle = (too_low + failing) // 2
        if not search.adopt(_with(search.best, place, middle)):
            too_low = middle
    while _step_down(search, place):
        pass


def _step_down(search: _Search, place: int) -> bool:
    answer = search.best[place]
    return (
        _lowerable(answer)
        and isinstance(answer, int)
        and search.adopt(_with(search.best, place, _towards_zero(answer)))
    )


def _delete_and_lower(search: _Search) -> bool:
    """One success is enough: the cheaper passes then run again on a shorter trace."""
    for place, answer in enumerate(search.best):
        if not _lowerable(answer):
            continue
        for lowered in dict.fromkeys((_towards_zero(answer), _simplest(answer))):
            changed = _with(search.best, place, lowered)
            for size in range(1, min(_LONGEST_PAIRED_DELETION, len(changed) - 1) + 1):
                for start in range(len(changed) - size + 1):
                    if start <= place < start + size:
                        continue
                    if search.adopt(changed[:start] + changed[start + size :]):
                        return True
    return False


def _halvings(length: int) -> Iterator[int]:
    while length > 0:
        yield length
        length //= 2


def _with(answers: Answers, place: int, answer: Answer) -> Answers:
    return (*answers[:place], answer, *answers[place + 1 :])


def _simpler(left: Answers, right: Answers) -> bool:
    if len(left) != len(right):
        return len(left) < len(right)
    for mine, other in zip(left, right, strict=True):
        if _size(mine) != _size(other):
            return _size(mine) < _size(other)
    return False


def _size(answer: Answer) -> tuple[int, bool]:
    """Orders the answers that can be lowered; the others are equally simple and only ever deleted."""
    return (abs(answer), answer < 0) if isinstance(answer, int) else (0, False)


def _lowerable(answer: Answer) -> bool:
    return isinstance(answer, int) and answer != 0


def _simplest(answer: Answer) -> Answer:
    if isinstance(answer, bool):
        return False
    return 0 if isinstance(answer, int) else answer


def _towards_zero(answer: Answer) -> Answer:
    if isinstance(answer, bool) or not isinstance(answer, int):
        return _simplest(answer)
    return answer - 1 if answer > 0 else answer + 1
