"""Pages of which a step of the decision takes away what the model is sure of.

    python bench/takes_page.py DATA [--every N]

DATA has the development sets. The bound of `decision.takes_page` undoes a step that drops much of what the model is
sure of; a case is what a step drops all the same. Prints the cases, and the steps that drop more than MAX_SHARE of the
kept words and are nearest to the bound, with the distance from it in bits. The exit status is 1 if there are cases.
"""

import argparse
import json
import lzma
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from ncfilters.selection.decision import MARGIN, MAX_SHARE, SURE, policy, takes_page  # noqa: E402
from ncfilters.selection.scored_page import ScoredPage, page_of  # noqa: E402
from ncfilters.selection.surroundings import rows_kept  # noqa: E402


def large_drops(page: ScoredPage) -> Iterator[tuple[float, str, bool]]:
    """Each step that drops much: its distance from the bound in bits, its name, and whether it is a case."""
    for step, before, after in islice(policy().steps(page), 1, None):  # after that by score
        rest = rows_kept(after)
        dropped = [row for row, (was, keep) in enumerate(zip(before, after)) if was and not keep]
        texts = {page.text[row] for row in rest}
        lost = [row for row in dropped if page.text[row] not in texts]
        if page.size(lost) > MAX_SHARE * page.size(dropped + rest):
            distance = page.mean_score(lost) - min(SURE, page.mean_score(rest) + MARGIN)
            yield distance, step.name if step else "", takes_page(page, before, after)


def scored_pages(path: Path, every: int) -> Iterator[dict[str, Any]]:
    """The scored records of every so manieth page of a set."""
    with lzma.open(path, "rb") as file:
        pages = b"".join(islice(file, 0, None, every))
    pipe = f"'{ROOT}/bin/nc-segment' | '{ROOT}/bin/nc-score'"
    done = subprocess.run(pipe, shell=True, input=pages, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return (record for record in map(json.loads, done.stdout.splitlines()) if "page" in record)


def main() -> None:
    """Prints the cases of all sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, help="every so manieth page")
    args = parser.parse_args()
    num_pages, found = 0, []
    for path in sorted(args.data.glob("*-dev.jsonl.xz")):
        for record in scored_pages(path, args.every):
            num_pages += 1
            page = page_of(record["segments"])
            page.evidence = record["page"]
            found += [(bits, name, record["id"], is_case) for bits, name, is_case in large_drops(page)]
    num_cases = sum(is_case for *_, is_case in found)
    print(f"{num_pages} pages, {len(found)} steps drop more than {MAX_SHARE:.0%} of the words, {num_cases} cases")
    for bits, name, key, is_case in sorted(found, reverse=True)[:10]:
        print(f"{'case' if is_case else 'near'} {bits:+5.1f} bits  {name:12} {key}")
    sys.exit(num_cases > 0)


if __name__ == "__main__":
    main()
