"""`explore`: a policy trained on many worlds, used on one that it has never seen."""
