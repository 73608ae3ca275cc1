"""Exonerate: elimination of what makes inputs invalid. Read `learner.py` first.

- `learner.py`: the essay, the settings, how options are drawn, and what an episode teaches;
- `features.py`: what of its context a decision may depend on;
- `suspects.py`: the probabilities, their two updates, and which options are to blame, for people;
- `unseen.py`: sampling without replacement, so that no input comes twice.
"""
