"""Flask-Admin."""

from __future__ import annotations

from bench.gui.apps.base import App
from bench.gui.apps.task import Task

PENCIL, BIN = "\uf040", "\uf1f8"
"""Icons of a font, and all the name that the two buttons in each row have."""

APP = App(
    name="Flask-Admin",
    site="flask_admin",
    module="flask_admin",
    path="/admin/",
    tasks=(
        Task(
            "a team is created",
            '[activity ~ /team/] & [text ~ "successfully created"]',
            ("[activity ~ /team/new/]", "[actionType = type]"),
            (("click", "Team"), ("click", "Create"), ("type", "Name"), ("click", "Save")),
        ),
        Task(
            "a person is created and another one begun",
            '[activity ~ /person/new/] & [text ~ "successfully created"]',
            ("[activity ~ /person/new/]", "[actionType = type]"),
            (("click", "Person"), ("click", "Create"), ("type", "Name"), ("click", "Save and Add")),
        ),
        Task(
            "a task is deleted",
            '[activity ~ /task/] & [text ~ "successfully deleted"]',
            ("[activity ~ /task/]",),
            (("click", "Task"), ("click", BIN)),
        ),
        Task(
            "a task gets another title",
            '[activity ~ /task/] & [text ~ "successfully saved"]',
            ("[activity ~ /task/edit/]", "[actionType = type]"),
            (("click", "Task"), ("click", PENCIL), ("type", "Title"), ("click", "Save")),
        ),
        Task(
            "a search for people finds nobody",
            '[activity ~ /person/] & [text ~ "no items"]',
            ("[activity ~ /person/]", "[actionType = type]"),
            (("click", "Person"), ("type", "name"), ("click", "Search")),
        ),
    ),
)
