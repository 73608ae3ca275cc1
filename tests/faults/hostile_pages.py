"""Pages that mean harm: what each does, as the markup of a page that is reached by a link of that name.

Each has the heading `here` and, where it lives long enough to be operated, a button `Press`.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PRESS = "<h1>here</h1><button onclick=\"this.previousElementSibling.textContent = 'pressed'\">Press</button>"


def script(source: str) -> str:
    return f"<script>{source}</script>{PRESS}"


def on_press(source: str) -> str:
    return f'<h1>here</h1><button onclick="{source}">Press</button>'


REPLACED = """
    const no = () => { throw new Error('no') };
    for (const kind of [Array, String, Set, Map, Promise, Function, RegExp, Number, Date, Event, EventTarget,
        Node, Element, HTMLElement, Document, MutationObserver, CSSStyleDeclaration, Performance])
      for (const name of Object.getOwnPropertyNames(kind.prototype))
        try { kind.prototype[name] = no; } catch {}
    for (const name of ['querySelectorAll', 'querySelector', 'evaluate', 'createTreeWalker'])
      document[name] = no;
    Array.prototype[Symbol.iterator] = no;
    for (const name of ['JSON', 'MutationObserver', 'Promise', 'setTimeout', 'getComputedStyle',
        'CustomEvent', 'Array', 'Math', 'MouseEvent', 'performance', 'requestAnimationFrame', 'fetch'])
      window[name] = no;
    Object.getOwnPropertyNames = Object.hasOwn = Object.getPrototypeOf = Reflect.apply = no;
"""
ROOTS = """
    for (const name of ['calm', 'url', 'title', 'detail', 'value', 'then', 'toJSON', 'once', 'pointed'])
      Object.defineProperty(Object.prototype, name, {
        get() { throw new Error('get') }, set() { throw new Error('set') }, configurable: true });
"""
OURS = """
    const bad = { settle: () => ({ calm: 'perhaps', url: 7, title: { toString() { throw 1 } } }),
      reach: () => [{}], pointed: null, get clear() { throw 1 } };
    for (const name of ['untrod', '__untrod']) {
      Object.defineProperty(window, name, { get: () => bad, set() {} });
      Object.defineProperty(Object.prototype, name, { get: () => bad, set() {} });
    }
"""
CLOBBERED = f"""{PRESS}
    <img name=body><img name=title><img name=querySelector><img name=getElementsByTagName>
    <form name=readyState></form><embed name=styleSheets><form id=untrod style="cursor:pointer">text
    <input name=closest><input name=matches><input name=querySelector><input name=parentElement>
    <input name=innerText><input name=getClientRects></form>"""
OBJECTS = """
    const nasty = { toString() { throw new Error('no') }, toJSON() { throw 1 }, get message() { throw 2 } };
    console.error(nasty, Symbol('x'), new Proxy({}, { get() { throw 3 } }), 10n, NaN, document, window);
    addEventListener('error', () => {});
    for (const thrown of [nasty, null, Symbol('s')]) setTimeout(() => { throw thrown });
    Promise.reject(nasty); Promise.reject(undefined);
    try { document.title = nasty } catch {}
"""
GREEDY = """
    for (const kind of ['click', 'mousedown', 'mousemove', 'pointerdown', 'keydown', 'input', 'submit'])
      addEventListener(kind, (event) => { event.stopImmediatePropagation(); event.preventDefault(); }, true);
    addEventListener('mousemove', () => document.querySelector('button')?.remove(), true);
"""
ASKING = """
    const ask = () => { Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {});
      navigator.mediaDevices?.getUserMedia({ video: true }); document.documentElement.requestFullscreen();
      navigator.clipboard?.readText(); navigator.share?.({ text: 'x' }); document.body.requestPointerLock();
      window.showOpenFilePicker?.(); navigator.usb?.requestDevice({ filters: [] }); };
    addEventListener('click', ask); addEventListener('load', ask);
"""
FRAMES = """
    addEventListener('load', () => {
      for (let n = 0; n < 60; n++) {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.srcdoc = '<button>inner</button><script>parent.document.title = 1; setInterval(() => {'
          + 'try { parent.document.body.append(frameElement.cloneNode()) } catch {} frameElement.remove()'
          + '}, 5)<\\/script>';
      }
    });
"""
SAVING = """
    addEventListener('load', () => { for (let n = 0; n < 30; n++) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['x'])); link.download = `../../stolen-${n}.txt`;
      link.click(); } });
