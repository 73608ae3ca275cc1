"""Prices in cents, as people write them and as the till shows them."""

from __future__ import annotations

from enum import Enum


class Customer(Enum):
    NEW = "new"
    REGULAR = "regular"
    STAFF = "staff"


def parse_price(text: str) -> int:
    """`3`, `3.5` and `3.50` are prices; so is `EUR 3.50`."""
    text = text.strip()
    if text.startswith("EUR "):
        text = text[4:]
    whole, point, rest = text.partition(".")
    if not whole.isdecimal() or (point and not rest.isdecimal()):
        raise ValueError(f"not a price: {text!r}")
    if len(rest) > 2:
        raise ValueError("there is nothing smaller than a cent")
    return int(whole) * 100 + int(rest.ljust(2, "0"))


def discount(customer: Customer, total: int, voucher: int = 0) -> int:
    """What is taken off: staff pay half, regulars 10 percent less above 50 euros, vouchers come on top."""
    if total < 0:
        raise ValueError("a total is 0 or more")
    if customer is Customer.STAFF:
        off = total // 2
    elif customer is Customer.REGULAR and total > 5_000:
        off = total // 10
    else:
        off = 0
    if voucher:
        off += min(voucher, total - off)
    return off


def by_the_dozen(total: int, pieces: int) -> str:
    """What a dozen of a box costs, for the shelf. (Planted: a box may hold less than a dozen.)"""
    if total < 0 or pieces < 0:
        raise ValueError("a box has a price, and so many pieces")
    price = total // (pieces // 12)
    if price < 100:
        return f"{price} cents a dozen"
    return f"{price // 100}.{price % 100:02} euros a dozen"
