"""Searchers: which state to run next. One file, one class each, after KLEE's `Searcher.h`.

The loop that they serve:

    searcher.add([executor.initial()])
    while len(searcher):
        state = searcher.select()
        searcher.remove([state.id])
        result = executor.advance(state, policy, max_branches=...)
        knowledge.tell(state, result.branches, lines_that_a_concrete_run_covered)
        searcher.add(result.pending)

What KLEE reads off its interpreter is kept in a `Knowledge` (knowledge.py), fed by whoever runs the loop.
By name: catalogue.py.
"""
