"""Exonerate: elimination of what makes inputs invalid. Read `learner.py` first.

- `learner.py`: the essay, the settings, how options are drawn, and what an episode teaches;
- `suspects.py`: what of its context a decision may depend on, the probabilities and their two updates, and
  which options are to blame, for people;
- `unseen.py`: sampling without replacement, so that no input comes twice.
"""
