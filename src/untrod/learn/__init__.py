"""Learning algorithms, one file each, ignorant of what they steer.

Every one of them is a `Learner` (see `untrod.core.protocols`): it decides, and it learns from how the
episode ended. `abstraction` holds the ways to turn everything answered so far into a small state.
"""
