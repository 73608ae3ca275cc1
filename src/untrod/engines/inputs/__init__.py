"""The `inputs` engine: reinforcement learning steers input generators to many different valid inputs.

- `guide`: what a generator receives as `choose`;
- `target`: a generator, its validity check and its property, run once;
- `characteristic`, `footprint`: what counts as a different input, by value or by the path it takes;
- `watch`, `progress`: what is seen of the target, and credit for rejected inputs that came far;
- `job`: one shard of a campaign, inside a worker;
- `engine`: the campaign, outside.
"""
