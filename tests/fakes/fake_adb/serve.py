"""The fake by hand: `python tests/fakes/fake_adb/serve.py GRAPH.json`, until it is interrupted."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fake_adb import PACKAGE, SERIAL, FakeAdb, FakeDevice
from untrod.drivers.graph_reader import load_graph

if __name__ == "__main__":
    with FakeAdb(FakeDevice(load_graph(Path(sys.argv[1])))) as adb:
        print(f"export ANDROID_ADB_SERVER_PORT={adb.port}  # {PACKAGE} on {SERIAL}, a fake", flush=True)
        try:
            Event().wait()
        except KeyboardInterrupt:
            pass
