"""Apps that are running: there is a driver and a budget of steps, and nobody knows the graph.

In a recorded world, links say where they lead. In a running app an action says only what it is called, and
where it leads is known once it was taken. So the frontier is made of actions that nobody has tried, and the
question is which of them leads to a screen that nobody has seen. What an action is called tells more than the
graph does: a link of the menu that led to Settings once leads there from every screen.

- `screen_map`: what is known: screens, actions, where they led, what was not tried;
- `walk`: the walk, and the estimate of how likely an action leads to a new screen;
- `job`: the walk inside a worker.

A screen is here what a person would call a screen: the driver's abstract identity.
"""
