"""An empty TiddlyWiki, the single file that it is. What is written stays in the browser, until a reset."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.gui.apps.sites.serving import serve
from bench.gui.apps.tiddlywiki import HOME

PAGE = "index.html"


def main(folder: Path) -> None:
    script, edition = HOME / "tiddlywiki.js", HOME / "editions" / "empty"
    words = ["--output", str(folder), "--render", "$:/core/save/all", PAGE, "text/plain"]
    subprocess.run(["node", str(script), str(edition), *words], check=True, stdout=subprocess.DEVNULL)
    page = (folder / PAGE).read_bytes()

    def answer(environ: dict[str, Any], start: Any) -> list[bytes]:
        found = environ["PATH_INFO"] == "/"
        start("200 OK" if found else "404 Not Found", [("Content-Type", "text/html; charset=utf-8")])
        return [page] if found else [b""]

    serve(answer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
