"""The verbs `explore` and `train`."""
