#!/usr/bin/env python3
"""Agreement of `--profile justext` and our rules with the package justext: paragraphs with the same final class.

    python bench/parity.py ../shared/data            # to standard output; docs/from-justext.md has the shares
    python bench/parity.py ../shared/data -n 50      # of every fiftieth page

DATA is the folder of gold sets; the package justext must be installed. Both programs use its stop lists. A paragraph
agrees if its text and its class (text or boilerplate) are the same, in order.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.heldout import SETS
from bench.peers import JUSTEXT_LANGUAGES, justext_paragraphs
from bench.support import Record, log, read_pages
from ncfilters.features.document import ModelInput
from ncfilters.page.profiles import PageOptions
from ncfilters.scoring.justext import stoplist
from ncfilters.scoring.justext.rules import JusTextParameters, JusTextRules, rules_model
from ncfilters.segmentation import segmenter
from ncfilters.selection.justext_context import neighbour_policy

# The text of each paragraph, and whether it is text or boilerplate.
Paragraphs = list[tuple[str, bool]]


@dataclass
class Agreement:
    """The paragraphs of the package and their characters: all, and those that agree."""

    paragraphs: int = 0
    agreeing: int = 0
    characters: int = 0
    agreeing_characters: int = 0

    def add(self, theirs: Paragraphs, ours: Paragraphs) -> None:
        """Adds a page."""
        blocks = SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()
        self.paragraphs += len(theirs)
        self.characters += sum(len(text) for text, _ in theirs)
        self.agreeing += sum(block.size for block in blocks)
        self.agreeing_characters += sum(
            len(theirs[at][0]) for block in blocks for at in range(block.a, block.a + block.size)
        )

    def __str__(self) -> str:
        share, text = self.agreeing / self.paragraphs, self.agreeing_characters / self.characters
        return f"{100 * share:.2f} % of {self.paragraphs:,} paragraphs, {100 * text:.2f} % of text"


def our_paragraphs(html: str, rules: JusTextRules) -> Paragraphs:
    """The paragraphs and final classes by the filters."""
    segments: list[dict[str, Any]] = segmenter.segment_html(html, PageOptions(profile="justext"))
    for field, values in rules.evidence([ModelInput(segments)])[0].items():
        for part, value in zip(segments, values):
            part[field] = value
    return list(zip((part["text"] for part in segments), neighbour_policy()(segments)))


def compare(page: Record, agreement: Agreement) -> None:
    """Adds a page. One that the package cannot read is reported and left out."""
    language = JUSTEXT_LANGUAGES.get(page["lang"])
    stop_words = stoplist.find_stoplist(f"justext:{language}")[0] if language else frozenset()
    parameters = JusTextParameters() if stop_words else JusTextParameters(stopwords_low=0.0, stopwords_high=0.0)
    try:
        theirs = justext_paragraphs(page["html"], stop_words)
    except Exception as error:  # the package raises any exception of its parser
        log(f"{page['id']}: {error}")
        return
    agreement.add(theirs, our_paragraphs(page["html"], rules_model(stop_words, parameters)))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("-n", type=int, default=1, metavar="N", help="use every N-th page (default: all)")
    args = parser.parse_args()
    for name in SETS:
        agreement = Agreement()
        for page in read_pages(args.data / f"{name}.jsonl.xz")[:: args.n]:
            compare(page, agreement)
        print(f"{name}: {agreement}", flush=True)


if __name__ == "__main__":
    main()