"""
NESTED = "a { " * 3000 + "color: red" + " }" * 3000

QUICK = {
    "replaced": script(REPLACED),
    "roots": script(ROOTS),
    "ours": script(OURS),
    "clobbered": CLOBBERED,
    "objects": script(OBJECTS),
    "greedy": script(GREEDY),
    "written": script(
        "addEventListener('load', () => { for (let n = 0; n < 50; n++) { document.open();"
        f"document.write({PRESS!r}); document.close(); }} }})"
    ),
    "removed": script("addEventListener('load', () => document.documentElement.remove())"),
    "asking": script(ASKING),
    "frames": script(FRAMES),
    "saving": script(SAVING) + "<a href=/file>File</a>",
    "many": script(
        "addEventListener('load', () => { document.body.innerHTML += '<i>x</i>'.repeat(200000) })"
    ),
    "long": script(
        "document.title = 'x'.repeat(1e7); addEventListener('load', () => {"
        "document.body.append('y'.repeat(1e7)); document.querySelector('button').ariaLabel ="
        "'z'.repeat(1e6); history.replaceState(0, '', '/long?' + 'q'.repeat(1e6)) })"
    ),
    "deep": script(
        "addEventListener('load', () => { let e = document.body; for (let n = 0; n < 20000; n++)"
        "e = e.appendChild(document.createElement('b')) })"
    )
    + f"<style>{NESTED}</style>",
    "halves": script(
        r"document.title = 'a\ud800b'; console.error('\udc00', '\ud83d\ude00\ud83d');"
        r"addEventListener('load', () => { document.querySelector('h1').append('\udfff');"
        r"document.querySelector('button').ariaLabel = 'P\ud800'; location.hash = '\ud800';"
        r"alert('\ud800\x1b[31m\u202e'); setTimeout(() => { throw '\udead' }) })"
    ),
    "escapes": script(
        r"document.title = '\x1b]0;owned\x07\x1b[2J\u202e'; console.error('\x1b[31m\nred\r\x00');"
    ),
    "loud": script(
        "setInterval(() => { for (let n = 0; n < 3000; n++) console.error(n, 'x'.repeat(1000)) }, 1)"
    ),
    "debugger": script("setInterval(() => { debugger }, 1); debugger"),
    "printing": script("print(); setInterval(print, 10)"),
    "chooser": "<h1>here</h1><input type=file id=f aria-label=File>"
    '<button onclick="f.click(); f.showPicker()">Press</button>',
    "restless": script(
        "setInterval(() => document.body.append(' '), 1); setInterval(() => fetch('/?' + Math.random()))"
    ),
    "wandering": script(
        "history.pushState(0, '', '?0'); setInterval(() => history.pushState(0, '', '?' + Math.random()),1)"
    ),
    "fleeing": script("setTimeout(() => { location = '/fleeing?' + Math.random() }, 20)"),
    "reloading": script("location.reload()"),
    "refreshing": f"<meta http-equiv=refresh content=0>{PRESS}",
    "staying": script(
        "onbeforeunload = (e) => { e.preventDefault(); e.returnValue = 'x'; setTimeout(() => location ="
        "'/staying?' + Math.random()); return 'stay' }"
    ),
    "policy": f"<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; sandbox\">{PRESS}",
    "svg": "<svg xmlns='http://www.w3.org/2000/svg'><title>x</title><text y='20'>here</text></svg>",
    "text": "no markup \x1b[31m at all \x00",
    "bytes": "\x00\x01\x02\ufffe",
}
"""What is over soon."""
ENDLESS = {
    "alerting": script(
        "addEventListener('load', () => setTimeout(() => { while (true) alert('again') }, 50))"
    ),
    "asking-on": on_press("while (confirm('again')) prompt('and again')"),
    "dialogs": script("setInterval(() => prompt('p'), 1)"),
    "opening": script("setInterval(() => window.open('/popper', '_blank', 'noopener'), 1)"),
    "opening-on": on_press("for (let n = 0; n < 300; n++) window.open('about:blank')"),
    "looping": on_press("while (true);"),
    "looping-later": script("setTimeout(() => { while (true); }, 100)"),
    "microtasks": on_press("(function on() { Promise.resolve().then(on) })()"),
    "writing": on_press("while (true) document.write('<b>x</b>')"),
}
"""What goes on until somebody ends it."""
PAGES = {**QUICK, **ENDLESS}
KINDS = {"svg": "image/svg+xml", "text": "text/plain", "bytes": "application/octet-stream"}


class Hostile(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].strip("/")
        if name == "file":
            self._answer(
                "data", "text/plain", ("Content-Disposition", 'attachment; filename="../../../stolen.txt"')
            )
        elif name == "popper":
            self._answer("<script>setInterval(() => window.open('/popper'), 1)</script>", "text/html")
        elif name in PAGES:
            self._answer(PAGES[name], KINDS.get(name, "text/html"))
        else:
            links = "".join(f"<li><a href=/{each}>{each}</a></li>" for each in PAGES)
            self._answer(f"<title>index</title><h1>index</h1><ul>{links}</ul>", "text/html")

    def _answer(self, body: str, kind: str, *headers: tuple[str, str]) -> None:
        data = body.encode()
        self.send_response(200)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))), *headers):
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            pass  # it went elsewhere

    def log_message(self, format: str, *args: object) -> None: ...


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, address: object) -> None: ...


def serve() -> tuple[Server, str]:
    server = Server(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"
