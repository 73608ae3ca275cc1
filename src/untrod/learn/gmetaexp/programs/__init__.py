"""GMetaExp for programs: a policy that proposes whole inputs. Read `policy.py` first.

- `states.py`: programs with their coverage in one flat batch;
- `encoders.py`: from a state to vectors, with the five ablations of Figure 4(b);
- `decoders.py`: from history to a text or a board;
- `learner.py`: imitation, and reinforcement by groups.
"""
