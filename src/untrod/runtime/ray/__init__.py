"""Workers on many machines: the local pool's interface, with each worker on a node of a Ray cluster.

    campaign - RayPool - Link  |  bridge, the Ray driver: a process of its own  |  Host, an actor on a node

- `pool`: `RayPool`, what a campaign has in place of `Pool`;
- `link`: the campaign's end of the pipe to the bridge;
- `bridge`: the only process that is Ray's driver. Ray ends a driver whose cluster is gone, takes over its
  signals and prints; none of that happens to the campaign, which keeps what it has and reports;
- `host`: the actor. It has a local pool of one worker: limits, guard and deadlines are as anywhere;
- `frames`: replies and deaths as frames. What we send is JSON and bytes in frames of `runtime.channel`; how
  Ray carries them, and that it pickles the actor's class and its own messages, is Ray's.

Only `bridge` imports Ray.
"""
