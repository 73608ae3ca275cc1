"""Python values and calls as source code: exact, importable, laid out like `ruff format` would.

Below the engines because a value's source is made where the value lives, inside a worker; it leaves the
worker as JSON (`codec`) and becomes part of a test file in `untrod.output`.

- `nodes`: the shapes of an expression;
- `literals`: from a value to an expression that evaluates to it, or nothing;
- `layout`, `quoting`: from an expression to lines;
- `codec`: to JSON and back.
"""
