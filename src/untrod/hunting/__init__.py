"""`untrod hunt`: every engine on a whole project, the time shared by what each has paid lately.

    discover   what in a project can be tested, and by which engine: read from the source, nothing is imported
    product    what of it the project installs, from the files that build it (packaging)
    changes    which of that a change since some revision touches
    promise    who has a first turn first
    turn       one turn of one engine on one target: the real command, in a process of its own
    shares     who has the next turn: a bandit over the tasks
    hunt       the loop: turns, side by side, until the budget is spent
    own_tests  the project's own tests, run without us: which of them fail, what they cover (before_after)
    served     an application that is started for the hunt, and stopped after it
    verdict    what it came to, findings ranked, for a person, as JSON, JUnit XML and SARIF
    kept       the last hunt, for `untrod report`

Engines do not know that they are part of a hunt: what it does can be done by hand, command by command.
"""
