"""Ways to choose the next input for a program, one file each: what a trained policy has to beat."""
