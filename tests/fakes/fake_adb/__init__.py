"""A fake: an adb server with one Android device, for tests. No Android runs here.

It speaks adb's protocol on loopback, well enough for the unmodified uiautomator2 client. What the client
finds behind it is made up:

    server.py       the adb server: host services, transports, shell, sync, connections to ports of the device
    device.py       the device: its files, its packages, its shell commands, its log
    automation.py   the server that uiautomator2 starts on a device: JSON-RPC over HTTP
    app.py          the application: a screen graph (`untrod.drivers.graph`), laid out on a display
    faults.py       what can be made to go wrong

The answers were written from the sources of adbutils and uiautomator2 and from what is generally known of
Android's formats. Nothing was recorded. So a test on this fake says that the driver and the client agree
about the protocol, and what the driver does when something fails. It says nothing about a real device.

By hand: `python tests/fakes/fake_adb/serve.py GRAPH.json`, and $ANDROID_ADB_SERVER_PORT.
"""

from fake_adb.app import GraphApp
from fake_adb.device import PACKAGE, SERIAL, FakeDevice
from fake_adb.faults import Faults
from fake_adb.server import FakeAdb

__all__ = ["PACKAGE", "SERIAL", "FakeAdb", "FakeDevice", "Faults", "GraphApp"]
