"""Where episodes run: guarded worker processes and a local pool of them.

The code under test is hostile: it may exit, crash, hang, print, fork or close files. So it runs in worker
processes, each with limits and an audit guard (a guard rail, not a sandbox), and the pool tells how each
of them ended.

- `pool`: the public entrance: `Pool`, and in `messages` what it tells: `Reply`, `Lost`;
- `limits`: what a worker may use and what it may do;
- `deadline`: `EpisodeTimeout` and `Interrupted`, which a job catches around the target;
- `guard`, `randomness`: what surrounds the target inside the worker;
- `beacon`, `channel`: how worker and supervisor talk;
- `supervisor`, `scratch`, `processes`: the parent's half;
- `worker`, `confine`, `realpath`: the child's half.
"""
