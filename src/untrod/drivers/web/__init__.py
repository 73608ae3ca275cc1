"""The web driver: Chromium over its own protocol (CDP). `driver.py` is the place to begin.

A step: `screen.offers` lists the actions, `input` dispatches one as trusted input, `page.js` says when the
page has settled, `tree` reads Chromium's accessibility tree, `snapshot` does both, `screen` makes a screen of
it, and `events` has collected errors, dialogs and crashes meanwhile. `cdp` is the connection, `browser` the
process, `tab` its one page. Playwright only logs in (`login`). All of it runs in a thread of its own
(`thread`).
"""
