"""Programs as worlds: the graph is known, an action is a whole test input, a run shows what it covers.

A walk through an application finds out the graph as it goes. A program is the other case of the GMetaExp
paper: its source is there to be read, so the graph stands from the start, and the question is which inputs
reach its nodes. There are two kinds of programs, with one protocol (`world.py`):

- `robustfill`: string programs made of regular expressions; an input is a text;
- `karel`: a robot's programs with loops and conditionals; an input is a grid with walls and markers.

An *explorer* chooses the inputs (`explorers.py`), and `explore` runs one episode of it (`episode.py`). What
counts as covered is defined in `docs/explore-programs.md`, and in the `world.py` of each kind.
"""
