"""`gui`: steps through a user interface that show what a formula says, or break it.

An episode: `job.py` asks `search.py` for a step; that picks a specification and lets its `agent.py` play a
session on a driver (`untrod.drivers`), in which one of the `explorers` chooses the actions.
"""
