"""`cover` on C programs: the same search, with a native executor, a process for real runs, and gcc's counts.

target    what a person named, and the fields of the input
build     three variants of the program: to emulate, to count branches, to check for undefined behaviour
launcher  a process of its own that runs the program as nobody, with limits (limits.c)
emptying  the folder that it ran in, whatever it has left there
stage     how a worker talks to it
notes     gcc's notes and counts
branches  `branch_map.py`: the branches, as gcov has them
subject   every real run, and what it came to
drawing   random inputs
paths     what rounds of symbolic execution need to know of a program
job       the search, and one shard of a campaign inside a worker
"""
