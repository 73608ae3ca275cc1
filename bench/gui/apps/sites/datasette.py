"""Datasette with a small library: authors, books and loans. It only reads, so nothing has to be put back."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from bench.gui.apps.sites.serving import announce, free_socket

TABLES = """
create table authors (id integer primary key, name text not null, country text);
create table books (id integer primary key, title text, year integer, author integer references authors(id));
create table loans (id integer primary key, book integer references books(id), reader text, returned integer);
create view overdue as select * from loans where not returned;
insert into authors values (1, 'Ada Ash', 'Iceland'), (2, 'Bo Birch', 'Peru'), (3, 'Cy Cedar', 'Peru');
insert into books values (1, 'Rivers', 1990, 1), (2, 'Roads', 2001, 2), (3, 'Roofs', 2001, 3);
insert into books values (4, 'Rooms', 2015, 1);
insert into loans values (1, 1, 'Dee', 0), (2, 3, 'Eli', 1), (3, 4, 'Dee', 1);
"""


def main(folder: Path) -> None:
    import uvicorn
    from datasette.app import Datasette

    path = folder / "library.db"
    with sqlite3.connect(path) as database:
        database.executescript(TABLES)
    database.close()
    bound = free_socket()
    site = Datasette([str(path)]).app()
    announce(bound.getsockname()[1])
    uvicorn.Server(uvicorn.Config(site, log_level="critical")).run([bound])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
