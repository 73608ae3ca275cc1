"""`untrod hunt`: every engine on a whole project, the time shared by what each has paid lately.

    discover  what in a project can be tested, and by which engine: read from the source, nothing is imported
    changes   which of that a change since some revision touches
    turn    one turn of one engine on one target: the real command, in a process of its own
    shares    who has the next turn: a bandit over the tasks
    hunt      the loop: turns, side by side, until the budget is spent
    coverage  what the project's own tests cover, and what they cover with those of the hunt
    served    an application that is started for the hunt, and stopped after it
    verdict   what it came to, findings ranked, for a person, as JSON, JUnit XML and SARIF

Engines do not know that they are part of a hunt: what it does can be done by hand, command by command.
"""
