"""Ways to choose the next action, one file each: `planner` (the default), `farlead`, and the baselines
`random`, `monkey` and `qbe`."""
