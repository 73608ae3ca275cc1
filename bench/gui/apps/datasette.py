"""Datasette."""

from __future__ import annotations

from bench.gui.apps.base import App
from bench.gui.apps.task import Task

APP = App(
    name="Datasette",
    site="datasette",
    module="datasette",
    tasks=(
        Task(
            "books are sorted by year",
            "[url ~ _sort=year]",
            ("[activity ~ /library/books]", "[actionType = click]"),
            (("click", "books"), ("click", "year")),
        ),
        Task(
            "what is no SQL is refused",
            '[activity ~ /library] & [text ~ "must be a SELECT"]',
            ("[activity ~ /library]", "[actionType = type]"),
            (("click", "library"), ("type", ""), ("click", "Run SQL")),
        ),
        Task(
            "from an author to the books by her",
            '[url ~ author=1] & [text ~ "2 rows where"]',
            ("[activity ~ /library/authors/1]", "[actionType = click]"),
            (("click", "authors"), ("click", "1"), ("click", "2 rows")),
        ),
        Task(
            "a filter that nothing passes",
            '[activity ~ /library/books] & [text ~ "0 rows where"]',
            ("[activity ~ /library/books]", "[actionType = select]", "[actionType = type]"),
            (("click", "books"), ("select", "", "title"), ("type", ""), ("click", "Apply")),
        ),
        Task(
            "the loans of one reader, by a facet",
            "[activity ~ /library/loans] & [url ~ reader=Dee]",
            ("[activity ~ /library/loans]", "[url ~ _facet=reader]"),
            (("click", "loans"), ("click", "reader"), ("click", "Dee")),
        ),
    ),
)
