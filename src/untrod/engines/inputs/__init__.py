"""The `inputs` engine: reinforcement learning steers input generators to many different valid inputs.

- `job`: one shard of a campaign, inside a worker: episodes, their counts and reports;
- `target`: a generator, its validity check and its property, run once; `choose`;
- `judge`: what counts as a different input, and how far a rejected one came;
- `engine`, `counts`, `delivery`, `panel`: the campaign outside of the workers, its counts, tests and page;
- `corpus`: files of inputs to begin with;
- `backend`: the same for Hypothesis tests;
- `verb`, `plugin`: the command, and the registry's entry.
"""
