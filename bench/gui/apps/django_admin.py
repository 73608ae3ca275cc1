"""Django's admin."""

from __future__ import annotations

from typing import Any

from bench.gui.apps.base import App
from bench.gui.apps.task import Task


def log_in(page: Any) -> None:
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Log in").click()


APP = App(
    name="Django admin",
    site="django_admin",
    module="django",
    path="/admin/",
    steps=8,
    login=log_in,
    words={"URL:": ["/milk/"], "Redirect from:": ["/milk/"]},
    tasks=(
        Task(
            "a group is added",
            '[activity ~ /auth/group/] & [text ~ "was added successfully"]',
            ("[activity ~ /auth/group/add/]", "[actionType = type]"),
            (("click", "Groups"), ("click", "Add group"), ("type", "Name:"), ("click", "Save")),
        ),
        Task(
            "a site is added",
            '[activity ~ /sites/site/] & [text ~ "was added successfully"]',
            ("[activity ~ /sites/site/add/]", "[actionType = type]", "[actionType = type]"),
            (
                ("click", "Sites"),
                ("click", "Add site"),
                ("type", "Domain name:"),
                ("type", "Display name:"),
                ("click", "Save"),
            ),
        ),
        Task(
            "a search for users finds nobody",
            '[activity ~ /auth/user/] & [text ~ "0 results"]',
            ("[activity ~ /auth/user/]", "[actionType = type]"),
            (("click", "Users"), ("type", "Search"), ("click", "Search")),
        ),
        Task(
            "deleting several groups is asked for",
            '[activity ~ /auth/group/] & [text ~ "Are you sure"]',
            ("[activity ~ /auth/group/]", "[checked = true]", "[actionType = select]"),
            (("click", "Groups"), ("click", "action - editors"), ("select", "Action:"), ("click", "Go")),
        ),
        Task(
            "a wrong password is refused",
            '[activity ~ password_change] & [text ~ "entered incorrectly"]',
            (
                "[activity ~ password_change]",
                "[actionType = type]",
                "[actionType = type]",
                "[actionType = type]",
            ),
            (
                ("click", "Change password"),
                ("type", "Old password:"),
                ("type", "New password:"),
                ("type", "New password confirmation:"),
                ("click", "Change my password"),
            ),
        ),
    ),
)
