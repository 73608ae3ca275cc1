"""Ways to walk through a world, one file and one class each, all in one frame: what a network has to beat."""
