"""Django's admin as it comes: users, groups, sites, redirects and flat pages. Ann may do everything."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bench.gui.apps.sites.serving import cached, serve

APPS = (
    "admin",
    "auth",
    "contenttypes",
    "sessions",
    "messages",
    "staticfiles",
    "sites",
    "redirects",
    "flatpages",
)
MIDDLEWARE = ("sessions.middleware.Session", "auth.middleware.Authentication", "messages.middleware.Message")
PROCESSORS = ("auth.context_processors.auth", "messages.context_processors.messages")


def main(folder: Path) -> None:
    import django
    from django.conf import settings

    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "app.db"}},
        DEBUG=False,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=[f"django.contrib.{name}" for name in APPS],
        MIDDLEWARE=[f"django.contrib.{name}Middleware" for name in MIDDLEWARE],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],  # quick; nothing here is secret
        ROOT_URLCONF=__name__,
        SECRET_KEY="nothing here is secret",
        # In the cookie: so a login outlives the database that is put back under it.
        SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
        SITE_ID=1,
        STATIC_URL="static/",
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        *(f"django.contrib.{name}" for name in PROCESSORS),
                    ]
                },
            }
        ],
        USE_TZ=True,
    )
    django.setup()
    _fill()
    shutil.copyfile(folder / "app.db", folder / "clean.db")

    from django.contrib import admin
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.wsgi import get_wsgi_application
    from django.urls import path

    urlpatterns.append(path("admin/", admin.site.urls))
    serve(cached(StaticFilesHandler(get_wsgi_application()), "/static/"))


def _fill() -> None:
    from django.contrib.auth.models import Group, User
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    User.objects.create_superuser("ann", "ann@example.org", "secret")
    User.objects.create_user("ben", "ben@example.org", "secret", is_staff=True)
    Group.objects.create(name="editors")
    connection.close()


urlpatterns: list[object] = []

if __name__ == "__main__":
    main(Path(sys.argv[1]))
