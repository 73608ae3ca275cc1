"""Searchers: which state to run next, after KLEE's (select, update, empty).

    knowledge.py   what searchers know of the campaign, and distances to uncovered lines
    klee.py        KLEE's searchers
    directed.py    those that are directed at branches of which one side is not covered
    catalogue.py   all of them by name, those of other packages included

The loop that they serve:

    searcher.add([executor.initial()])
    while len(searcher):
        state = searcher.select()
        searcher.remove([state.id])
        result = executor.advance(state, policy, max_branches=...)
        knowledge.tell(state, result.branches, lines_that_a_concrete_run_covered)
        searcher.add(result.pending)
"""
