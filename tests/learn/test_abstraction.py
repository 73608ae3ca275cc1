"""The state abstractions on the paper's Figure 2: a partial tree, seen from its right child's value."""

from untrod.core.vocabulary import Context, Frame
from untrod.learn.abstraction import sequence, tree, tree_lr

# Root value 2; a left child (value 1, no children), completed; a right child, about to get its value.
FIGURE_2 = Context(
    answers=[2, 0, 1, 1, 1, 0],
    frames=[Frame(None, [2, 0, 0]), Frame(40, [])],
)


def test_sequence_takes_whatever_came_last():
    assert sequence(FIGURE_2, 4) == (1, 1, 1, 0)


def test_tree_leaves_completed_siblings_out():
    assert tree(FIGURE_2, 4) == (2, 0, 0)


def test_tree_lr_also_tells_left_from_right():
    from_left = Context(frames=[Frame(None, [2, 0]), Frame(20, [])])
    from_right = Context(frames=[Frame(None, [2, 0]), Frame(40, [])])
    assert tree(from_left, 4) == tree(from_right, 4)
    assert tree_lr(from_left, 4) != tree_lr(from_right, 4)


def test_the_window_keeps_the_nearest_levels():
    assert tree(FIGURE_2, 2) == (0, 0)
    assert len(tree_lr(FIGURE_2, 2)) == 2


def test_what_the_generator_says_wins():
    given = Context(answers=[1, 2, 3], frames=[Frame(None, [9])], given=("root", 2, "R"))
    assert tree(given, 2) == tree_lr(given, 2) == (2, "R")
