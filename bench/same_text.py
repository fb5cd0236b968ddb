#!/usr/bin/env python3
"""Whether options change which words of a page are text: markup, sentences, one page at a time, its declared address.

    python bench/same_text.py ../shared/data/wcxb-dev.jsonl.xz ../shared/data/recipes-dev.jsonl.xz --every 5

Of 195 pages of WCXB, recipes and news, one differs, with markup: the language of each block of code (`js`) stands above
it, and is then shown as the language of the block. For each set and each of the VARIANTS prints the number of pages
whose words differ from those by default, and their ids. Exit status: 0; 1 if a page differs.
"""

from __future__ import annotations

import argparse
import copy
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.support import read_pages
from ncfilters.page.metadata.meta_tags import declared_address
from ncfilters.page.tree.html_parser import page_table
from ncfilters.page.tree.html_source import source_of
from ncfilters.page.tree.survey import survey
from ncfilters.pipeline import Pipeline
from ncfilters.record import Record
from ncfilters.segmentation.segmenter import segment_document, split_record

DEFAULT = Pipeline()
MARKED = Pipeline(markup=True)


def by_sentences(pages: Sequence[Record]) -> Iterator[Record]:
    """The records of pages whose segments are split into sentences."""
    return DEFAULT.records([split_record(segment_document(page)) for page in pages])


def one_by_one(pages: Sequence[Record]) -> Iterator[Record]:
    """The records of pages that are read alone."""
    return map(DEFAULT.record, pages)


def without_address(pages: Sequence[Record]) -> Iterator[Record]:
    """The records of pages without their field `url`, where they declare the same address."""
    declared = [declared_address(survey(page_table(source_of(page["html"])))) for page in pages]
    return DEFAULT.records(
        [
            {name: value for name, value in page.items() if name != "url" or value != address}
            for page, address in zip(pages, declared)
        ]
    )


VARIANTS: dict[str, Callable[[Sequence[Record]], Iterator[Record]]] = {
    "markup": MARKED.records,
    "sentences": by_sentences,
    "one page at a time": one_by_one,
    "declared address": without_address,
}


def differing(pages: Sequence[Record], variant: str) -> list[object]:
    """The ids of the pages whose words differ in a variant."""
    own, other = DEFAULT.records(copy.deepcopy(pages)), VARIANTS[variant](copy.deepcopy(pages))
    return [page.get("id") for page, one, two in zip(pages, own, other, strict=True) if words(one) != words(two)]


def words(record: Record) -> Counter[str]:
    """The words of the text of a record."""
    return Counter(re.findall(r"\w+", record.get("text") or ""))


def main() -> int:
    """Compares the pages of the sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="a file of records with html")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth page (1)")
    options = parser.parse_args()
    status = 0
    for path in options.sets:
        pages = [{name: page[name] for name in ("id", "url", "html") if page.get(name)} for page in read_pages(path)]
        for variant in VARIANTS:
            found = differing(pages[:: options.every], variant)
            print(f"{path.name}\t{variant}\t{len(found)} of {len(pages[:: options.every])}", *found[:10], flush=True)
            status = max(status, bool(found))
    return status


if __name__ == "__main__":
    sys.exit(main())
