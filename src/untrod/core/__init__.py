"""The vocabulary every engine speaks. Standard library only.

One sentence runs through the whole package: the software under test asks questions, a *policy* answers,
and when the run is over its *outcome* teaches the policy.

- `vocabulary`: Choice, Context, Trace, Episode, Outcome, Finding;
- `protocols`: Policy, Learner, Target, Job, Beacon: what the rooms of the house promise one another;
- `loop`: the exploration loop itself, ten lines;
- `budget`: how long a campaign may take;
- `events`: what a campaign tells its listeners;
- `errors`: mistakes that a person can mend, as one line;
- `seeds`: one seed in, independent streams out.
"""
