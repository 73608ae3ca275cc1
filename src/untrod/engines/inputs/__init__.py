"""The `inputs` engine: reinforcement learning steers input generators to many different valid inputs.

- `guide`: what a generator receives as `choose`;
- `target`: a generator, its validity check and its property, run once;
- `characteristic`: what counts as a different input;
- `job`: one shard of a campaign, inside a worker;
- `engine`: the campaign, outside.
"""
