"""The shop's page: `python -m shop.web 8010`. Standard library only."""

from __future__ import annotations

import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import ClassVar
from urllib.parse import urlsplit

PAGE = """<!doctype html><html lang=en><title>Shop</title>
<nav><a href="/">Articles</a> <a href="/cart">Cart</a> <a href="/about">About</a></nav>
<main><h1>{title}</h1>{body}</main></html>"""
ARTICLES = "".join(
    f"<form method=post action=/add/{name}><button>Add {name}</button></form>" for name in ("tea", "cup")
)
CART = """<p>{number} in the cart, voucher {used}</p>
<form method=post action=/voucher><button>Use voucher</button></form>
<form method=post action=/empty><button>Empty cart</button></form>"""

ABOUT = """<p>A small shop.</p><a href="/imprint">Imprint</a>"""


class Shop(BaseHTTPRequestHandler):
    """Every visitor has a cart of their own, by a cookie. (Planted: a used voucher is asked
    for again, and there is no imprint.)"""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    visitors = count(1)
    carts: ClassVar[dict[str, list[str]]] = {}
    vouchers: ClassVar[dict[str, list[str]]] = {}

    def do_GET(self) -> None:
        who = self._who()
        match urlsplit(self.path).path:
            case "/":
                self._page("Articles", ARTICLES)
            case "/cart":
                used = "not used" if self.vouchers[who] else "used"
                self._page("Cart", CART.format(number=len(self.carts[who]), used=used))
            case "/about":
                self._page("About", ABOUT)
            case _:
                self._page("Nothing here", "", 404)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        who = self._who()
        path = urlsplit(self.path).path
        if path.startswith("/add/"):
            self.carts[who].append(path[5:])
        elif path == "/empty":
            self.carts[who].clear()
        elif path == "/voucher" and self.carts[who]:
            if not self.vouchers[who]:
                self._page("Something went wrong", "", 500)
                return
            self.vouchers[who].pop()
        self.send_response(303)
        self.send_header("Location", "/cart")
        self._end(b"", who)

    def _who(self) -> str:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("visitor")
        who = cookie.value if cookie is not None else str(next(self.visitors))
        self.carts.setdefault(who, [])
        self.vouchers.setdefault(who, ["WELCOME"])
        self._visitor = who
        return who

    def _page(self, title: str, body: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self._end(PAGE.format(title=title, body=body).encode(), self._visitor)

    def _end(self, body: bytes, who: str) -> None:
        self.send_header("Set-Cookie", f"visitor={who}; Path=/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8010
    ThreadingHTTPServer(("127.0.0.1", port), Shop).serve_forever()


if __name__ == "__main__":
    main()
