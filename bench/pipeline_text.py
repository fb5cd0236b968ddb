"""Prints the text that `ncfilters.Pipeline` makes of each page of a file of records, as JSON lines.

python bench/pipeline_text.py pages.jsonl
"""

from __future__ import annotations

import json
import sys

from ncfilters import Pipeline

if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        for record in Pipeline("en", form="markdown").records(json.loads(line) for line in file):
            print(json.dumps(record, sort_keys=True))
