"""Where inputs come from: each arm proposes, and the bandit learns whom to ask."""
