"""The functions whose worst inputs are hunted: textbook ones, irregular ones, three from PyPI."""

from __future__ import annotations

from bench.worst.subjects import graphs, packages, sorting, strings, tables
from bench.worst.subjects.base import Subject

SUBJECTS: dict[str, Subject] = {
    subject.name: subject
    for module in (sorting, tables, graphs, strings, packages)
    for subject in module.SUBJECTS
}

__all__ = ["SUBJECTS", "Subject"]
