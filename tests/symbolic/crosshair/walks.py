"""Walks through small functions with CrossHair's engine, for the tests beside."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from untrod.symbolic.crosshair.executor import CrosshairExecutor
from untrod.symbolic.protocol import Branch, Condition, Location, PathResult


class Always:
    """A policy with one answer, which remembers what it was asked and told."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.asked: list[Location] = []
        self.told: list[tuple[Branch, bool]] = []

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        self.asked.append(location)
        return self.answer

    def feedback(self, branch: Branch, feasible: bool) -> None:
        self.told.append((branch, feasible))


def first(function: Callable[..., Any], answer: bool = False, **options: Any) -> PathResult:
    executor = CrosshairExecutor(function, **options)
    return executor.advance(executor.initial(), Always(answer), max_branches=100)


def explore(function: Callable[..., Any], paths: int = 200, **options: Any) -> list[PathResult]:
    """The shallowest state first, to the end or for so many paths."""
    executor = CrosshairExecutor(function, **options)
    frontier, results = [executor.initial()], []
    while frontier and len(results) < paths:
        state = min(frontier, key=lambda state: (state.depth, state.id))
        frontier.remove(state)
        results.append(executor.advance(state, Always(False), max_branches=50))
        frontier += results[-1].pending
    return results


def concretely(function: Callable[..., Any], inputs: tuple[Any, ...]) -> tuple[Any, str]:
    try:
        return function(*copy.deepcopy(inputs)), ""
    except Exception as error:
        return None, repr(error)


@dataclass
class Account:
    balance: int
    owner: str
    vip: bool = False


def of_text(text: str) -> str:
    if text.startswith("ab"):
        return "prefix"
    if text.isdigit() and len(text) == 2:
        return "two digits"
    return "other"


def of_list(numbers: list[int]) -> str:
    large = 0
    for number in numbers:
        if number > 100:
            large += 1
    if large >= 2:
        return "many"
    return "exact" if len(numbers) == 1 and numbers[0] * 3 == 21 else "few"


def of_class(account: Account, amount: int) -> str:
    if account.vip:
        return "vip"
    if account.balance < amount:
        raise ValueError(f"{amount - account.balance} too little")
    return "bob" if account.owner == "bob" else "other"


def two_ways(number: int) -> int:
    return 1 if number > 3 else 2
