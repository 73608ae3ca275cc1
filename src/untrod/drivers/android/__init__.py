"""The Android driver: uiautomator2 over adb. `driver.py` is the place to begin.

A step reads like this: `offers` names what can be done, `hands` does it, `eyes` look until two looks in a row
see the same, `nodes` reads uiautomator's dump, `reading` makes a screen of it, and `ears` asks the device's
log for crashes. All of them talk to the device through `phone`, which is where a lost device, a call that is
never answered and a dead automation server are dealt with. `devices` chooses the device.

No device was at hand when this was written. It was tried with the fake adb server of the tests: docs/gui.md
says what that shows, and what it does not.
"""
