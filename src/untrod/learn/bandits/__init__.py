"""Bandits: which of several sources to trust. Ours, from no paper.

- `portfolio.py`: `auto`, the portfolio of learners for `inputs`;
- `rate_bandit.py`: Thompson sampling on gains per cost, for sources that cost differently.
"""
