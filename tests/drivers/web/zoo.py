"""Pages that misbehave, each in its own way, behind one index."""

from __future__ import annotations

import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from untrod.runtime import launch
from untrod.runtime.processes import TREE, in_tree

PAGES = {
    "dialogs": """<button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
        <button onclick="document.title = prompt('Name?')">Prompt</button>""",
    "unload": "<script>onbeforeunload = (e) => e.preventDefault()</script><button>Stay</button>",
    "popup": "<button onclick=\"window.open('/fields')\">Pop</button><a href=/fields target=_blank>Blank</a>",
    "download": "<a href=/file>File</a><a href=/empty>Nothing</a>",
    "away": """<a href=http://example.org/>Elsewhere</a><a href=mailto:a@example.org>Mail</a>
        <button onclick="location = 'http://example.org/'">Leave</button>
        <button onclick="location = '{stranger}'">Neighbour</button>""",
    "errors": """<button onclick="null.x">Throw</button><button onclick="console.error('oops')">Log</button>
        <button onclick="fetch('/missing')">Missing</button>
        <button onclick="fetch('/broken')">Broken</button>""",
    "slow": """<p></p><button onclick="fetch('/late').then((r) => r.text()).then((t) => {{
          setTimeout(() => document.querySelector('p').textContent = t, 120) }})">Load</button>""",
    "restless": "<script>fetch('/never')</script><button>Wait</button>",
    "crowded": "<script>document.write('<button>b</button>'.repeat(10000))</script>",
    "hang": "<button onclick='while (true);'>Hang</button>",
    "hover": """<style>button {{ visibility: hidden }} li:hover button {{ visibility: visible }}</style>
        <ul><li ondblclick="document.title = 'edited'">milk <button>Drop</button></li><li>bread</li></ul>""",
    "covered": """<button>Below</button><div style="position:fixed;inset:0;background:#fff8"></div>""",
    "far": "<div style='height:4000px'></div><button onclick=\"document.title='found'\">Far</button>",
    "rows": """<ul><li>milk <button onclick="document.title='milk'">Delete</button></li>
        <li>bread <button onclick="document.title='bread'">Delete</button></li></ul>
        <button onclick="document.title='two'">Twin</button>
        <button onclick="document.title='twin'">Twin</button>""",
    "shadow": """<div id=host></div>
        <iframe srcdoc="<button onclick='this.textContent=`in it`'>Inner</button>"></iframe>
        <script>host.attachShadow({{mode: 'open'}}).innerHTML =
        "<button onclick=\\"document.title='shade'\\">Shade</button>"</script>""",
    "fields": """<label>Mail <input type=email></label><label>Day <input type=date></label>
        <label>Age <input type=number></label><label>Text <textarea></textarea></label>
        <label>Size <select><option>small<option>large</select></label>
        <label><input type=checkbox> Agree</label><input aria-label=Fixed disabled><button>Log out</button>
        <form onsubmit="document.title = this.q.value; return false"><label>Find <input name=q></label>
        </form>""",
    "form": """<form><label>Title <input required></label>
        <label>Kind <select required><option>------<option>plain</select></label><button>Save</button></form>
        <ul><li>nobody minds a mouse here</li></ul>""",
    "editor": """<div style="position:relative;width:300px">
        <div style="overflow:hidden;height:0;position:absolute">
        <textarea aria-label=Code style="position:absolute;width:200px;height:20px"
        oninput="lines.textContent = this.value"></textarea></div>
        <pre id=lines style="height:40px">lines</pre></div>
        <script>lines.onclick = () => document.querySelector('textarea').focus()</script>""",
    "clock": """<p></p><script>
        document.querySelector('p').textContent = `took ${{performance.now()}} ms`</script>""",
    "storage": """<script>
        const n = +localStorage.n || 0; localStorage.n = n + 1; sessionStorage.s = 'x';
        document.cookie = 'c=1';
        document.write('<h1>visit ' + n + ' ' + (document.cookie ? 'known' : 'new') + '</h1>')</script>""",
}


class Zoo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    stranger = ""

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].strip("/")
        if not name:
            links = "".join(f"<li><a href=/{each}>{each}</a></li>" for each in PAGES)
            self._answer(f"<h1>Zoo</h1><ul>{links}</ul>")
        elif name in PAGES:
            self._answer(f"<h1>{name}</h1>" + PAGES[name].format(stranger=self.stranger))
        elif name == "file":
            self._answer("data", 200, ("Content-Disposition", "attachment; filename=notes.txt"))
        elif name == "empty":
            self._answer("", 204)
        elif name == "late":
            time.sleep(0.15)
            self._answer("it came late")
        elif name == "never":
            threading.Event().wait(20)
        elif name == "round":
            self._answer("", 302, ("Location", "/round"))
        else:
            self._answer("", 500 if name == "broken" else 404)

    def _answer(self, body: str, status: int = 200, *headers: tuple[str, str]) -> None:
        data = f"<!doctype html><title>{self.path}</title>{body}".encode() if status == 200 else b""
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None: ...


def start(handler: type[BaseHTTPRequestHandler] = Zoo) -> tuple[ThreadingHTTPServer, str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def evaluate(driver, script: str):
    """The value of a script in the page's own world."""
    asked = {"expression": script, "awaitPromise": True, "returnByValue": True}
    return driver._thread(lambda: driver._tab.session.call("Runtime.evaluate", asked), 30.0)["result"].get(
        "value"
    )


def browsers() -> set[str]:
    """The folders of those that this process has started and not ended."""
    launch.begin()
    found = set()
    for pid in in_tree(os.environ[TREE].split(":")[-1]):
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            found |= {word for word in file.read().decode().split("\0") if "--user-data-dir" in word}
    return found
