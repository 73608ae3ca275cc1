"""The web driver: Playwright on the Chromium that is installed. `driver.py` is the place to begin.

A step reads like this: `offers` names what can be done, `hands` does it by trusted input, `page.js` says when
the page has settled, `tree` reads Chromium's accessibility tree, `reading` makes a screen of it, and
`ears` has heard what happened by the way. `aside` keeps Playwright in a thread of its own.
"""
