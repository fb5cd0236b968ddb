"""Prints the records that `ncfilters.Pipeline` makes of a file of pages, as JSON lines; for output_hashes.py.

python bench/pipeline_text.py pages.jsonl
"""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))  # after PYTHONPATH: output_hashes.py runs other checkouts

from ncfilters import Pipeline


def main(path: Path) -> None:
    """Prints the records of a file's pages."""
    with path.open("rb") as file:
        for record in Pipeline("en", form="markdown").records(json.loads(line) for line in file):
            print(json.dumps(record, sort_keys=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
