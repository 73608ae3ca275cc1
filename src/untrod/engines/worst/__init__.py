"""`worst`: the input of a given size that costs the most."""
