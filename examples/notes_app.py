"""A small web application for `untrod gui`: notes, with a few faults planted in it.

    python examples/notes_app.py 8000
    untrod gui http://127.0.0.1:8000 --spec "F [text ~ \"is saved\"]"

Planted, each found by the specification beside it:

- a cancelled note is kept                        G ([actionDetail = Cancel] -> ![text ~ milk])
- sorting an empty list throws in the page        G ![event = exception]
- searching for what nobody wrote is an error     G ![event = server-error]
- Help leads to a page that is not there          G ![event = client-error]

Every visitor has notes of their own: they go by a cookie, so a browser without cookies starts from nothing.
Standard library only.
"""

from __future__ import annotations

import sys
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

PAGE = """<!doctype html><html lang=en><title>{title}</title>
<nav><a href="/">Notes</a> <a href="/settings">Settings</a> <a href="/about">About</a>
<a href="/help">Help</a></nav>
<main><h1>{title}</h1>{body}</main></html>"""

SORT = """<button id=sort>Sort</button><script>
document.querySelector('#sort').onclick = () => {
  const list = document.querySelector('ul');
  const items = [...list.children].sort((a, b) => a.textContent.localeCompare(b.textContent));
  list.replaceChildren(...items);
};</script>"""

FORM = """<form method=post action=/new><label>Title <input name=title value="{value}"></label>
<button name=do value=save>Save</button> <button name=do value=cancel>Cancel</button></form>"""


class NotesApp(BaseHTTPRequestHandler):
    """`notes` are those of all visitors, by the number in their cookie."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or the body of every answer waits 40 ms for the head to be acknowledged
    visitors = count(1)
    notes: ClassVar[dict[str, list[str]]] = {}

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        match url.path:
            case "/":
                self._list(self._mine(), "is saved" if "saved" in url.query else "")
            case "/new":
                self._page("New note", FORM.format(value=""))
            case "/search":
                self._search(parse_qs(url.query).get("q", [""])[0])
            case "/settings":
                self._page("Settings", "<label><input type=checkbox> Dark</label> <button>Apply</button>")
            case "/about":
                self._page("About", "<p>Written for the examples.</p>")
            case _:
                self._page("Not found", "<p>There is no such page.</p>", 404)

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        title, mine = form.get("title", [""])[0].strip(), self._mine()
        if self.path == "/new":
            # Planted: it does not ask which button it was.
            if title:
                mine.append(title)
            self._redirect("/?saved" if form.get("do") == ["save"] and title else "/")
        elif self.path == "/delete" and title in mine:
            mine.remove(title)
            self._redirect("/")
        else:
            self._page("Not found", "", 404)

    def _list(self, notes: list[str], status: str) -> None:
        items = "".join(
            f"<li><span>{escape(note)}</span> <form method=post action=/delete style='display:inline'>"
            f'<input type=hidden name=title value="{escape(note)}"><button>Delete</button></form></li>'
            for note in notes
        )
        told = f"<p role=status>The note {status}.</p>" if status else ""
        # Planted: without notes there is no list to be sorted.
        listed = f"<ul>{items}</ul>" if notes else "<p>No notes yet.</p>"
        search = "<form action=/search><label>Find <input type=search name=q></label></form>"
        self._page("Notes", f"{told}{listed}<a href=/new>New note</a>{SORT}{search}")

    def _search(self, words: str) -> None:
        found = [note for note in self._mine() if words in note]
        if not found:
            self._page("Error", "<p>IndexError: list index out of range</p>", 500)  # planted
            return
        self._list(found, "")

    def _mine(self) -> list[str]:
        cookie = SimpleCookie(self.headers.get("Cookie", ""))
        self.visitor = cookie["visitor"].value if "visitor" in cookie else str(next(self.visitors))
        return self.notes.setdefault(self.visitor, [])

    def _page(self, title: str, body: str, status: int = 200) -> None:
        self._answer(status, PAGE.format(title=title, body=body).encode())

    def _redirect(self, to: str) -> None:
        self._answer(303, b"", ("Location", to))

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", f"visitor={getattr(self, 'visitor', '')}; Path=/")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def serve(port: int = 0) -> ThreadingHTTPServer:
    """A server on the loopback interface, yet to be started by `serve_forever`. Port 0: any that is free."""
    return ThreadingHTTPServer(("127.0.0.1", port), NotesApp)


if __name__ == "__main__":
    server = serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
