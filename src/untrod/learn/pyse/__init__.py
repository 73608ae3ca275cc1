"""PySE (Koo, Saumya, Kulkarni, Bagchi, 2019): worst-case inputs by learned branch decisions. Read
`branch_q.py` first.

- `branch_q.py`: states, targets, memory and policy update;
- `q_network.py`: Q(s, .) as a small neural network (the paper's);
- `q_values.py`: Q(s, .) as a table of contexts, without torch (ours).

The search around it, with the Unique Path Finder, is `engines/worst/policies/pyse.py`.
"""
