"""A small calendar, for `untrod cover`."""

from __future__ import annotations

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year: int) -> bool:
    if year % 4 != 0:
        return False
    if year % 100 != 0:
        return True
    return year % 400 == 0


def days_in(year: int, month: int) -> int:
    if not 1 <= month <= 12:
        raise ValueError(f"there is no month {month}")
    if month == 2 and is_leap(year):
        return 29
    return MONTHS[month - 1]


def day_of_year(year: int, month: int, day: int) -> int:
    if day < 1 or day > days_in(year, month):
        raise ValueError(f"month {month} has no day {day}")
    return sum(days_in(year, before) for before in range(1, month)) + day


def weekday(year: int, month: int, day: int) -> str:
    """Zeller's congruence."""
    if day < 1 or day > days_in(year, month):
        raise ValueError(f"month {month} has no day {day}")
    if month < 3:
        month += 12
        year -= 1
    century, rest = divmod(year, 100)
    number = (day + 13 * (month + 1) // 5 + rest + rest // 4 + century // 4 + 5 * century) % 7
    return ("Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")[number]


def parse(text: str) -> tuple[int, int, int]:
    """`2024-02-29` as three numbers."""
    parts = text.split("-")
    if len(parts) != 3:
        raise ValueError("a date is year-month-day")
    if not all(part.isdecimal() for part in parts):
        raise ValueError("a date is made of numbers")
    year, month, day = (int(part) for part in parts)
    if day_of_year(year, month, day) == 366:
        return year, 12, 31
    return year, month, day
