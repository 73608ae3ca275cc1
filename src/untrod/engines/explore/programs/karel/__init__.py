"""Karel: a robot on a grid with walls and markers, and programs of loops and conditionals that steer it."""
