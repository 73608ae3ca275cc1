"""Applications that people use, installed by name, each started on the loopback interface by its own module.

`base.py` says what an application is, `task.py` what it is asked to show, and `sites` has the servers. The
benchmark and the tests share them.
"""

from __future__ import annotations

from bench.gui.apps import datasette, django_admin, flask_admin, tiddlywiki
from bench.gui.apps.base import App

APPS: tuple[App, ...] = (django_admin.APP, datasette.APP, flask_admin.APP, tiddlywiki.APP)
