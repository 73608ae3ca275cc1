"""Runs campaigns for whoever asks: the Python API, the command line, a hunt, a notebook.

    options   what every verb takes, spelled once: for Python and for the command line
    run       a campaign under way: events while it runs, its result at the end
    result    what it came to: findings that can be replayed, tests, corpus, what the engine counted
    engines   a stored campaign becomes an engine again
    trust     what a stored campaign may do here
    replay    one finding, run again

Nothing here knows an engine by name: they come from `untrod.plugins`.
"""
