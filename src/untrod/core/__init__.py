"""The vocabulary every engine speaks. Standard library only.

One sentence runs through the whole package: the software under test asks questions, a *policy* answers,
and when the run is over its *outcome* teaches the policy.

- `vocabulary`: Choice, Context, Trace, Episode, Outcome, Finding;
- `protocols`: Policy, Learner, Target, Job, Beacon: what the rooms of the house promise one another;
- `loop`: the exploration loop itself, ten lines;
- `budget`: how long a campaign may take;
- `events`: what a campaign tells its listeners;
- `errors`: mistakes that a person can mend, as one line; `interrupts`: Ctrl-C;
- `seeds`: one seed in, independent streams out;
- `shapes`, `event_shapes`: JSON of others, checked before anybody reads it; snapshots;
- `reading`, `writing`: files of others, read with a bound; files of ours, written whole or not at all;
- `text`: text of others, made harmless; `thinning`: long series, made short;
- `catalogue`: what can be asked for by name, and what other packages add.
"""
