"""What a person gets to see: minimal traces, tests to commit, progress, NDJSON, summary and report.

- `minimise`: the smallest trace that still shows a finding;
- `cases`: what a test says, before it is Python source; `pytest_writer` writes it, `pytest_verify` runs it,
  `pytest_emit` hands over what was seen to replay;
- `progress`, `ndjson`: listeners that tell a running campaign to a person and to a program;
- `summary`: how a campaign ended, on the terminal and as Markdown;
- `html`: one or several campaigns as an offline page;
- `terminal`: how all of it is said; text of others is made harmless by `untrod.core.text`.
"""
