#!/usr/bin/env bash
# The main job on examples/: finds a planted bug, and ends by naming the tests and the report it wrote.
set -u
untrod=$1
case $untrod in /*) ;; *) untrod=$PWD/$untrod ;; esac

echo "A search tree with a planted bug (examples/bst.py), and a generator that makes any tree at all."
echo '$ untrod inputs examples/bst.py:tree --valid is_bst --test check_delete --budget 20s'
"$untrod" inputs examples/bst.py:tree --valid is_bst --test check_delete --budget 20s
status=$?
if [ "$status" -gt 1 ]; then
  echo "the demo did not run: see the line above, and try: $untrod doctor" >&2
  exit "$status"
fi
