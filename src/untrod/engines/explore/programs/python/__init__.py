"""Python functions: the graph of their branches, inputs from their annotations, and what a run takes."""
