"""RobustFill: programs that build a text from pieces of another, found by regular expressions."""
