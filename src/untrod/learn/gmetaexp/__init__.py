"""GMetaExp: transferable graph exploration (Dai, Li, Wang, Singh, Huang, Kohli, NeurIPS 2019).

Read `ggnn.py` first.

- `scenes.py`: many graphs in one flat batch, what the networks take;
- `ggnn.py`: the policy for graphs: message passing, read-out, history, pointer (eqs. 4 to 8);
- `links.py`: features of plain nodes by link prediction (eqs. 9 to 11);
- `actor_critic.py`: synchronous A2C, and learning from a planner before it (ours);
- `gradient_learner.py`: what all learners of weights share;
- `inference.py`: one decision at a time, in NumPy;
- `programs`: the same for programs, where an action is a whole input: encoders, history, decoders.

Worlds, walks and training runs are in `engines/explore`.
"""
