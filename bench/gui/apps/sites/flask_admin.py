"""Flask-Admin over three tables, people, teams and tasks: with selects, required fields and a foreign key."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bench.gui.apps.sites.serving import cached, serve


def main(folder: Path) -> None:
    from flask import Flask, redirect
    from flask_admin import Admin
    from flask_admin.contrib.sqla import ModelView
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.pool import NullPool

    app = Flask(__name__)
    app.config["SECRET_KEY"] = "nothing here is secret"
    app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{folder / 'app.db'}"
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"poolclass": NullPool}  # so that the file can be put back
    db = SQLAlchemy(app)

    class Team(db.Model):  # type: ignore[name-defined, misc]
        id = db.Column(db.Integer, primary_key=True)
        name = db.Column(db.String(40), nullable=False, unique=True)

        def __str__(self) -> str:
            return str(self.name)

    class Person(db.Model):  # type: ignore[name-defined, misc]
        id = db.Column(db.Integer, primary_key=True)
        name = db.Column(db.String(40), nullable=False)
        email = db.Column(db.String(80))
        team_id = db.Column(db.ForeignKey("team.id"))
        team = db.relationship(Team, backref="people")

    class Task(db.Model):  # type: ignore[name-defined, misc]
        id = db.Column(db.Integer, primary_key=True)
        title = db.Column(db.String(80), nullable=False)
        state = db.Column(db.String(10), nullable=False, default="open")
        done = db.Column(db.Boolean, default=False)

    class TaskView(ModelView):  # type: ignore[misc]
        form_choices = {"state": [("open", "Open"), ("waiting", "Waiting"), ("closed", "Closed")]}  # noqa: RUF012
        column_searchable_list = ("title",)
        column_filters = ("state",)

    class PersonView(ModelView):  # type: ignore[misc]
        column_searchable_list = ("name",)
        can_view_details = True

    admin = Admin(app, name="Desk")
    for view, model in ((ModelView, Team), (PersonView, Person), (TaskView, Task)):
        admin.add_view(view(model, db))
    app.add_url_rule("/", view_func=lambda: redirect("/admin/"), endpoint="home")
    with app.app_context():
        db.create_all()
        team = Team(name="kitchen")
        db.session.add_all([team, Person(name="Ann", team=team), Person(name="Ben"), Task(title="bake")])
        db.session.commit()
    shutil.copyfile(folder / "app.db", folder / "clean.db")
    serve(cached(app, "/admin/static/"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
