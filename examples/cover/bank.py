"""A bank account, for `untrod cover`: what a method does depends on the ones called before."""

from __future__ import annotations


class Refused(Exception):
    """The bank says no."""


class Account:
    def __init__(self, owner: str, limit: int = 0) -> None:
        if not owner:
            raise ValueError("an account belongs to somebody")
        if limit < 0:
            raise ValueError("a limit is how far one may go below zero: 0 or more")
        self.owner = owner
        self.limit = limit
        self.balance = 0
        self.frozen = False

    def deposit(self, amount: int) -> int:
        if amount <= 0:
            raise ValueError("deposit something")
        if self.frozen and self.balance + amount >= 0:
            self.frozen = False
        self.balance += amount
        return self.balance

    def withdraw(self, amount: int) -> int:
        if amount <= 0:
            raise ValueError("withdraw something")
        if self.frozen:
            raise Refused("this account is frozen")
        if self.balance - amount < -self.limit:
            self.frozen = True
            raise Refused("not that much")
        self.balance -= amount
        return self.balance

    def interest(self, percent: int) -> int:
        """Per year, rounded down; those who owe pay double."""
        if self.balance == 0:
            return 0
        rate = percent if self.balance > 0 else 2 * percent
        if rate > 20:
            raise Refused("usury")
        change = self.balance * rate // 100
        self.balance += change
        return change

    @property
    def status(self) -> str:
        if self.frozen:
            return "frozen"
        return "in debt" if self.balance < 0 else "fine"
