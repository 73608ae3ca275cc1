"""Ways to choose the next action, one file each: `farlead` and the baselines `random`, `monkey`, `qbe`."""
