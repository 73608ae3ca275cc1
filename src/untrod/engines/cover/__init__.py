"""`cover`: inputs that take every branch of a function, a class or a module, learned as in HOMI.

The words of this engine:

    entry     a callable of the target that inputs are made for: a function, or a class (`targets.py`). What
              cannot be called is *refused*, with the reason
    input     a call of an entry as source code that can be run again: the function and its arguments, or a
              class, its constructor's arguments and the methods called after that (`case.py`)
    arc       one way to leave a line that has several, as coverage.py counts them: module, line, next line.
              A negative next line leaves the function that starts there
    map       all the arcs that count, of the target's module and of those named with --also (`branch_map.py`)
    case      an input, what it did when it was run for real, and the arcs that this took (`case.py`)
    arm       what proposes inputs: it draws them, mutates them, or solves for them (`arms.py`)

Whatever proposes an input, only a real run makes it a case (`subject.py`), and only arcs that such a run took
are covered. To read it: `search.py` (the search), `arms.py` (whose turn, what is
proposed), `paths/rounds.py` (symbolic execution), `subject.py` and `execution.py` (the real run),
`branch_map.py` (what it took). How values are drawn is in `drawing.py` and `values/`; C programs are in
`native/`.
"""
