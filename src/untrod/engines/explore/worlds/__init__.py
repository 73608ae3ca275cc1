"""Worlds to explore: graphs, of which a walker sees what lies one link away from where it has been.

What holds for all of them:

- A walker stands on a node and takes one of its links. That is a step; there are T of them. Links that are
  not there cannot be chosen (illegal moves are masked).
- It knows the nodes it has visited, where their links lead, and nothing else: one-hop vision. A node that
  is seen but not visited hides its own links.
- Coverage is the share of the nodes that has been visited, the start included. The denominator is the
  number of nodes that can be reached from the start. Where everything can be reached, that is all of them.
- A walk is over after T steps, when everything is visited, or where no link leads on.

| task | worlds | nodes | T |
|---|---|---|---|
| `maze` | perfect mazes (`synthetic.py`, definition A) | 36 | 36 |
| `braided` | the same with 65% of the remaining walls removed (definition B) | 36 | 36 |
| `app` | Erdos-Renyi, p = 0.1, joined, links both ways (`synthetic.py`) | 15 to 20 | 15 |
| `directed-app` | one-way links and sinks (`synthetic.py`) | 20 | 20 |
| a file | a recorded screen graph (`recorded.py`) | any | given |

The paper leaves its mazes open: no single natural definition gives all of its figures, so A and B are both
here.
"""
