"""The Android driver: uiautomator2 over adb. `driver.py` is the place to begin.

A step: `screen.offers` lists the actions, `input` sends one to the device, `snapshot` reads the window
hierarchy until two readings in a row agree, `nodes` parses uiautomator's dump, `screen` makes a screen of it,
and `events` reads crashes from the device's log. All of them talk to the device through `phone`, which
handles a lost device, a call that is never answered and a dead automation server. `devices` chooses the
device.

No device was at hand when this was written. It was tried with the fake adb server of the tests: docs/gui.md
says what that shows, and what it does not.
"""
